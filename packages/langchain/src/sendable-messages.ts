import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import {
  type HistoryDialect,
  isRecord,
  OUTCOME_UNKNOWN,
  repairWith,
} from "@toolcontract/core/adapter";
import { copyToolMessage, type NativeCall } from "./messages.ts";
import { promoteInvalidToolCalls } from "./promote.ts";
import { rewriteMessage } from "./rewrite-message.ts";

/** What the model reads of a call that never runs and has no answer in the history; undefined if nobody knows. */
export type OpenCallText = (call: NativeCall, message: AIMessage) => string | undefined;

/**
 * Makes stored messages those that every provider takes: a refused name, an id of another provider, arguments that are not an object
 * or a call without an answer are otherwise a 400 for every later request. A call without an answer reads that its outcome is unknown.
 *
 * @remarks `toolContractMiddleware` does this for each request. In a graph of your own, call it before the model.
 * @returns The same list if it needs no change.
 * @example
 * ```ts
 * const answer = await model.invoke(repairMessages(state.messages));
 * ```
 * @see packages/langchain/README.md
 */
export function repairMessages(messages: readonly BaseMessage[]): BaseMessage[] {
  return sendableMessages(messages, () => undefined) as BaseMessage[];
}

/** The same, with words for calls whose answer only the contract knows. */
export function sendableMessages(
  messages: readonly BaseMessage[],
  textOf: OpenCallText,
): readonly BaseMessage[] {
  const hasUnread = messages.some(
    (message) => AIMessage.isInstance(message) && (message.invalid_tool_calls ?? []).length > 0,
  );
  const read = hasUnread
    ? messages.map((one) => (AIMessage.isInstance(one) ? promoteInvalidToolCalls(one) : one))
    : messages;
  return repairWith(
    read.every((one, at) => one === messages[at]) ? messages : read,
    dialectOf(textOf),
  );
}

type Json = Readonly<Record<string, unknown>>;

/** The engine knows messages by their members alone. */
function asMessage(message: Json): BaseMessage {
  return message as unknown as BaseMessage;
}

function asJson(value: BaseMessage | NativeCall): Json {
  return value as unknown as Json;
}

function dialectOf(textOf: OpenCallText): HistoryDialect {
  const answersOf = (message: Json): readonly Json[] =>
    ToolMessage.isInstance(message) ? [message] : [];
  return {
    callsOf: (message) =>
      AIMessage.isInstance(message) ? (message.tool_calls ?? []).map(asJson) : [],
    read: ({ id, name, args }) => ({ id, name, args }),
    takes: isRecord,
    write: (call, { id, name, args }) => ({ ...call, id, name, ...(args && { args }) }),
    withCalls(message, calls) {
      const rewritten = calls.map((call, from) => {
        return { from, call: call as unknown as NativeCall & { readonly id: string } };
      });
      return asJson(rewriteMessage(asMessage(message) as AIMessage, rewritten));
    },
    answersOf,
    answeredId: ({ tool_call_id }) => tool_call_id,
    readdress(answer, { id, name }) {
      const message = asMessage(answer) as ToolMessage;
      const isNamed = message.name === undefined || message.name === name;
      if (message.tool_call_id === id && isNamed) return answer;
      const named = message.name === undefined ? {} : { name };
      return asJson(copyToolMessage(message, { tool_call_id: id, ...named }));
    },
    unknown({ id: tool_call_id, name }, message, call) {
      const text = textOf(call as unknown as NativeCall, asMessage(message) as AIMessage);
      const content = text ?? OUTCOME_UNKNOWN;
      return asJson(new ToolMessage({ status: "error", name, tool_call_id, content }));
    },
    rest: (message) => (ToolMessage.isInstance(message) ? undefined : message),
    join: (answers, next) => (next === undefined ? answers : [...answers, next]),
  };
}
