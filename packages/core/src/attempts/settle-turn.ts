import { type ParsedRejection, isSkipNote, parseRejection } from "../message/index.ts";
import type { AttemptRecord, AttemptSummary, Lane, TypedOutcome } from "../shared/index.ts";
import { hashCall } from "./arguments-hash.ts";
import { appendAttempt, toAttemptErrors } from "./history.ts";
import type { ModelTurn, TurnCall, TurnResult } from "./model-turn.ts";

const MAX_SIBLINGS = 20;

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

/** The count of each lane in which a tool has failed. */
export type Counts = ReadonlyMap<Lane, AttemptCount>;

/** The count of a tool that has not failed. */
export const NO_ATTEMPTS: AttemptCount = { failed: 0, history: [], complete: true, blocked: false };

/** What a turn makes of the counts of a tool, whose calls in it are given. */
export function settleTurn(
  counts: Counts,
  turn: ModelTurn,
  calls: readonly TurnCall[],
  key: string,
  isLast: boolean,
): Counts {
  const results = resultsByCall(turn);
  const answers = calls.flatMap((call) => {
    const result = results.get(call);
    return result ? [readTurnResult(call, result, call.name !== key)] : [];
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

/** The result of each call. Some providers repeat ids: calls with one id are answered in their order. */
function resultsByCall({ calls, results }: ModelTurn): ReadonlyMap<TurnCall, TurnResult> {
  const byId = new Map<string, TurnResult[]>();
  for (const result of results) {
    const own = byId.get(result.toolCallId);
    if (own) own.push(result);
    else byId.set(result.toolCallId, [result]);
  }
  // From the last one on, which has the last result of its id: an answer may have been replaced.
  const found = calls.toReversed().flatMap((call) => {
    const own = byId.get(call.id);
    const result = own !== undefined && own.length > 1 ? own.pop() : own?.[0];
    return result ? [[call, result] as const] : [];
  });
  return new Map(found);
}

function addFailedTurn(
  count: AttemptCount = NO_ATTEMPTS,
  failures: readonly FailureInTurn[],
): AttemptCount {
  if (count.blocked) return count;
  const unseen = failures.find(({ earlier }) => earlier !== undefined)?.earlier ?? [];
  const before = count.failed === 0 ? unseen : count.history;
  const { attempt: last = 0, collapsed = 1 } = before.at(-1) ?? {};
  const attempt = Math.max(count.failed, last + collapsed - 1) + 1;
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
      before,
    ),
    complete: count.complete && failures.every((failure) => failure.complete),
    blocked: failures.some((failure) => failure.blocked),
    ...(outcome && { outcome }),
  };
}

interface FailureInTurn {
  readonly lane: Lane;
  readonly argumentsHash: string;
  readonly errors: readonly AttemptSummary[];
  readonly totalErrors?: number | undefined;
  readonly complete: boolean;
  readonly blocked: boolean;
  readonly outcome?: TypedOutcome | undefined;
  /** The attempts that only its message shows: a tool's failures at run time are its own words until one closes it. */
  readonly earlier?: readonly AttemptRecord[] | undefined;
}

/** Reads a rejection; any other result means that the call was valid. */
function readTurnResult(
  call: TurnCall,
  result: TurnResult,
  isUndeclared: boolean,
): FailureInTurn | "valid" | "failed" | "skipped" {
  if (!result.isError) return "valid";
  const { marker, content } = result;
  if (marker !== undefined) {
    if (marker.status === "executed") return marker.failed === true ? "failed" : "valid";
    if (marker.status === "skipped") return "skipped";
    const { lane = "validation", errors, totalErrors, outcome } = marker;
    return {
      lane,
      argumentsHash: marker.argumentsHash ?? callHash(call, isUndeclared),
      errors: errors ?? [],
      totalErrors,
      complete: errors !== undefined,
      blocked: marker.status === "blocked",
      outcome,
      earlier: earlierIn(content === undefined ? undefined : parseRejection(content)),
    };
  }
  if (content !== undefined && isSkipNote(content)) return "skipped";
  const parsed = content === undefined ? undefined : parseRejection(content);
  if (parsed === undefined) return "failed";
  return {
    lane: parsed.lane,
    argumentsHash: callHash(call, isUndeclared),
    errors: toAttemptErrors(parsed.errors),
    totalErrors: parsed.errors.length + parsed.hiddenErrors,
    complete: false,
    blocked: parsed.status === "blocked",
    earlier: earlierIn(parsed),
  };
}

/** The earlier attempts of a tool that its failures at run time have closed. */
function earlierIn(parsed: ParsedRejection | undefined): readonly AttemptRecord[] | undefined {
  if (parsed?.lane !== "outcome" || parsed.status !== "blocked") return undefined;
  const { earlier, errors } = parsed;
  const { errorCode = "VAL-016", fieldPath = "" } = errors[0] ?? {};
  return earlier.map(({ attempt, summary, collapsed }) => ({
    attempt,
    argumentsHash: "",
    errors: [{ errorCode, fieldPath, summary }],
    ...(collapsed !== undefined && { collapsed }),
  }));
}

function callHash(call: TurnCall, isUndeclared: boolean): string {
  return call.arguments === undefined ? "" : hashCall(call, isUndeclared);
}
