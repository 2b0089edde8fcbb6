import { isErrorStatus, parseJson, readMember } from "@toolcontract/core/adapter";
import { isPlainObject, readString } from "./read.ts";
import { isTypeName } from "./outcome.ts";

const MAX_BODY = 65_536;

/** A problem of RFC 9457 in the body of a response. */
export interface HttpProblem {
  /** The last part of the problem's type; undefined for `about:blank`. */
  readonly type?: string;
  readonly status?: number;
  /** The `detail`, or else the `title`. */
  readonly message: string;
}

/** The problem that an error carries: itself, as the body of its response, or as that body's JSON text. */
export function problemOf(error: unknown): HttpProblem | undefined {
  const response = readMember(error, "response");
  const places = [
    error,
    readMember(error, "body"),
    readMember(error, "data"),
    readMember(response, "data"),
    readMember(response, "body"),
    readMember(error, "responseBody"),
  ];
  for (const place of places) {
    const problem = readProblem(typeof place === "string" ? parseBody(place) : place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Whether a tool returned a whole problem: a type that is a reference, a title, and the status of an error. */
export function isProblemResult(result: unknown): boolean {
  const status = readMember(result, "status");
  const type = readString(result, "type") ?? "";
  return (
    isPlainObject(result) &&
    /^(?:[a-z][a-z\d+.-]*:|\/)/i.test(type) &&
    typeof readMember(result, "title") === "string" &&
    isErrorStatus(status)
  );
}

/** An object is a problem if it has a title or a detail, and a status or a type: one of them alone means little. */
function readProblem(body: unknown): HttpProblem | undefined {
  if (!isPlainObject(body)) return undefined;
  const message = readString(body, "detail") ?? readString(body, "title");
  const type = readString(body, "type");
  const status = readMember(body, "status");
  const known = typeof status === "number" && Number.isInteger(status);
  if (message === undefined || (!known && type === undefined)) return undefined;
  const name = type === undefined ? undefined : lastPart(type);
  return { ...(name !== undefined && { type: name }), ...(known && { status }), message };
}

function lastPart(type: string): string | undefined {
  const [address = "", fragment = ""] = type.split("#", 2);
  if (address === "about:blank") return undefined;
  const path = fragment === "" ? (address.split("?", 1)[0] ?? "") : fragment;
  const part = path
    .split(/[/:]/)
    .filter((each) => each !== "")
    .at(-1);
  return isTypeName(part) ? part : undefined;
}

function parseBody(text: string): unknown {
  return text.length <= MAX_BODY && /^\s*\{/.test(text) ? parseJson(text) : undefined;
}
