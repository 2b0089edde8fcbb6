import type { AttemptError, AttemptRecord, TypedOutcome } from "../shared/index.ts";
import type { AttemptScope } from "./count-attempts.ts";
import { appendAttempt } from "./history.ts";

/** What a store keeps for one tool in one conversation, as plain JSON data. */
export interface AttemptState {
  /** Failed model turns since the tool last succeeded. */
  readonly failed: number;
  /** The failed attempts, oldest first. */
  readonly history: readonly AttemptRecord[];
  /** The latest model turn that called the tool; its outcome counts once another turn begins. */
  readonly turnId: string;
  /**
   * `"counted"`: a call of that turn was rejected; `"blocked"`: rejected after the attempts were spent;
   * `"elsewhere"`: rejected in another lane, which neither counts nor resets.
   */
  readonly turnOutcome: "valid" | "counted" | "blocked" | "elsewhere";
  /** True if the tool was closed before its attempts were spent. */
  readonly closed?: boolean;
  /** How the lane ended, if it ended in a typed outcome. */
  readonly outcome?: TypedOutcome;
  /** The run of that turn, if the host has such ids. */
  readonly runId?: string;
}

/** A call, as the tracker records it. */
export interface TrackedCall {
  /** The model turn; parallel calls share it. */
  readonly turnId: string;
  /** The run of that turn, if the host has such ids. */
  readonly runId?: string;
}

/** A rejected call, as the tracker records it. */
export interface TrackedFailure extends TrackedCall {
  /** A hash of the arguments, to recognise a repeated call. */
  readonly argumentsHash: string;
  readonly errors: readonly AttemptError[];
  /** How many errors the call had, if more than these. */
  readonly totalErrors?: number;
  /** True if the tool is closed at once, however many attempts are left. */
  readonly closes?: boolean;
  /** The typed outcome, called with the number of the attempt if it closes the tool. */
  readonly outcomeOf?: ((attempt: number) => TypedOutcome | undefined) | undefined;
}

/** Returns the state as a call finds it: earlier turns are settled, the call's own is not. */
export function beginCall(
  before: AttemptState | undefined,
  call: TrackedCall,
  scope: AttemptScope,
): AttemptState {
  const { turnId } = call;
  const runId = call.runId ?? before?.runId;
  const run = runId === undefined ? {} : { runId };
  const isOver =
    before === undefined ||
    (scope === "run" && before.runId !== undefined && before.runId !== runId) ||
    (before.turnId !== turnId && before.turnOutcome === "valid");
  if (isOver) return { failed: 0, history: [], turnId, turnOutcome: "valid", ...run };
  if (before.turnId === turnId) return { ...before, ...run };
  return { ...before, turnId, turnOutcome: "valid", ...run };
}

/** Returns the state after a rejected call; `state` comes from beginCall(). */
export function addFailure(
  state: AttemptState,
  failure: TrackedFailure,
  maxAttempts: number,
): AttemptState {
  const isSibling = state.turnOutcome === "counted";
  const { argumentsHash, errors, totalErrors } = failure;
  if (!isSibling && isClosed(state, maxAttempts)) return { ...state, turnOutcome: "blocked" };
  const attempt = isSibling ? state.failed : state.failed + 1;
  const total = totalErrors === undefined ? {} : { totalErrors };
  const closes = failure.closes === true || attempt >= maxAttempts;
  const outcome = state.outcome ?? (closes ? failure.outcomeOf?.(attempt) : undefined);
  return {
    ...state,
    failed: attempt,
    history: appendAttempt(state.history, { attempt, argumentsHash, errors, ...total }),
    turnOutcome: "counted",
    ...(failure.closes === true && { closed: true }),
    ...(outcome && { outcome }),
  };
}

/** Returns the attempts that count if the latest turn ends now: none if all its calls were valid. */
export function openAttempts(
  state: AttemptState | undefined,
): Pick<AttemptState, "failed" | "history"> {
  return state === undefined || state.turnOutcome === "valid" ? { failed: 0, history: [] } : state;
}

/** Whether the tool is closed: its attempts are spent, or it was closed before. */
export function isClosed(
  { failed, closed }: Pick<AttemptState, "failed" | "closed">,
  maxAttempts: number,
): boolean {
  return closed === true || failed >= maxAttempts;
}
