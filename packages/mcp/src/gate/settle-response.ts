import type { ValidArguments } from "@toolcontract/core";
import { holdsExactNumbers, isRecord, type Message, type ServerResponse } from "../wire/index.ts";
import { toResponse } from "./answer.ts";
import { countCall, type ValidatedCall } from "./call.ts";
import type { GateServices } from "./options.ts";
import { readRejection } from "./upstream-rejection.ts";

/** A forwarded request whose response the gate needs to see. */
export type Pending =
  /** A page of tools, with the list's state when it was requested. */
  | { readonly kind: "list"; readonly cursor: string | undefined; readonly state: number }
  /** An invalid call that the server may accept. */
  | { readonly kind: "invalid"; readonly call: ValidatedCall; readonly isSoft: boolean }
  /** A valid call with warnings for the model. */
  | { readonly kind: "noted"; readonly note: Promise<string> };

/**
 * Counts an invalid call by the server's response to it. A rejection is rewritten in the contract's words; a success
 * shows that the server accepts such arguments.
 *
 * @remarks A soft call that failed for another reason did run. Its error is passed on unchanged, because asking for
 * corrected arguments would make the model run it twice.
 */
export async function settleInvalid(
  response: ServerResponse,
  { call: validated, isSoft }: Extract<Pending, { readonly kind: "invalid" }>,
  services: GateServices,
): Promise<Message | undefined> {
  const { call, tool, checked } = validated;
  const faults = checked?.errors.map(({ fieldPath }) => fieldPath) ?? [];
  const rejection = readRejection(response, { name: call.name, faults });
  if (rejection === undefined || (isSoft && rejection.extra.length > 0)) {
    const isAccepted = response.kind === "result" && response.result["isError"] !== true;
    if (isAccepted && tool) await countCall(validated, acceptedArguments(validated), services);
    return undefined;
  }
  const answer = await countCall(validated, checked, services);
  if (answer.status === "admitted" || services.settings.mode === "audit") return undefined;
  if (answer.status === "blocked" && services.settings.onExhausted === "forward") return undefined;
  const isTask = call.isTask && response.kind === "error";
  return withServerMeta(toResponse({ ...call, isTask }, answer, rejection.extra), response);
}

/** Appends the contract's note to a successful result; undefined if the result cannot take one. */
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

function acceptedArguments({ call, checked }: ValidatedCall): ValidArguments {
  const { arguments: input } = call;
  const advisories = checked?.advisories ?? [];
  return { status: "valid", input, output: input, advisories, repairs: [] };
}

/** Keeps the `_meta` that the server sent. */
export function withServerMeta(answer: Message, response: ServerResponse): Message {
  const { result } = answer;
  const theirs = response.kind === "result" ? response.result["_meta"] : undefined;
  if (!isRecord(result) || !isRecord(theirs)) return answer;
  const own = result["_meta"];
  return { ...answer, result: { ...result, _meta: { ...theirs, ...(isRecord(own) && own) } } };
}
