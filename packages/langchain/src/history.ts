import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import {
  type CallFailedError,
  FORMAT_VERSION,
  type ParsedRejection,
  parseRejection,
  type Refused,
  type ResultMarker,
  resultMarker,
  type SerializedEscalation,
  type TurnCall,
  type TurnResult,
} from "@toolcontract/core";
import { isRecord, readResultMarker } from "@toolcontract/core/adapter";
import { unreadTextOf } from "./call-text.ts";
import { type HistoryTurn, keptTurns } from "./kept-turns.ts";
import { type NativeCall, textOfMessage } from "./messages.ts";

/** The call that is answered, and its tool if it exists. */
interface CallOfTool {
  readonly call: NativeCall;
  readonly tool?: unknown;
}

/** Creates the message that answers a rejected or blocked call. */
export function rejectionMessage(
  { call: { id, name }, tool }: CallOfTool,
  answer: Refused,
): ToolMessage {
  const returnDirect = isRecord(tool) && tool["returnDirect"] === true;
  const artifact = toArtifact(answer);
  return new ToolMessage({
    status: "error",
    // Graphs (and older versions of createAgent) end the run on any message named after a tool with returnDirect.
    ...(!returnDirect && { name }),
    tool_call_id: id ?? "",
    content: answer.result.content,
    artifact,
    // Middleware that edits the context writes another text and drops the artifact, and keeps this.
    response_metadata: { ...artifact },
  });
}

/** Creates the message about a tool that ran and failed, as a stage reported it. */
export function messageOfFailure(
  { id, name }: NativeCall,
  { message }: CallFailedError,
): ToolMessage {
  return new ToolMessage({ status: "error", name, tool_call_id: id ?? "", content: message });
}

/** The artifact of an answer. It stays in the history, and the model never sees it. */
interface RejectionArtifact {
  readonly toolcontract: ResultMarker & { readonly escalation?: SerializedEscalation };
}

/** Creates the artifact: plain data, so that every checkpointer can store it. */
function toArtifact(answer: Refused): RejectionArtifact {
  const marker = resultMarker(answer.result);
  if (answer.status !== "blocked") return { toolcontract: marker };
  return { toolcontract: { ...marker, escalation: answer.escalation.toJSON() } };
}

// Core recognises what it has counted by the list of calls and the marker, so each is read once.
const markersRead = new WeakMap<object, { readonly marker: ResultMarker | undefined }>();
const callsRead = new WeakMap<object, readonly TurnCall[]>();

/** What the contract keeps with a tool's message, of any origin; undefined if it keeps nothing. */
function keptWith({
  artifact,
  response_metadata,
}: Pick<ToolMessage, "artifact" | "response_metadata">): unknown {
  const holders: readonly unknown[] = [artifact, response_metadata];
  return holders.map((holder) => isRecord(holder) && holder["toolcontract"]).find(isRecord);
}

/** Reads the marker from what is kept with a message. */
function readMarker(ours: unknown): ResultMarker | undefined {
  if (!isRecord(ours)) return undefined;
  const read = markersRead.get(ours) ?? { marker: readResultMarker(ours) };
  markersRead.set(ours, read);
  return read.marker;
}

/** Reads the escalation that is kept with a tool's message. */
export function readEscalation(message: ToolMessage): SerializedEscalation | undefined {
  const ours = keptWith(message);
  return isRecord(ours) ? toEscalation(ours["escalation"]) : undefined;
}

/** Returns the value as an escalation if it has the fields that are read. */
export function toEscalation(value: unknown): SerializedEscalation | undefined {
  if (!isRecord(value) || value["status"] !== "blocked") return undefined;
  const texts = ["toolName", "toolCallId", "summary"].map((name) => value[name]);
  if (!texts.every((text) => typeof text === "string")) return undefined;
  if (typeof value["attempts"] !== "number" || !Array.isArray(value["history"])) return undefined;
  return value as unknown as SerializedEscalation;
}

/** Parses a tool message as an answer of the contract; undefined for a tool's own reply, whatever it says. */
export function readRejection(message: ToolMessage): ParsedRejection | undefined {
  const isExecuted =
    message.status === "success" || readMarker(keptWith(message))?.status === "executed";
  return isExecuted ? undefined : parseRejection(textOfMessage(message));
}

const EXECUTED = { formatVersion: FORMAT_VERSION, status: "executed" } as const;

/**
 * Marks a tool's reply that reads like an answer of the contract, such as a log that quotes one, so that it does not
 * count as a failed attempt or end the run. Other messages stay as they are.
 */
export function markExecuted(reply: unknown): void {
  for (const message of messagesOfUpdate(reply)) {
    if (!ToolMessage.isInstance(message) || readRejection(message) === undefined) continue;
    const given: unknown = message.artifact;
    if (readMarker(keptWith(message)) !== undefined || (given !== undefined && !isRecord(given)))
      continue;
    const artifact = { ...given, toolcontract: EXECUTED };
    // Does nothing if the message is frozen.
    Reflect.set(message, "artifact", artifact);
    Reflect.set(message.lc_kwargs, "artifact", artifact);
  }
}

/** The messages of a reply, which may be a Command that updates them. */
function messagesOfUpdate(reply: unknown): readonly unknown[] {
  const update = isRecord(reply) ? reply["update"] : undefined;
  const messages = isRecord(update) ? update["messages"] : undefined;
  return Array.isArray(messages) ? messages : [reply];
}

interface OpenTurn extends HistoryTurn {
  readonly results: TurnResult[];
}

/** An agent among those that share a history. */
export interface HistoryAgent {
  /** What `createAgent` and `createReactAgent` write into the agent's messages; undefined if it has no name. */
  readonly name?: string | undefined;
}

/**
 * Reads the model's turns from messages, oldest first, as `countAttempts` takes them.
 *
 * @param agent - The agent whose turns they are; those of all agents if it is not known.
 */
export function turnsFromMessages(
  messages: readonly BaseMessage[],
  agent?: HistoryAgent,
): readonly HistoryTurn[] {
  const turns: OpenTurn[] = [];
  const turnOf = new Map<string, OpenTurn>();
  let afterUserMessage = false;
  let afterOther = false;
  const add = (turn: OpenTurn): void => {
    turns.push(turn);
    for (const { id } of turn.calls) turnOf.set(id, turn);
  };
  for (const message of messages) {
    if (HumanMessage.isInstance(message) && !isSummary(message)) afterUserMessage = true;
    if (AIMessage.isInstance(message)) {
      afterOther = agent !== undefined && message.name !== agent.name;
      if (afterOther) continue;
      for (const kept of keptTurns(message, turns)) add(kept);
      add({ calls: callsOf(message), results: [], afterUserMessage, messageId: message.id });
      afterUserMessage = false;
    }
    if (ToolMessage.isInstance(message))
      turnOf.get(message.tool_call_id)?.results.push(resultOfMessage(message));
  }
  // What the agent did last is over if another one has spoken since.
  const isOver = afterUserMessage || (afterOther && turns.length > 0);
  return isOver ? [...turns, { calls: [], results: [], afterUserMessage }] : turns;
}

/** Whether middleware wrote the message in place of those that it removed. */
function isSummary({ additional_kwargs }: HumanMessage): boolean {
  return additional_kwargs["lc_source"] === "summarization";
}

function callsOf(message: AIMessage): readonly TurnCall[] {
  const sent = message.tool_calls ?? [];
  const read = callsRead.get(sent);
  if (read) return read;
  const calls = sent.map((call) => {
    const { id = "", name, args } = call;
    return { id, name, arguments: unreadTextOf(call, message) ?? args };
  });
  callsRead.set(sent, calls);
  return calls;
}

function resultOfMessage(message: ToolMessage): TurnResult {
  const marker = readMarker(keptWith(message));
  return {
    toolCallId: message.tool_call_id,
    // Middleware that rewrites a message may drop its status; then the text decides.
    isError: message.status !== "success",
    content: textOfMessage(message),
    ...(marker && { marker }),
  };
}
