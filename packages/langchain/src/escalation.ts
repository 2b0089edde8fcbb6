import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { type Escalation, FORMAT_VERSION, type SerializedEscalation } from "@toolcontract/core";
import { createEscalation, isRecord } from "@toolcontract/core/adapter";
import { readEscalation, readRejection, toEscalation } from "./history.ts";
import { callingMessageOf, unreadTextOf } from "./messages.ts";

/** A state with messages, as agents and graphs return it, or the messages themselves. */
export type MessagesOrState =
  | readonly BaseMessage[]
  | { readonly messages: readonly BaseMessage[] };

/** What an escalation is made of again. */
type KeptEscalation = Pick<
  SerializedEscalation,
  "toolCallId" | "toolName" | "attempts" | "maxAttempts" | "history" | "correlationId"
>;

/** The latest escalation since the last message of the user, if there is one. */
export function escalationOf(state: MessagesOrState): Escalation | undefined {
  const messages = "messages" in state ? state.messages : state;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message === undefined || HumanMessage.isInstance(message)) return undefined;
    const found = escalationIn(message);
    if (found) return restore(found, messages);
  }
  return undefined;
}

/** The escalations of the turn that was answered last, one for each call that was blocked in it. */
export function freshEscalations(messages: readonly BaseMessage[]): readonly Escalation[] {
  return lastAnswers(messages)
    .filter((answer) => readRejection(answer)?.settled !== true)
    .flatMap((answer) => escalationIn(answer) ?? [])
    .map((escalation) => restore(escalation, messages));
}

/** Tells whether the model did nothing in its last turn but call tools that were blocked before. */
export function isStuck(messages: readonly BaseMessage[]): boolean {
  const answers = lastAnswers(messages);
  return answers.length > 0 && answers.every((one) => readRejection(one)?.settled === true);
}

/** The answers to the last turn, where the conversation ends with them. */
function lastAnswers(messages: readonly BaseMessage[]): readonly ToolMessage[] {
  const answers: ToolMessage[] = [];
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (AIMessage.isInstance(message) || HumanMessage.isInstance(message)) break;
    if (ToolMessage.isInstance(message)) answers.unshift(message);
  }
  return answers;
}

function escalationIn(message: BaseMessage): KeptEscalation | undefined {
  if (AIMessage.isInstance(message)) {
    const ours: unknown = message.response_metadata["toolcontract"];
    const list: unknown = isRecord(ours) ? ours["escalations"] : undefined;
    return Array.isArray(list) ? toEscalation(list.at(-1)) : undefined;
  }
  if (!ToolMessage.isInstance(message)) return undefined;
  return readEscalation(message.artifact) ?? fromText(message);
}

/** Other middleware may have rewritten the message and dropped what it kept. */
function fromText(message: ToolMessage): KeptEscalation | undefined {
  const parsed = readRejection(message);
  if (parsed?.status !== "blocked") return undefined;
  const { toolName, attempt: attempts, maxAttempts } = parsed;
  return { toolCallId: message.tool_call_id, toolName, attempts, maxAttempts, history: [] };
}

/** What was kept as data, with the arguments that the model's message still has. */
function restore(kept: KeptEscalation, messages: readonly BaseMessage[]): Escalation {
  const { toolCallId: id, toolName, attempts, maxAttempts, correlationId } = kept;
  const calling = callingMessageOf({ id }, messages)?.message;
  const call = calling?.tool_calls?.find((one) => one.id === id);
  const args: unknown = call && (unreadTextOf(call, calling) ?? call.args);
  return createEscalation({
    toolName,
    attempts,
    maxAttempts,
    toolCall: { id, name: toolName, arguments: args },
    history: kept.history.map((record) => ({ ...record, argumentsHash: "" })),
    ...(correlationId !== undefined && { correlationId }),
  });
}

/** The message that ends a run in the model's place: for people to read, and typed for programs. */
export function escalationMessage(escalations: readonly Escalation[]): AIMessage {
  return new AIMessage({
    content: escalations.map(({ summary }) => summary).join("\n\n"),
    response_metadata: {
      toolcontract: {
        formatVersion: FORMAT_VERSION,
        status: "blocked",
        escalations: escalations.map((escalation) => escalation.toJSON()),
      },
    },
  });
}
