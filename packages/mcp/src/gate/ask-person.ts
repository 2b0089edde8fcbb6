import type { AskRequest } from "@toolcontract/core";
import { errorClass, untilAborted } from "@toolcontract/core/adapter";
import { isRecord, type Message } from "../wire/index.ts";
import type { CallInGate } from "./call.ts";
import type { GateServices } from "./options.ts";

/** Longer arguments are not shown: nobody could say what a person has agreed to. */
const MAX_SHOWN = 4_000;

/**
 * Asks the person at the client about a call, by elicitation; returns the grant if they agree, and undefined if they do not or
 * cannot be asked.
 *
 * @throws The reason of the signal if the call is cancelled meanwhile.
 */
export async function askPerson(
  request: AskRequest,
  { call, link, flight }: CallInGate,
  { contract, grantFor }: GateServices,
): Promise<string | undefined> {
  const params = grantFor && !call.isTask ? questionOf(request) : undefined;
  const asking = params && link.elicit?.(params, call.message);
  if (grantFor === undefined || asking === undefined) return undefined;
  const signal = flight.signal();
  try {
    const answer = await untilAborted(asking, signal);
    if (!hasAgreed(answer)) return undefined;
    const grant: unknown = await grantFor(request);
    return typeof grant === "string" ? grant : undefined;
  } catch (thrown) {
    signal.throwIfAborted();
    const fields = { level: "warn", package: "mcp", error: errorClass(thrown) } as const;
    contract.settings.log(fields, "A person could not be asked about a call");
    return undefined;
  }
}

function questionOf({ tool, reasons, arguments: args }: AskRequest): Message | undefined {
  const shown = JSON.stringify(args, undefined, 2) ?? "none";
  if (shown.length > MAX_SHOWN) return undefined;
  const why = reasons.map((reason) => `\u2022 ${reason.why}`).join("\n");
  const agree = {
    type: "boolean",
    title: "Run it once",
    description: `Run '${tool}' once, with these arguments`,
  };
  return {
    message: `Tool '${tool}' has not run: a person must agree first.\n\n${why}\n\nArguments: ${shown}`,
    requestedSchema: { type: "object", properties: { agree }, required: ["agree"] },
  };
}

/** A client that accepts without an answer has asked nobody. */
function hasAgreed(answer: unknown): boolean {
  if (!isRecord(answer) || answer["action"] !== "accept") return false;
  return isRecord(answer["content"]) && answer["content"]["agree"] === true;
}
