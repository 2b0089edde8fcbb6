import type { AttemptError, AttemptRecord } from "../shared/index.ts";
import type { AttemptScope } from "./count-attempts.ts";
import { appendAttempt } from "./history.ts";

/** What is kept of one tool in one conversation: plain JSON data, so that a shared store can hold it. */
export interface AttemptState {
  /** Failed model turns since the tool last succeeded. */
  readonly failed: number;
  /** The failed attempts, oldest first. */
  readonly history: readonly AttemptRecord[];
  /** The latest model turn that called the tool; it is settled when another one begins. */
  readonly turnId: string;
  /** `"counted"`: a call of that turn was rejected; `"blocked"`: one was, after the attempts were spent. */
  readonly turnOutcome: "valid" | "counted" | "blocked";
  /** The run of that turn, if the host has such ids. */
  readonly runId?: string;
}

/** A call as the tracker needs to know it. */
export interface TrackedCall {
  /** The model turn; parallel calls share it. */
  readonly turnId: string;
  /** The run of that turn, if the host has such ids. */
  readonly runId?: string;
}

/** A rejected call as the tracker needs to know it. */
export interface TrackedFailure extends TrackedCall {
  /** A hash of the arguments, to recognise a repeated call. */
  readonly argumentsHash: string;
  readonly errors: readonly AttemptError[];
}

/** The state in which a call finds its tool: earlier turns settled, its own not yet. */
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

/** The state after a rejected call that found its tool in the state given. */
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

/** The attempts that count if the latest turn ends now: none where all its calls were valid. */
export function openAttempts(
  state: AttemptState | undefined,
): Pick<AttemptState, "failed" | "history"> {
  return state === undefined || state.turnOutcome === "valid" ? { failed: 0, history: [] } : state;
}
