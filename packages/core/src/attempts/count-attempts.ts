import { parseRejection } from "../message/index.ts";
import { hashCall } from "./arguments-hash.ts";
import { appendAttempt, toAttemptErrors } from "./history.ts";
import type { AttemptError, AttemptRecord } from "../shared/index.ts";
import type { ResultMarker } from "./result-marker.ts";

/** What ends a count besides success: a new run or user message, or nothing. */
export type AttemptScope = "run" | "thread";

/** How often a tool's calls failed since they last succeeded, as a conversation's history shows it. */
export interface AttemptCount {
  /** Failed model turns; the next failure is number `failed + 1`. */
  readonly failed: number;
  /** The failed attempts, oldest first. */
  readonly history: readonly AttemptRecord[];
  /** False where an attempt had to be rebuilt from its text. */
  readonly complete: boolean;
  /** True where the tool's attempts were already spent and nothing reset them since. */
  readonly blocked: boolean;
}

/** What countAttempts may be told besides the turns. */
export interface CountAttemptsOptions {
  /** The declared tools; every other name then counts as one, `(unknown)`. */
  readonly declaredTools?: ReadonlySet<string>;
}

interface Failure {
  readonly argumentsHash: string;
  readonly errors: readonly AttemptError[];
  readonly complete: boolean;
  readonly blocked: boolean;
}

const MAX_SIBLINGS = 20;
const NONE: AttemptCount = { failed: 0, history: [], complete: true, blocked: false };

/**
 * Counts a tool's failed attempts from the turns of a conversation, oldest first.
 *
 * @remarks Pass the turns before the one being judged, or that one with its calls still unanswered. To tell of
 * a user message after the last turn, end with a turn that has `afterUserMessage` and no results.
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
  // The last turn may still be going on: its valid calls settle nothing before the others are answered.
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

/** A result that is no rejection of ours shows that the arguments were valid, whatever the tool then did. */
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

/** One assistant message of a conversation with the tool results that answer it. */
export interface ModelTurn {
  readonly calls: readonly TurnCall[];
  readonly results: readonly TurnResult[];
  /** The run this turn belongs to, where the host has such an id. */
  readonly runId?: string;
  /** True for the first turn after a message of the user. */
  readonly afterUserMessage?: boolean;
}

/** A tool call as a conversation's history shows it. */
export interface TurnCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, as the history keeps them. */
  readonly arguments?: unknown;
}

/** A tool result as a conversation's history shows it. */
export interface TurnResult {
  readonly toolCallId: string;
  /** Whether the result is marked as an error. */
  readonly isError: boolean;
  /** The text of the result. */
  readonly content?: string;
  readonly marker?: ResultMarker;
}

/** The one key that all undeclared tool names share, so that inventing names escapes no limit and grows nothing. */
export const UNKNOWN_TOOL = "(unknown)";

/** The name under which a tool's attempts and metrics are kept. */
function toolKey(toolName: string, declaredTools?: ReadonlySet<string>): string {
  return declaredTools === undefined || declaredTools.has(toolName) ? toolName : UNKNOWN_TOOL;
}
