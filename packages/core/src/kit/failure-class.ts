import { readMember } from "@toolcontract/explain/adapter";
import { failureFacts, statusOf } from "./failure-facts.ts";
import { causesOf, firstOf } from "./thrown.ts";

const MAX_CODE = 64;
const NAME = /^[\w .:-]+$/;

/** What a failure is, whatever it says: its HTTP status, else its code, else its type. Never throws. */
export function failureClass(thrown: unknown): string {
  const { status } = failureFacts(thrown);
  if (status !== undefined) return `HTTP ${status}`;
  const causes = causesOf(thrown);
  const found = firstOf(causes, codeOf) ?? firstOf(causes, typeOf) ?? typeof thrown;
  // What a service puts there reaches the model.
  return NAME.test(found) ? found : "error";
}

/** The HTTP status of an error that a tool returned; undefined if it has none, so that it may be a result like any other. */
export function returnedStatus(output: unknown, content: string): number | undefined {
  return (
    statusOf(output) ??
    statusOf(readMember(output, "structuredContent")) ??
    failureFacts(content.slice(0, MAX_READ)).status
  );
}

const MAX_READ = 200;

function codeOf(error: unknown): string | undefined {
  const code = readMember(error, "code");
  if (typeof code === "number") return `code ${code}`;
  return typeof code === "string" && code !== "" ? code.slice(0, MAX_CODE) : undefined;
}

function typeOf(error: unknown): string | undefined {
  const names = [readMember(error, "name"), readMember(readMember(error, "constructor"), "name")];
  const known = names.filter((name) => typeof name === "string" && name !== "");
  const own = known.find((name) => name !== "Error") ?? known[0];
  return typeof own === "string" ? own.slice(0, MAX_CODE) : undefined;
}
