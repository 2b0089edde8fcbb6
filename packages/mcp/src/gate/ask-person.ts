import type { AskRequest } from "@toolcontract/core";
import { errorClass } from "@toolcontract/core/adapter";
import { isRecord, type Message } from "../wire/index.ts";
import type { CallInGate } from "./call.ts";
import { type CarriedQuestion, carryQuestion } from "./carried-question.ts";
import type { GateServices } from "./options.ts";

/** Longer arguments are not shown: nobody could say what a person has agreed to. */
const MAX_SHOWN = 4_000;

/** What came of asking: a grant, or an answer to the call with which the client asks the person. */
export type Asking = { readonly grant: string } | { readonly question: Message };

/**
 * Asks the person at the client about a call, by elicitation; returns undefined if they do not agree or cannot be asked.
 *
 * @param carried - The question that the call answers, if it does.
 * @throws The reason of the signal if the call is cancelled meanwhile.
 */
export async function askClient(
  request: AskRequest,
  { call, link, flight }: CallInGate,
  services: GateServices,
  carried?: CarriedQuestion,
): Promise<Asking | undefined> {
  const params = services.grantFor && !call.isTask ? questionOf(request) : undefined;
  if (params === undefined) return undefined;
  if (carried && isAbout(carried.request, request)) {
    return agreed(carried.answer, carried.request, services);
  }
  const question = carryQuestion(call, request, params, carried);
  if (question) return { question };
  const signal = flight.signal();
  const asking = link.elicit?.(params, call.message, signal);
  if (asking === undefined) return undefined;
  try {
    return await agreed(await asking, request, services);
  } catch (thrown) {
    signal.throwIfAborted();
    reportFailed(thrown, services);
    return undefined;
  }
}

/** Whether a question that a client brings back is about this call; its seal is checked when it is granted. */
function isAbout(carried: unknown, { tool, digest, reasons }: AskRequest): carried is AskRequest {
  return (
    isRecord(carried) &&
    carried["tool"] === tool &&
    carried["digest"] === digest &&
    JSON.stringify(carried["reasons"]) === JSON.stringify(reasons)
  );
}

async function agreed(
  answer: unknown,
  request: AskRequest,
  services: GateServices,
): Promise<Asking | undefined> {
  if (!hasAgreed(answer)) return undefined;
  try {
    const grant: unknown = await services.grantFor?.(request);
    return typeof grant === "string" ? { grant } : undefined;
  } catch (thrown) {
    reportFailed(thrown, services);
    return undefined;
  }
}

function reportFailed(thrown: unknown, { contract }: GateServices): void {
  const fields = { level: "warn", package: "mcp", error: errorClass(thrown) } as const;
  contract.settings.log(fields, "A person could not be asked about a call");
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
