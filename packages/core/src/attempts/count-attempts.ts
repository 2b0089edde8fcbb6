import { parseRejection } from "../message/index.ts";
import type { AttemptError, AttemptRecord } from "../shared/index.ts";
import { hashCall } from "./arguments-hash.ts";
import { appendAttempt, toAttemptErrors } from "./history.ts";
import type { ResultMarker } from "./result-marker.ts";

/** The key that all undeclared tool names share, so invented names neither evade the limit nor use memory. */
export const UNKNOWN_TOOL = "(unknown)";
const MAX_SIBLINGS = 20;
const NONE: AttemptCount = { failed: 0, history: [], complete: true, blocked: false };

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
}

/** Options of countAttempts(). */
export interface CountAttemptsOptions {
  /** The declared tools; all other names then share one count, `(unknown)`. */
  readonly declaredTools?: ReadonlySet<string>;
}

/**
 * Counts a tool's failed attempts from the turns of a conversation, oldest first.
 *
 * @remarks Pass the turns before the current one; the current one may be included while its calls are unanswered. If
 * a user message follows the last turn, append a turn with `afterUserMessage` and no results.
 */
export function countAttempts(
  turns: readonly ModelTurn[],
  toolName: string,
  scope: AttemptScope,
  options: CountAttemptsOptions = {},
): AttemptCount {
  const key = toolKey(toolName, options.declaredTools);
  let count = NONE;
  let runId: string | undefined;
  turns.forEach((turn, index) => {
    if (scope === "run" && beginsRun(turn, runId)) count = NONE;
    runId = turn.runId ?? runId;
    const calls = turn.calls.filter((call) => toolKey(call.name, options.declaredTools) === key);
    if (calls.length > 0)
      count = settle(count, turn, calls, index === turns.length - 1, key === UNKNOWN_TOOL);
  });
  return count;
}

/** The name under which a tool's attempts are counted. */
function toolKey(toolName: string, declaredTools?: ReadonlySet<string>): string {
  return declaredTools === undefined || declaredTools.has(toolName) ? toolName : UNKNOWN_TOOL;
}

function beginsRun(turn: ModelTurn, runId: string | undefined): boolean {
  const changed = turn.runId !== undefined && runId !== undefined && turn.runId !== runId;
  return changed || turn.afterUserMessage === true;
}

function settle(
  count: AttemptCount,
  turn: ModelTurn,
  calls: readonly TurnCall[],
  isLast: boolean,
  isUndeclared: boolean,
): AttemptCount {
  const results = new Map(turn.results.map((result) => [result.toolCallId, result]));
  const failures = calls.flatMap((call) => {
    const result = results.get(call.id);
    return (result && readFailure(call, result, isUndeclared)) ?? [];
  });
  if (failures.length > 0) return count.blocked ? count : addFailedTurn(count, failures);
  const answered = calls.filter((call) => results.has(call.id)).length;
  // The last turn may be in progress: its valid calls do not reset the count until the others are answered.
  return answered === 0 || (isLast && answered < calls.length) ? count : NONE;
}

function addFailedTurn(count: AttemptCount, failures: readonly Failure[]): AttemptCount {
  const attempt = count.failed + 1;
  return {
    failed: attempt,
    history: failures
      .slice(0, MAX_SIBLINGS)
      .reduce(
        (history, { argumentsHash, errors }) =>
          appendAttempt(history, { attempt, argumentsHash, errors }),
        count.history,
      ),
    complete: count.complete && failures.every((failure) => failure.complete),
    blocked: failures.some((failure) => failure.blocked),
  };
}

interface Failure {
  readonly argumentsHash: string;
  readonly errors: readonly AttemptError[];
  readonly complete: boolean;
  readonly blocked: boolean;
}

/** Reads a rejection; any other result means that the arguments were valid, whatever the tool then did. */
function readFailure(
  call: TurnCall,
  result: TurnResult,
  isUndeclared: boolean,
): Failure | undefined {
  if (!result.isError) return undefined;
  const { marker, content } = result;
  if (marker !== undefined) {
    if (marker.status === "executed") return undefined;
    const complete = marker.errors !== undefined;
    const argumentsHash = marker.argumentsHash ?? hashOf(call, isUndeclared);
    return {
      argumentsHash,
      errors: marker.errors ?? [],
      complete,
      blocked: marker.status === "blocked",
    };
  }
  const parsed = content === undefined ? undefined : parseRejection(content);
  return (
    parsed && {
      argumentsHash: hashOf(call, isUndeclared),
      errors: toAttemptErrors(parsed.errors),
      complete: false,
      blocked: parsed.status === "blocked",
    }
  );
}

function hashOf(call: TurnCall, isUndeclared: boolean): string {
  return call.arguments === undefined ? "" : hashCall(call, isUndeclared);
}
