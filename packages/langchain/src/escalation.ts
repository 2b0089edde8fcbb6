import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { type Escalation, FORMAT_VERSION, type SerializedEscalation } from "@toolcontract/core";
import type { Lane } from "@toolcontract/core/stage";
import { createEscalation, isRecord, noteGivenUp } from "@toolcontract/core/adapter";
import { type HistoryAgent, readEscalation, readRejection, toEscalation } from "./history.ts";
import { unreadTextOf } from "./call-text.ts";
import { callingMessageOf } from "./messages.ts";

/** The state of an agent or graph, or its messages. */
export type MessagesOrState =
  | readonly BaseMessage[]
  | { readonly messages: readonly BaseMessage[] };

/** The fields from which an escalation is restored. */
type KeptEscalation = Pick<
  SerializedEscalation,
  "toolCallId" | "toolName" | "attempts" | "maxAttempts" | "history" | "correlationId" | "outcome"
> & {
  /** Absent in what an older version has kept. */
  readonly lane?: Lane;
};

/**
 * Returns the latest escalation since the last user message, or undefined.
 *
 * @example
 * ```ts
 * const state = await agent.invoke({ messages: [] });
 * console.warn(escalationOf(state)?.summary);
 * ```
 * @see packages/langchain/README.md
 */
export function escalationOf(state: MessagesOrState): Escalation | undefined {
  const messages = "messages" in state ? state.messages : state;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message === undefined || HumanMessage.isInstance(message)) return undefined;
    const found = escalationIn(message);
    if (found) return restore(found, messages.slice(0, index));
  }
  return undefined;
}

/** The escalations of the last turn, one for each call that blocked its tool. */
export function freshEscalations(
  messages: readonly BaseMessage[],
  agent?: HistoryAgent,
): readonly Escalation[] {
  return lastAnswers(messages, agent)
    .filter((answer) => readRejection(answer)?.settled !== true)
    .flatMap((answer) => escalationIn(answer) ?? [])
    .map((escalation) => restore(escalation, messages));
}

/** Whether the model's last turn only called tools that were blocked before. */
export function isStuck(messages: readonly BaseMessage[], agent?: HistoryAgent): boolean {
  const answers = lastAnswers(messages, agent);
  return answers.length > 0 && answers.every((one) => readRejection(one)?.settled === true);
}

/** The message that ends a run in place of the model's: a summary for people, typed metadata for programs. */
export function escalationMessage(escalations: readonly Escalation[]): AIMessage {
  const content = escalations.map(({ summary }) => summary).join("\n\n");
  if (escalations.length > 1) noteGivenUp(content, escalations);
  return new AIMessage({
    content,
    response_metadata: {
      toolcontract: {
        formatVersion: FORMAT_VERSION,
        status: "blocked",
        escalations: escalations.map((escalation) => escalation.toJSON()),
      },
    },
  });
}

/** Whether a message is one that ended a run in place of the model's. */
export function isEscalationMessage({ response_metadata }: AIMessage): boolean {
  const ours: unknown = isRecord(response_metadata) && response_metadata["toolcontract"];
  return isRecord(ours) && ours["status"] === "blocked";
}

/** The tool messages at the end of the conversation, which answer the last turn; none if that is another agent's. */
function lastAnswers(
  messages: readonly BaseMessage[],
  agent: HistoryAgent | undefined,
): readonly ToolMessage[] {
  const answers: ToolMessage[] = [];
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (AIMessage.isInstance(message) && agent && message.name !== agent.name) return [];
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
  return readEscalation(message) ?? escalationInText(message);
}

/** Reads the message's text, because other middleware may have rewritten it and dropped the artifact. */
function escalationInText(message: ToolMessage): KeptEscalation | undefined {
  const parsed = readRejection(message);
  if (parsed?.status !== "blocked") return undefined;
  const { lane, toolName, attempt: attempts, maxAttempts } = parsed;
  return { lane, toolCallId: message.tool_call_id, toolName, attempts, maxAttempts, history: [] };
}

/** Restores an escalation; the arguments come from the model's message. */
function restore(kept: KeptEscalation, messages: readonly BaseMessage[]): Escalation {
  const { toolCallId: id, toolName, attempts, maxAttempts, correlationId, lane, outcome } = kept;
  const calling = callingMessageOf({ id }, messages)?.message;
  const calls = (calling?.tool_calls ?? []).filter((one) => one.id === id);
  const call = calls.find(({ name }) => name === toolName) ?? calls[0];
  const args: unknown = call && (unreadTextOf(call, calling) ?? call.args);
  return createEscalation({
    toolName,
    attempts,
    maxAttempts,
    toolCall: { id, name: toolName, arguments: args },
    history: kept.history.map((record) => ({ ...record, argumentsHash: "" })),
    ...(correlationId !== undefined && { correlationId }),
    ...(lane !== undefined && { lane }),
    ...(outcome && { outcome }),
  });
}
