import type { ValidArguments } from "@toolcontract/core";
import { toResponse } from "./answer.ts";
import { holdsExactNumbers } from "./exact-numbers.ts";
import type { GateServices } from "./gate-services.ts";
import { countCall, type JudgedCall } from "./judged-call.ts";
import type { Message } from "./link.ts";
import { isRecord } from "./record.ts";
import type { Pending } from "./link-state.ts";
import type { ServerResponse } from "./server-response.ts";
import { readRejection } from "./upstream-rejection.ts";

/**
 * Judges an invalid call by what the server made of it: its refusal is put in the contract's words, and a success
 * shows that the server takes such arguments.
 *
 * @remarks A soft call that fails for another reason has run: nothing was wrong with it, and it must not be made again
 * because of us.
 */
export async function settleInvalid(
  response: ServerResponse,
  { judged, isSoft }: Extract<Pending, { readonly kind: "invalid" }>,
  services: GateServices,
): Promise<Message | undefined> {
  const { call, tool, checked } = judged;
  const rejection = readRejection(response);
  if (rejection === undefined || (isSoft && rejection.own.length > 0)) {
    const isTaken = response.kind === "result" && response.result["isError"] !== true;
    if (isTaken && tool) await countCall(judged, takenArguments(judged), services);
    return undefined;
  }
  const answer = await countCall(judged, checked, services);
  if (answer.status === "admitted" || services.settings.mode === "audit") return undefined;
  if (answer.status === "blocked" && services.settings.onExhausted === "forward") return undefined;
  const isTask = call.isTask && response.kind === "error";
  return withUpstream(toResponse({ ...call, isTask }, answer, rejection.own), response);
}

/** Adds the contract's note to a successful result. */
export function addNote(
  message: Message,
  response: ServerResponse,
  note: string,
): Message | undefined {
  if (note === "" || response.kind !== "result") return undefined;
  const { result } = response;
  const { content, isError, resultType = "complete" } = result;
  if (!Array.isArray(content) || isError === true || resultType !== "complete") return undefined;
  if (!holdsExactNumbers(result)) return undefined;
  const noted = [...(content as readonly unknown[]), { type: "text", text: note }];
  return { ...message, result: { ...result, content: noted } };
}

function takenArguments({ call, checked }: JudgedCall): ValidArguments {
  const { arguments: input } = call;
  const advisories = checked?.advisories ?? [];
  return { status: "valid", input, output: input, advisories, repairs: [] };
}

/** What the server says of itself stays. */
function withUpstream(answer: Message, response: ServerResponse): Message {
  const { result } = answer;
  const theirs = response.kind === "result" ? response.result["_meta"] : undefined;
  if (!isRecord(result) || !isRecord(theirs)) return answer;
  return { ...answer, result: { ...result, _meta: { ...theirs, ...(result["_meta"] as object) } } };
}
