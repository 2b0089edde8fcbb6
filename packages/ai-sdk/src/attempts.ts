import {
  type Admitted,
  type AttemptCount,
  type AttemptScope,
  countAttempts,
  type ModelTurn,
  resultMarker,
  type ResultMarker,
  type ToolResult,
  type TurnCall,
  type TurnResult,
} from "@toolcontract/core";
import { createRecentMap, isToolClosed } from "@toolcontract/core/adapter";
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from "ai";

type Messages = readonly ModelMessage[];
type ResultPart = Extract<ToolModelMessage["content"][number], { readonly type: "tool-result" }>;
type MarkerOf = (toolCallId: string, content: string) => ResultMarker | undefined;

/** Counts failed attempts from the messages; stores no count. */
export interface AttemptCounter {
  /** The failed attempts of a tool. */
  readonly count: (messages: Messages, toolName: string) => AttemptCount;
  /** The tools that have no attempts left. */
  readonly blockedIn: (messages: Messages) => ReadonlySet<string>;
  /** Remembers the full history behind the messages of a step: the user's prepareStep may prune them. */
  readonly notePruned: (sent: Messages, whole: Messages) => void;
}

/** What the counter needs to know about the tool set. */
export interface CounterParts {
  readonly scope: AttemptScope;
  readonly toolNames: readonly string[];
  readonly markerOf: RecentCalls["markerOf"];
}

/** Creates the counter of one guarded tool set. */
export function createAttemptCounter({ scope, toolNames, markerOf }: CounterParts): AttemptCounter {
  const declaredTools = new Set(toolNames);
  const wholeOf = new WeakMap<Messages, Messages>();
  const turnsRead = new WeakMap<
    Messages,
    { readonly length: number; readonly turns: readonly ModelTurn[] }
  >();
  // The SDK passes the same array to every call of a step.
  const turnsOf = (messages: Messages): readonly ModelTurn[] => {
    const whole = wholeOf.get(messages) ?? messages;
    const read = turnsRead.get(whole);
    if (read?.length === whole.length) return read.turns;
    const turns = turnsFromMessages(whole, markerOf);
    turnsRead.set(whole, { length: whole.length, turns });
    return turns;
  };
  const count = (turns: readonly ModelTurn[], name: string): AttemptCount =>
    countAttempts(turns, name, scope, { declaredTools });
  return {
    count: (messages, toolName) => count(turnsOf(messages), toolName),
    blockedIn(messages) {
      const turns = turnsOf(messages);
      const called = new Set(turns.flatMap(({ calls }) => calls.map(({ name }) => name)));
      return new Set([...called].filter((name) => isToolClosed(count(turns, name))));
    },
    notePruned(sent, whole) {
      if (whole.length > sent.length) wholeOf.set(sent, whole);
    },
  };
}

interface OpenTurn extends ModelTurn {
  readonly results: TurnResult[];
}

/**
 * Reads the model's turns from messages, oldest first, for `countAttempts`.
 *
 * @remarks A result belongs to the turn of its call, wherever it is in the history: approvals and clients answer late.
 */
export function turnsFromMessages(
  messages: readonly ModelMessage[],
  markerOf: MarkerOf = () => undefined,
): readonly ModelTurn[] {
  const turns: OpenTurn[] = [];
  const turnOf = new Map<string, OpenTurn>();
  let afterUserMessage = false;
  for (const message of messages) {
    if (message.role === "user") afterUserMessage = true;
    if (message.role === "assistant") {
      const turn = { calls: callsOf(message), results: [], afterUserMessage };
      turns.push(turn);
      for (const { id } of turn.calls) turnOf.set(id, turn);
      afterUserMessage = false;
    }
    if (message.role === "tool") {
      for (const part of message.content) {
        if (part.type !== "tool-result") continue;
        turnOf.get(part.toolCallId)?.results.push(toResult(part, markerOf));
      }
    }
  }
  return afterUserMessage ? [...turns, { calls: [], results: [], afterUserMessage }] : turns;
}

// Core recognises the calls that it has counted by their list, and the SDK keeps the content of a message.
const callsRead = new WeakMap<object, readonly TurnCall[]>();

function callsOf({ content }: AssistantModelMessage): readonly TurnCall[] {
  if (typeof content === "string") return [];
  const read = callsRead.get(content);
  if (read) return read;
  const calls = content.flatMap((part) =>
    part.type === "tool-call" && part.providerExecuted !== true
      ? [{ id: part.toolCallId, name: part.toolName, arguments: part.input }]
      : [],
  );
  callsRead.set(content, calls);
  return calls;
}

function toResult({ toolCallId, output }: ResultPart, markerOf: MarkerOf): TurnResult {
  // An error that the contract did not write comes from the tool itself, so its arguments were valid.
  if (output.type === "error-json") return { toolCallId, isError: true };
  if (output.type !== "error-text") return { toolCallId, isError: false };
  const marker = markerOf(toolCallId, output.value);
  return { toolCallId, isError: true, content: output.value, ...(marker && { marker }) };
}

// Module-wide, because several guarded tool sets may share one contract.
const turnIds = new WeakMap<object, string>();
let lastTurn = 0;

/** Starts a new model turn for these message arrays, even if an earlier turn was sent the same ones. */
export function beginTurn(...messages: readonly object[]): string {
  lastTurn += 1;
  const id = `turn ${lastTurn}`;
  for (const list of messages) turnIds.set(list, id);
  return id;
}

/** The id of the model turn that was sent these messages: the SDK passes the same array to every call of a step. */
export function turnIdOf(messages: object): string {
  return turnIds.get(messages) ?? beginTurn(messages);
}

const MAX_RECENT_CALLS = 1_000;

/** Recent calls of this process. Counting works from the history alone; this makes it more exact. */
export interface RecentCalls {
  /** Remembers a rejection: the history replays malformed arguments as `{}`, so only its marker tells repeats apart. */
  reject(result: ToolResult): void;
  /** The marker of a rejection, if the history shows its text unchanged. */
  readonly markerOf: MarkerOf;
  /** Remembers a call that was admitted with repaired arguments, so that running it does not count it again. */
  admit(toolCallId: string, admission: Admitted): void;
  /** The admission of a call that was admitted before; forgets it. */
  takeAdmitted(toolCallId: string): Admitted | undefined;
}

/** What is remembered of a rejection: its text, and its marker, which is one object as long as it is remembered. */
interface Rejection {
  readonly content: string;
  readonly marker: ResultMarker;
}

/** Creates a bounded memory of calls. */
export function createRecentCalls(): RecentCalls {
  const rejected = createRecentMap<string, Rejection>(MAX_RECENT_CALLS);
  const admitted = createRecentMap<string, Admitted>(MAX_RECENT_CALLS);
  return {
    reject(result) {
      rejected.set(result.toolCallId, { content: result.content, marker: resultMarker(result) });
    },
    markerOf(toolCallId, content) {
      const rejection = rejected.get(toolCallId);
      return rejection?.content === content ? rejection.marker : undefined;
    },
    admit: (toolCallId, admission) => admitted.set(toolCallId, admission),
    takeAdmitted: (toolCallId) => admitted.take(toolCallId),
  };
}
