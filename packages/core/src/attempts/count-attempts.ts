import { isSkipNote, parseRejection } from "../message/index.ts";
import {
  type AttemptSummary,
  type AttemptRecord,
  LANES,
  type Lane,
  type TypedOutcome,
  meantTool,
} from "../shared/index.ts";
import { hashCall } from "./arguments-hash.ts";
import { appendAttempt, toAttemptErrors } from "./history.ts";
import type { ResultMarker } from "./result-marker.ts";

/**
 * The key that all invented tool names share, so that they neither evade the limit nor use memory. A name that was meant
 * to be a declared one counts as that tool.
 */
export const UNKNOWN_TOOL = "(unknown)";
const MAX_SIBLINGS = 20;
/** The count of a tool that has not failed. */
export const NO_ATTEMPTS: AttemptCount = { failed: 0, history: [], complete: true, blocked: false };
const NO_COUNTS: Counts = new Map();

/** What resets a count besides success: `"run"`, a new run or user message; `"thread"`, nothing. */
export type AttemptScope = "run" | "thread";

/** One assistant message with the tool results that answer it. */
export interface ModelTurn {
  readonly calls: readonly TurnCall[];
  readonly results: readonly TurnResult[];
  /** The run that the turn belongs to, if the host has run ids. */
  readonly runId?: string;
  /** True for the first turn after a user message. */
  readonly afterUserMessage?: boolean;
}

/** A tool call in a conversation's history. */
export interface TurnCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, as the history keeps them. */
  readonly arguments?: unknown;
}

/** A tool result in a conversation's history. */
export interface TurnResult {
  readonly toolCallId: string;
  /** Whether the result is marked as an error. */
  readonly isError: boolean;
  /** The text of the result. */
  readonly content?: string;
  readonly marker?: ResultMarker;
}

/** How often a tool's calls failed since the last success, read from a conversation's history. */
export interface AttemptCount {
  /** Failed model turns; the next failure is number `failed + 1`. */
  readonly failed: number;
  /** The failed attempts, oldest first. */
  readonly history: readonly AttemptRecord[];
  /** False if an attempt had to be rebuilt from its message. */
  readonly complete: boolean;
  /** True if the tool's attempts are spent and nothing has reset them since. */
  readonly blocked: boolean;
  /** How the lane ended, if it ended in a typed outcome. */
  readonly outcome?: TypedOutcome;
  /** The counts of the other lanes in which calls of the tool failed. */
  readonly lanes?: Readonly<Partial<Record<Lane, AttemptCount>>>;
  /** The lane other than validation that has closed the tool: no call of it runs until the next run. */
  readonly closedBy?: Lane;
}

/**
 * Options of countAttempts().
 *
 * @example
 * ```ts
 * const options: CountAttemptsOptions = { declaredTools: new Set(["book_flight"]), lane: "validation" };
 * ```
 */
export interface CountAttemptsOptions {
  /** The declared tools; names that are nearly theirs count as them, and all others share one count, `(unknown)`. */
  readonly declaredTools?: ReadonlySet<string>;
  /**
   * The lane to count.
   *
   * @default "validation"
   */
  readonly lane?: Lane;
  /**
   * A promise of the host: lists with the same first turn begin with the same turns, and a turn changes no more once another
   * follows it. Then what was counted is not looked at again, and counting costs the same however long the list is.
   *
   * @default false
   */
  readonly appendOnly?: boolean;
}

/**
 * Counts a tool's failed attempts from the turns of a conversation, oldest first.
 *
 * Each lane has its own count, which a failure in another lane neither raises nor resets.
 *
 * @remarks Pass the turns before the current one; the current one may be included while its calls are unanswered. If
 * a user message follows the last turn, append a turn with `afterUserMessage` and no results.
 * @example
 * ```ts
 * const attempts = countAttempts(turns, "book", "run");
 * const admission = await contract.admit(call, { tools, conversationId: "chat-1", attempts });
 * ```
 * @see docs/attempts-and-escalation.md
 */
export function countAttempts(
  turns: readonly ModelTurn[],
  toolName: string,
  scope: AttemptScope,
  options: CountAttemptsOptions = {},
): AttemptCount {
  const { declaredTools, lane = "validation", appendOnly = false } = options;
  const key = toolKey(toolName, declaredTools);
  const progress = progressIn(turns, { key, scope, declaredTools, appendOnly });
  let { counts, runId } = progress;
  for (let index = progress.turns.length; index < turns.length; index += 1) {
    const turn = turns[index] as ModelTurn;
    if (scope === "run" && beginsRun(turn, runId)) counts = NO_COUNTS;
    runId = turn.runId ?? runId;
    const isLast = index === turns.length - 1;
    const calls = turn.calls.filter((call) => toolKey(call.name, declaredTools) === key);
    if (calls.length > 0) {
      // The last turn is not over, and invented names mean the same only beside the same declared ones.
      const isFinal = !isLast && key !== UNKNOWN_TOOL;
      counts = isFinal
        ? settleOnce(counts, turn, calls, key)
        : settle(counts, turn, calls, key, isLast);
    }
    if (!isLast) {
      progress.turns.push({ turn, results: [...turn.results] });
      progress.counts = counts;
      progress.runId = runId;
    }
  }
  return readCounts(counts, lane);
}

/** What is counted. */
interface Query {
  readonly key: string;
  readonly scope: AttemptScope;
  readonly declaredTools: ReadonlySet<string> | undefined;
  readonly appendOnly: boolean;
}

/** How far a conversation was counted: its finished turns, and their results. */
interface Progress {
  readonly turns: { readonly turn: ModelTurn; readonly results: readonly TurnResult[] }[];
  readonly declaredTools: ReadonlySet<string> | undefined;
  counts: Counts;
  runId: string | undefined;
}

/** By the first turn of a conversation, then by what is counted. A host that keeps its turns reads each of them once. */
const conversations = new WeakMap<ModelTurn, Map<string, Progress>>();

function progressIn(
  turns: readonly ModelTurn[],
  { key, scope, declaredTools, appendOnly }: Query,
): Progress {
  const [first] = turns;
  const fresh: Progress = { turns: [], declaredTools, counts: NO_COUNTS, runId: undefined };
  if (first === undefined) return fresh;
  const known = conversations.get(first) ?? new Map<string, Progress>();
  conversations.set(first, known);
  const name = `${scope} ${key}`;
  const progress = known.get(name);
  if (
    progress &&
    isSameSet(progress.declaredTools, declaredTools) &&
    (appendOnly ? progress.turns.length < turns.length : goesOn(progress, turns))
  )
    return progress;
  known.set(name, fresh);
  return fresh;
}

/** Whether a conversation begins with the turns that were counted; the last of it is not over. */
function goesOn({ turns: counted }: Progress, turns: readonly ModelTurn[]): boolean {
  if (counted.length >= turns.length) return false;
  for (const [index, { turn, results }] of counted.entries()) {
    if (turn !== turns[index] || results.length !== turn.results.length) return false;
    for (const [at, result] of results.entries()) if (result !== turn.results[at]) return false;
  }
  return true;
}

function isSameSet(
  one: ReadonlySet<string> | undefined,
  other: ReadonlySet<string> | undefined,
): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one === other || (one.size === other.size && [...one].every((name) => other.has(name)));
}

type Counts = ReadonlyMap<Lane, AttemptCount>;

/** What a turn made of the counts before it. */
interface Step {
  readonly before: Counts;
  readonly calls: readonly TurnCall[];
  readonly results: readonly TurnResult[];
  readonly after: Counts;
}

/**
 * The steps of each tool, by the calls of a turn.
 *
 * Conversations grow by appending, and each call counts in all that came before it: without these, every turn would be
 * read again for every later call.
 */
const steps = new WeakMap<readonly TurnCall[], Map<string, Step>>();

/** Settles a turn that is over; does nothing again for the same calls and results after the same counts. */
function settleOnce(
  before: Counts,
  turn: ModelTurn,
  calls: readonly TurnCall[],
  toolName: string,
): Counts {
  const known = steps.get(turn.calls)?.get(toolName);
  if (
    known?.before === before &&
    isSameList(calls, known.calls, Object.is) &&
    isSameList(turn.results, known.results, isSameResult)
  )
    return known.after;
  const after = settle(before, turn, calls, toolName, false);
  const ofTurn = steps.get(turn.calls) ?? new Map<string, Step>();
  steps.set(turn.calls, ofTurn.set(toolName, { before, calls, results: [...turn.results], after }));
  return after;
}

function isSameList<T>(
  list: readonly T[],
  other: readonly T[],
  isSame: (one: T, another: T) => boolean,
): boolean {
  return (
    list.length === other.length && list.every((item, index) => isSame(item, other[index] as T))
  );
}

function isSameResult(one: TurnResult, other: TurnResult): boolean {
  return (
    one.toolCallId === other.toolCallId &&
    one.isError === other.isError &&
    one.content === other.content &&
    one.marker === other.marker
  );
}

function readCounts(counts: Counts, lane: Lane): AttemptCount {
  const own = counts.get(lane) ?? NO_ATTEMPTS;
  const others = [...counts].filter(([name]) => name !== lane);
  const closedBy = LANES.find((one) => one !== "validation" && counts.get(one)?.blocked === true);
  return {
    ...own,
    ...(others.length > 0 && { lanes: Object.fromEntries(others) }),
    ...(closedBy && { closedBy }),
  };
}

/** Whether a tool has no attempts left in some lane, so that it should not be offered. */
export function isToolClosed({ blocked, closedBy }: AttemptCount): boolean {
  return blocked || closedBy !== undefined;
}

/** The name under which a tool's attempts are counted. */
function toolKey(toolName: string, declaredTools?: ReadonlySet<string>): string {
  if (declaredTools === undefined || declaredTools.has(toolName)) return toolName;
  return meantTool(toolName, [...declaredTools]) ?? UNKNOWN_TOOL;
}

function beginsRun(turn: ModelTurn, runId: string | undefined): boolean {
  const changed = turn.runId !== undefined && runId !== undefined && turn.runId !== runId;
  return changed || turn.afterUserMessage === true;
}

function settle(
  counts: Counts,
  turn: ModelTurn,
  calls: readonly TurnCall[],
  key: string,
  isLast: boolean,
): Counts {
  const results = new Map(turn.results.map((result) => [result.toolCallId, result]));
  const answers = calls.flatMap((call) => {
    const result = results.get(call.id);
    return result ? [readAnswer(call, result, call.name !== key)] : [];
  });
  const failures = answers.filter((answer) => typeof answer === "object");
  if (failures.length > 0) {
    const after = new Map(counts);
    for (const lane of new Set(failures.map((failure) => failure.lane))) {
      const own = failures.filter((failure) => failure.lane === lane);
      after.set(lane, addFailedTurn(counts.get(lane), own));
    }
    return after;
  }
  // The last turn may be in progress: its valid calls do not reset the count until the others are answered.
  const isOpen = isLast && answers.length < calls.length;
  if (isOpen || answers.every((answer) => answer === "skipped")) return counts;
  // Valid arguments reset the count of invalid ones, whatever the tool then did; the other lanes only success. What one
  // of those has closed stays closed.
  const hasFailed = answers.includes("failed");
  return new Map(
    [...counts].filter(([lane, { blocked }]) => lane !== "validation" && (blocked || hasFailed)),
  );
}

function addFailedTurn(
  count: AttemptCount = NO_ATTEMPTS,
  failures: readonly Failure[],
): AttemptCount {
  if (count.blocked) return count;
  const attempt = count.failed + 1;
  const outcome = failures.find((failure) => failure.outcome)?.outcome;
  return {
    failed: attempt,
    history: failures.slice(0, MAX_SIBLINGS).reduce(
      (history, { argumentsHash, errors, totalErrors }) =>
        appendAttempt(history, {
          attempt,
          argumentsHash,
          errors,
          ...(totalErrors !== undefined && { totalErrors }),
        }),
      count.history,
    ),
    complete: count.complete && failures.every((failure) => failure.complete),
    blocked: failures.some((failure) => failure.blocked),
    ...(outcome && { outcome }),
  };
}

interface Failure {
  readonly lane: Lane;
  readonly argumentsHash: string;
  readonly errors: readonly AttemptSummary[];
  readonly totalErrors?: number | undefined;
  readonly complete: boolean;
  readonly blocked: boolean;
  readonly outcome?: TypedOutcome | undefined;
}

/** Reads a rejection; any other result means that the call was valid. */
function readAnswer(
  call: TurnCall,
  result: TurnResult,
  isUndeclared: boolean,
): Failure | "valid" | "failed" | "skipped" {
  if (!result.isError) return "valid";
  const { marker, content } = result;
  if (marker !== undefined) {
    if (marker.status === "executed") return marker.failed === true ? "failed" : "valid";
    if (marker.status === "skipped") return "skipped";
    const { lane = "validation", errors, totalErrors, outcome } = marker;
    return {
      lane,
      argumentsHash: marker.argumentsHash ?? hashOf(call, isUndeclared),
      errors: errors ?? [],
      totalErrors,
      complete: errors !== undefined,
      blocked: marker.status === "blocked",
      outcome,
    };
  }
  if (content !== undefined && isSkipNote(content)) return "skipped";
  const parsed = content === undefined ? undefined : parseRejection(content);
  if (parsed === undefined) return "failed";
  return {
    lane: parsed.lane,
    argumentsHash: hashOf(call, isUndeclared),
    errors: toAttemptErrors(parsed.errors),
    totalErrors: parsed.errors.length + parsed.hiddenErrors,
    complete: false,
    blocked: parsed.status === "blocked",
  };
}

function hashOf(call: TurnCall, isUndeclared: boolean): string {
  return call.arguments === undefined ? "" : hashCall(call, isUndeclared);
}
