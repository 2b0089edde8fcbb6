import type { AttemptError, AttemptRecord } from "../shared/index.ts";
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
  /** `"counted"`: a call of that turn was rejected; `"blocked"`: rejected after the attempts were spent. */
  readonly turnOutcome: "valid" | "counted" | "blocked";
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
  if (!isSibling && state.failed >= maxAttempts) return { ...state, turnOutcome: "blocked" };
  const attempt = isSibling ? state.failed : state.failed + 1;
  const { argumentsHash, errors } = failure;
  return {
    ...state,
    failed: attempt,
    history: appendAttempt(state.history, { attempt, argumentsHash, errors }),
    turnOutcome: "counted",
  };
}

/** Returns the attempts that count if the latest turn ends now: none if all its calls were valid. */
export function openAttempts(
  state: AttemptState | undefined,
): Pick<AttemptState, "failed" | "history"> {
  return state === undefined || state.turnOutcome === "valid" ? { failed: 0, history: [] } : state;
}
