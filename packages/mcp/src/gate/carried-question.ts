import type { AskRequest } from "@toolcontract/core";
import {
  canElicit,
  holdsExactNumbers,
  isRecord,
  type Message,
  metaOf,
  parseMessage,
} from "../wire/index.ts";
import type { ToolCallRequest } from "./call.ts";

const KEY = "toolcontract";
const STATE = /^toolcontract\.([\w-]+)$/;
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** A call that a client repeats with a person's answer to what its first answer asked. */
export interface CarriedQuestion {
  /** What the client says was asked. Its seal proves it. */
  readonly request: unknown;
  /** What the person has answered, by the client's word. */
  readonly answer: unknown;
  /** The call as the server gets it: without question and answer, and with the server's own. */
  readonly message: Message & { readonly params: Message };
}

/**
 * The answer to a call that carries a question to the person at the client, as the stateless protocol has it: the client
 * repeats the call with what they said. Nothing is kept here, so any process may get the repeated call.
 *
 * @param carried - The question that the call answers, if it does.
 * @returns Undefined if the client cannot ask, or the call could not be written anew exactly.
 */
export function carryQuestion(
  { id, isModern, message }: ToolCallRequest,
  request: AskRequest,
  params: Message,
  carried: CarriedQuestion | undefined,
): Message | undefined {
  const sent = message["params"] as Message;
  if (!isModern || !canElicit(metaOf(message)?.[CAPABILITIES]) || !holdsExactNumbers(sent)) {
    return undefined;
  }
  const { inputResponses, requestState } = carried?.message.params ?? sent;
  const state = JSON.stringify({ request, own: { inputResponses, requestState } });
  const result = {
    resultType: "input_required",
    inputRequests: { [KEY]: { method: "elicitation/create", params: { mode: "form", ...params } } },
    requestState: `${KEY}.${Buffer.from(state).toString("base64url")}`,
  };
  return { jsonrpc: "2.0", id, result };
}

/** Reads a call that may carry an answer to a question of ours; undefined if it carries none. */
export function readCarried(message: Message): CarriedQuestion | undefined {
  const params = message["params"] as Message;
  const { requestState, inputResponses, ...rest } = params;
  const text = typeof requestState === "string" ? STATE.exec(requestState)?.[1] : undefined;
  if (text === undefined) return undefined;
  // A client may send anything.
  const { request, own } = parseMessage(Buffer.from(text, "base64url")) ?? {};
  const answer = isRecord(inputResponses) ? inputResponses[KEY] : undefined;
  return {
    request,
    answer,
    message: { ...message, params: { ...rest, ...(isRecord(own) && serversOf(own)) } },
  };
}

/** What the server had asked the client itself, before this question. */
function serversOf({ inputResponses, requestState }: Message): Message {
  return {
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  };
}
