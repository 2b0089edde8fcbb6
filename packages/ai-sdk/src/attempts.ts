import {
  type AttemptCount,
  type AttemptScope,
  type ModelTurn,
  type ResultMarker,
  type ToolResult,
  type TurnCall,
  type TurnResult,
  countAttempts,
  resultMarker,
} from "@toolcontract/core";
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from "ai";
import { createRecentMap } from "@toolcontract/core/adapter";

type Messages = readonly ModelMessage[];

/** Counts failed attempts from messages and keeps nothing itself. */
export interface AttemptCounter {
  /** The failed attempts of a tool. */
  readonly count: (messages: Messages, toolName: string) => AttemptCount;
  /** The tools whose attempts are spent. */
  readonly blockedIn: (messages: Messages) => ReadonlySet<string>;
  /** Notes of what history a step's messages are left: the user's own prepareStep may prune it. */
  readonly notePruned: (sent: Messages, whole: Messages) => void;
}

/** What counting needs to know of the tool set. */
export interface CounterParts {
  readonly scope: AttemptScope;
  readonly toolNames: readonly string[];
  readonly markerOf: RecentCalls["markerOf"];
}

/** Makes the counter of one guarded tool set. */
export function createAttemptCounter({ scope, toolNames, markerOf }: CounterParts): AttemptCounter {
  const declaredTools = new Set(toolNames);
  // Held only as long as the SDK holds the messages.
  const wholeOf = new WeakMap<Messages, Messages>();
  const known = new WeakMap<
    Messages,
    { readonly length: number; readonly turns: readonly ModelTurn[] }
  >();
  // All calls of a step are handed the same list.
  const turnsOf = (messages: Messages): readonly ModelTurn[] => {
    const whole = wholeOf.get(messages) ?? messages;
    const read = known.get(whole);
    if (read?.length === whole.length) return read.turns;
    const turns = turnsFromMessages(whole, markerOf);
    known.set(whole, { length: whole.length, turns });
    return turns;
  };
  const count = (turns: readonly ModelTurn[], name: string): AttemptCount =>
    countAttempts(turns, name, scope, { declaredTools });
  return {
    count: (messages, toolName) => count(turnsOf(messages), toolName),
    blockedIn(messages) {
      const turns = turnsOf(messages);
      const called = new Set(turns.flatMap(({ calls }) => calls.map(({ name }) => name)));
      return new Set([...called].filter((name) => count(turns, name).blocked));
    },
    notePruned(sent, whole) {
      if (whole.length > sent.length) wholeOf.set(sent, whole);
    },
  };
}

type MarkerOf = (toolCallId: string, content: string) => ResultMarker | undefined;
type ResultPart = Extract<ToolModelMessage["content"][number], { readonly type: "tool-result" }>;

interface OpenTurn extends ModelTurn {
  readonly results: TurnResult[];
}

/**
 * Reads the model's turns from messages, oldest first, so that countAttempts can count them.
 *
 * @remarks A result belongs to the turn of its call wherever it stands: approvals and clients answer late.
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

function callsOf({ content }: AssistantModelMessage): readonly TurnCall[] {
  if (typeof content === "string") return [];
  return content.flatMap((part) =>
    part.type === "tool-call" && part.providerExecuted !== true
      ? [{ id: part.toolCallId, name: part.toolName, arguments: part.input }]
      : [],
  );
}

function toResult({ toolCallId, output }: ResultPart, markerOf: MarkerOf): TurnResult {
  // Every other kind of error is one of the tool itself: its arguments were valid.
  if (output.type !== "error-text") return { toolCallId, isError: false };
  const marker = markerOf(toolCallId, output.value);
  return { toolCallId, isError: true, content: output.value, ...(marker && { marker }) };
}

// Of the whole module, because several guarded sets may share one contract.
const ids = new WeakMap<object, string>();
let last = 0;

/** Begins a model turn that is sent one of these lists of messages, also where an earlier turn was sent the same. */
export function beginTurn(...messages: readonly object[]): string {
  last += 1;
  const id = `turn ${last}`;
  for (const list of messages) ids.set(list, id);
  return id;
}

/** Names a model turn by the messages before it: the SDK hands the same list to all calls of one step. */
export function turnIdOf(messages: object): string {
  return ids.get(messages) ?? beginTurn(messages);
}

const LIMIT = 1_000;

/** What this process still knows of calls that it decided on; a history alone is enough without it. */
export interface RecentCalls {
  /** Notes a rejection: the history replays malformed arguments as `{}`, and this tells repeated ones apart. */
  reject(result: ToolResult): void;
  /** The marker of a rejection whose text the history shows unchanged. */
  readonly markerOf: (toolCallId: string, content: string) => ResultMarker | undefined;
  /** Notes a call that was admitted with repaired arguments, so that it is not counted again when it runs. */
  admit(toolCallId: string): void;
  /** Tells whether the call was admitted already, and forgets it. */
  takeAdmitted(toolCallId: string): boolean;
}

/** Makes a bounded memory of calls. */
export function createRecentCalls(): RecentCalls {
  const rejected = createRecentMap<string, ToolResult>(LIMIT);
  const admitted = createRecentMap<string, true>(LIMIT);
  return {
    reject: (result) => rejected.set(result.toolCallId, result),
    markerOf(toolCallId, content) {
      const result = rejected.get(toolCallId);
      return result?.content === content ? resultMarker(result) : undefined;
    },
    admit: (toolCallId) => admitted.set(toolCallId, true),
    takeAdmitted: (toolCallId) => admitted.take(toolCallId) === true,
  };
}
