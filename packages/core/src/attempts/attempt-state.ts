import type { AttemptSummary, AttemptRecord, TypedOutcome } from "../shared/index.ts";
import type { AttemptScope } from "./count-attempts.ts";
import { hashArguments } from "./arguments-hash.ts";
import { appendAttempt, findRepeat } from "./history.ts";

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
  /** When that turn was first recorded, if its host does not name turns. */
  readonly turnAt?: number;
  /** Plain JSON data of up to 64 kB, in place of attempts: what a call came to, for `keepResults` of guardrails. */
  readonly kept?: unknown;
}

/** A call, as the tracker records it. */
export interface TrackedCall {
  /** The model turn; parallel calls share it. */
  readonly turnId: string;
  /** The run of that turn, if the host has such ids. */
  readonly runId?: string;
  /**
   * For hosts that cannot name a turn: calls within this many milliseconds are one turn, whatever their `turnId`.
   * A call with the arguments of one that was rejected in that turn begins another: the model has read that answer.
   */
  readonly together?: number;
  /**
   * When the call was made, by the tracker's clock, for `together`.
   *
   * @default when it is recorded
   */
  readonly at?: number;
}

/** A rejected call, as the tracker records it. */
export interface TrackedFailure extends TrackedCall {
  /** A hash of the arguments, to recognise a repeated call. */
  readonly argumentsHash: string;
  /** What was wrong. */
  readonly errors: readonly AttemptSummary[];
  /** How many errors the call had, if more than these. */
  readonly totalErrors?: number;
  /** True if the tool is closed at once, however many attempts are left. */
  readonly closes?: boolean;
  /** True if it does not spend the last attempt, unless there is no other. */
  readonly keepsOpen?: boolean;
  /** The typed outcome, called with the number of the attempt if it closes the tool. */
  readonly outcomeOf?: ((attempt: number) => TypedOutcome | undefined) | undefined;
}

/** When a call was made, and when it is recorded, by one clock. */
export interface Moment {
  readonly made: number;
  readonly now: number;
}

/**
 * Returns the state as a call finds it: earlier turns are settled, the call's own is not.
 *
 * @param moment - Only for a call with `together`.
 */
export function beginCall(
  before: AttemptState | undefined,
  call: BegunCall,
  scope: AttemptScope,
  moment?: Moment,
): AttemptState {
  const runId = call.runId === undefined ? before?.runId : shortId(call.runId);
  const turn = {
    turnId: shortId(call.turnId),
    turnOutcome: "valid" as const,
    ...(runId !== undefined && { runId }),
    ...(moment && { turnAt: moment.now }),
  };
  const isNewRun = scope === "run" && before?.runId !== undefined && before.runId !== runId;
  if (before === undefined || isNewRun) return { failed: 0, history: [], ...turn };
  if (isSameTurn(before, call, moment)) {
    return runId === undefined || before.runId === runId ? before : { ...before, runId };
  }
  if (before.turnOutcome === "valid") return { failed: 0, history: [], ...turn };
  const { turnAt: _turnAt, ...earlier } = before;
  return { ...earlier, ...turn };
}

type BegunCall = TrackedCall & Partial<Pick<TrackedFailure, "argumentsHash">>;

function isSameTurn(
  { turnId, turnAt, turnOutcome, history, closed }: AttemptState,
  call: BegunCall,
  moment: Moment | undefined,
): boolean {
  if (turnId === shortId(call.turnId)) return true;
  if (call.together === undefined || turnAt === undefined || moment === undefined) return false;
  const since = moment.made - turnAt;
  // Checks both directions: replicas share no clock, so a slow one must not join an old turn.
  if (Math.abs(since) >= call.together) return false;
  const isFailure = call.argumentsHash !== undefined;
  // A program that makes one call after another has read the answer to the one before.
  if (since >= PAUSE_MS && turnOutcome === (isFailure ? "valid" : "counted")) return false;
  const isAnswered = since >= 0 && turnOutcome === "counted";
  // What was closed at once, such as a tool of which nobody knows what it did, is closed for whatever comes after that.
  if (isAnswered && closed === true) return false;
  return !isAnswered || findRepeat(history.slice(-1), call.argumentsHash ?? "") === undefined;
}

/** Calls of one message come closer together than those of a program that waits for an answer in between. */
const PAUSE_MS = 12;

/** The longest id of a turn or run that is kept as it is. */
export const MAX_ID = 200;

/** Ids of hosts may be long, and states are kept by the thousand. */
function shortId(id: string): string {
  return id.length <= MAX_ID ? id : hashArguments(id);
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
  const mostFailed = failure.keepsOpen === true ? Math.max(1, maxAttempts - 1) : maxAttempts;
  const attempt = isSibling ? state.failed : Math.min(state.failed + 1, mostFailed);
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
