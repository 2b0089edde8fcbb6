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
import { createRecentMap, isToolClosed, UNKNOWN_TOOL } from "@toolcontract/core/adapter";
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from "ai";
import type { Run } from "./runs.ts";
import type { Messages } from "./sdk.ts";

type ResultPart = Extract<ToolModelMessage["content"][number], { readonly type: "tool-result" }>;
type MarkerOf = (toolCallId: string, content: string) => ResultMarker | undefined;

/** Counts failed attempts from the messages; stores no count. */
export interface AttemptCounter {
  /** The failed attempts of a tool. */
  readonly count: (messages: Messages, toolName: string) => AttemptCount;
  /** The failed attempts under names of no tool, or of one that was not offered. */
  readonly countUnknown: (messages: Messages) => AttemptCount;
  /** The tools that have no attempts left. */
  readonly blockedIn: (messages: Messages) => ReadonlySet<string>;
  /** The turns of a conversation, oldest first. */
  readonly turns: (messages: Messages) => readonly ModelTurn[];
  /** Remembers the full history behind the messages of a step: the user's prepareStep may prune them. */
  readonly notePruned: (sent: Messages, whole: Messages) => void;
}

/** What the counter needs to know about the tool set. */
export interface CounterParts {
  readonly scope: AttemptScope;
  readonly toolNames: readonly string[];
  readonly markerOf: RecentCalls["markerOf"];
  readonly isAnnouncement: Announcements["has"];
}

/** Creates the counter of one guarded tool set. */
export function createAttemptCounter({ scope, toolNames, ...facts }: CounterParts): AttemptCounter {
  const declaredTools = new Set(toolNames);
  const wholeOf = new WeakMap<Messages, Messages>();
  const turnsRead = new WeakMap<
    Messages,
    { readonly length: number; readonly turns: readonly ModelTurn[]; readonly names: Names }
  >();
  let reading: HistoryReading | undefined;
  // The SDK passes the same array to every call of a step.
  const readOf = (
    messages: Messages,
  ): { readonly turns: readonly ModelTurn[]; readonly names: Names } => {
    const whole = wholeOf.get(messages) ?? messages;
    const read = turnsRead.get(whole);
    if (read?.length === whole.length) return read;
    reading = readOn(reading, whole, facts);
    const fresh = { length: whole.length, turns: turnsOfReading(reading), names: reading.names };
    turnsRead.set(whole, fresh);
    return fresh;
  };
  const count = (turns: readonly ModelTurn[], name: string): AttemptCount =>
    countAttempts(turns, name, scope, { declaredTools, appendOnly: true });
  return {
    count: (messages, toolName) => count(readOf(messages).turns, toolName),
    countUnknown: (messages) => count(readOf(messages).turns, UNKNOWN_TOOL),
    blockedIn(messages) {
      const { turns, names } = readOf(messages);
      return new Set([...names].filter((name) => isToolClosed(count(turns, name))));
    },
    turns: (messages) => readOf(messages).turns,
    notePruned(sent, whole) {
      if (whole.length > sent.length) wholeOf.set(sent, whole);
    },
  };
}

interface OpenTurn extends ModelTurn {
  readonly results: TurnResult[];
}

/** Messages, and the turns that were read from them. */
interface HistoryReading {
  readonly messages: Messages;
  readonly turns: readonly OpenTurn[];
  /** The tools that were called. */
  readonly names: Names;
  /** Whether a user message follows the last turn. */
  readonly afterUserMessage: boolean;
}

type Names = ReadonlySet<string>;

const NOTHING_READ: HistoryReading = {
  messages: [],
  turns: [],
  names: new Set(),
  afterUserMessage: false,
};

/**
 * Reads the model's turns from messages, oldest first, for `countAttempts`.
 *
 * @remarks A result belongs to the turn of its call, wherever it is in the history: approvals and clients answer late.
 * @example
 * ```ts
 * const attempts = countAttempts(turnsFromMessages(messages), "book", "run");
 * ```
 * @see docs/attempts-and-escalation.md
 */
export function turnsFromMessages(
  messages: readonly ModelMessage[],
  markerOf: MarkerOf = () => undefined,
): readonly ModelTurn[] {
  return turnsOfReading(readOn(undefined, messages, { markerOf, isAnnouncement: () => false }));
}

/** What is known of messages beside them. */
type MessageFacts = Pick<CounterParts, "markerOf" | "isAnnouncement">;

function turnsOfReading({ turns, afterUserMessage }: HistoryReading): readonly ModelTurn[] {
  return afterUserMessage ? [...turns, { calls: [], results: [], afterUserMessage }] : turns;
}

/** Reads messages, and only the new ones if they go on where an earlier reading ended. */
function readOn(
  earlier: HistoryReading | undefined,
  messages: Messages,
  facts: MessageFacts,
): HistoryReading {
  const known = earlier && continuesMessages(earlier.messages, messages) ? earlier : NOTHING_READ;
  const added: OpenTurn[] = [];
  const turnOf = new Map<string, OpenTurn>();
  let { afterUserMessage } = known;
  for (const message of messages.slice(known.messages.length)) {
    if (message.role === "user" && !facts.isAnnouncement(message.content)) afterUserMessage = true;
    if (message.role === "assistant") {
      const turn = { calls: callsInMessage(message), results: [], afterUserMessage };
      added.push(turn);
      for (const { id } of turn.calls) turnOf.set(id, turn);
      afterUserMessage = false;
    }
    if (message.role === "tool") {
      for (const part of message.content) {
        if (part.type !== "tool-result") continue;
        const turn = turnOf.get(part.toolCallId);
        turn?.results.push(turnResult(part, facts.markerOf));
        // A late answer changes a turn that was read, and that another run may have read too.
        if (!turn && known !== NOTHING_READ) return readOn(undefined, messages, facts);
      }
    }
  }
  const names = added.flatMap(({ calls }) => calls.map(({ name }) => name));
  return {
    messages: [...messages],
    turns: [...known.turns, ...added],
    names: new Set([...known.names, ...names]),
    afterUserMessage,
  };
}

/** Whether messages begin with those of an earlier list; the SDK keeps the content of each. */
function continuesMessages(earlier: Messages, messages: Messages): boolean {
  return (
    earlier.length <= messages.length &&
    earlier.every((message, index) => {
      const other = messages[index];
      return (
        message === other || (message.role === other?.role && message.content === other.content)
      );
    })
  );
}

// Core recognises the calls that it has counted by their list, and the SDK keeps the content of a message.
const callsRead = new WeakMap<object, readonly TurnCall[]>();

function callsInMessage({ content }: AssistantModelMessage): readonly TurnCall[] {
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

function turnResult({ toolCallId, output }: ResultPart, markerOf: MarkerOf): TurnResult {
  // An error that the contract did not write comes from the tool itself, so its arguments were valid.
  if (output.type === "error-json") return { toolCallId, isError: true };
  if (output.type !== "error-text") return { toolCallId, isError: false };
  const marker = markerOf(toolCallId, output.value);
  return { toolCallId, isError: true, content: output.value, ...(marker && { marker }) };
}

const MAX_ANNOUNCEMENTS = 100;

/** What tools have announced to the model: the SDK sends it as a message of the user, who did not write it. */
export interface Announcements {
  add(content: unknown): void;
  has(content: unknown): boolean;
}

/** Creates a bounded memory of announcements. */
export function createAnnouncements(): Announcements {
  const known = createRecentMap<unknown, true>(MAX_ANNOUNCEMENTS);
  return {
    add: (content) => known.set(content, true),
    has: (content) => known.get(content) === true,
  };
}

const MAX_RECENT_CALLS = 1_000;

/** Recent calls of this process. Counting works from the history alone; this makes it more exact. */
export interface RecentCalls {
  /** Remembers a rejection: the history replays malformed arguments as `{}`, so only its marker tells repeats apart. */
  reject(result: ToolResult): void;
  /** The marker of a rejection, if the history shows its text unchanged. */
  readonly markerOf: MarkerOf;
  /** Remembers a call that was admitted with repaired arguments, so that running it does not count it again. */
  admit(toolCallId: string, admission: Admitted, run: Run): void;
  /** What was remembered of a call that was admitted in this run, or in the one that it resumes; forgets it. */
  takeAdmitted(toolCallId: string, run: Run): RememberedAdmission | undefined;
}

/** A call that was admitted before it runs. */
interface RememberedAdmission {
  readonly admission: Admitted;
  /** The run in which it was. */
  readonly run: Run;
}

/** Creates a bounded memory of calls. */
export function createRecentCalls(): RecentCalls {
  const rejected = createRecentMap<string, ResultMarker | "unclear">(MAX_RECENT_CALLS);
  const admitted = createRecentMap<string, RememberedAdmission>(MAX_RECENT_CALLS);
  const keyOf = (toolCallId: string, content: string): string =>
    JSON.stringify([toolCallId, content]);
  return {
    reject(result) {
      const key = keyOf(result.toolCallId, result.content);
      const known = rejected.get(key);
      const marker = resultMarker(result);
      // Two users may have calls of one id, and be answered alike.
      if (known === undefined) rejected.set(key, marker);
      else if (known === "unclear" || known.argumentsHash !== marker.argumentsHash) {
        rejected.set(key, "unclear");
      }
    },
    markerOf(toolCallId, content) {
      const marker = rejected.get(keyOf(toolCallId, content));
      return marker === "unclear" ? undefined : marker;
    },
    admit: (toolCallId, admission, run) => admitted.set(toolCallId, { admission, run }),
    takeAdmitted(toolCallId, run) {
      const known = admitted.get(toolCallId);
      if (known === undefined || (known.run !== run && !run.isResumed)) return undefined;
      return admitted.take(toolCallId);
    },
  };
}
