import { type AIMessage, type BaseMessage, isAIMessage } from "@langchain/core/messages";

interface ToolAnswer extends BaseMessage {
  readonly tool_call_id: string;
}

/**
 * The messages with other ids for earlier calls whose ids the last message of the model uses again; the same array if there are none.
 *
 * @remarks Some models number their calls anew in each message. `ToolNode` takes such a call for answered, and runs nothing.
 */
export function withOldIdsRenamed(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  const last = messages.findLastIndex(isAIMessage);
  const calls = (messages[last] as AIMessage | undefined)?.tool_calls ?? [];
  const before = messages.slice(0, Math.max(last, 0));
  const answered = new Set(before.filter(isAnswer).map((answer) => answer.tool_call_id));
  const again = new Set(calls.map(({ id }) => id).filter((id) => id && answered.has(id)));
  if (again.size === 0) return messages;
  let turn = 0;
  const rename = <TId extends string | undefined>(id: TId): string | TId =>
    again.has(id) ? `${id} of message ${turn}` : id;
  const renamed = before.map((message, index) => {
    if (isAnswer(message)) return copyWith(message, { tool_call_id: rename(message.tool_call_id) });
    if (!isAIMessage(message)) return message;
    turn = index;
    const tool_calls = message.tool_calls?.map((call) => ({ ...call, id: rename(call.id) }));
    return copyWith(message, { tool_calls });
  });
  return [...renamed, ...messages.slice(last)];
}

function isAnswer(message: BaseMessage): message is ToolAnswer {
  return message.getType() === "tool";
}

function copyWith(message: BaseMessage, fields: object): BaseMessage {
  const copy = Object.create(Object.getPrototypeOf(message) as object) as BaseMessage;
  return Object.assign(copy, message, fields);
}
