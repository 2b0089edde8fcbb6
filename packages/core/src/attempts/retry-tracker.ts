import type { AttemptRecord, Lane, TypedOutcome } from "../shared/index.ts";
import { ToolContractError } from "@toolcontract/explain";
import type { MaybePromise } from "@toolcontract/explain/adapter";
import {
  type AttemptState,
  type Moment,
  type TrackedCall,
  type TrackedFailure,
  addFailure,
  beginCall,
  isClosed,
  openAttempts,
} from "./attempt-state.ts";
import {
  type AttemptStore,
  STORE_WANTED,
  type StoreOutage,
  isStore,
  stateOf,
} from "./attempt-store.ts";
import type { AttemptScope } from "./count-attempts.ts";
import { findRepeat } from "./history.ts";
import { createMemoryStore } from "./memory-store.ts";
import { type AttemptKey, createStoreQuestions, momentOf } from "./store-questions.ts";

/** The state of a tool's attempts in a conversation. */
export interface AttemptStatus {
  /** Failed model turns since the tool last succeeded, including this one. */
  readonly attempt: number;
  /** The number of the attempt that the call's turn makes, failed or not. */
  readonly turnAttempt?: number;
  /** How many attempts the tool has. */
  readonly maxAttempts: number;
  /** `"blocked"` once `maxAttempts` turns have failed. */
  readonly status: "open" | "blocked";
  /** True if the tool was blocked before this call's turn. */
  readonly settled: boolean;
  /** True if an earlier or parallel call has already been escalated. */
  readonly announced?: boolean;
  /** The number of the earlier attempt with the same arguments, if any. */
  readonly repeats?: number;
  /** The failed attempts, oldest first. */
  readonly history: readonly AttemptRecord[];
  /** How the lane ended, if it ended in a typed outcome. */
  readonly outcome?: TypedOutcome;
}

/** Counts attempts for hosts that keep no message history. */
export interface RetryTracker {
  /** Counts a rejected call; parallel calls of one turn count once. */
  recordFailure(key: AttemptKey, failure: TrackedFailure): Promise<AttemptStatus>;
  /** Records a valid call; it resets the count unless another call of its turn is rejected. */
  recordValid(key: AttemptKey, call: TrackedCall): Promise<AttemptStatus>;
  /** Records that a call of the turn failed in another lane: what is valid here then resets nothing. */
  recordElsewhere(key: AttemptKey, call: TrackedCall): Promise<void>;
  /** Returns the current state, or the state as the given call would find it. */
  status(key: AttemptKey, call?: TrackedCall): Promise<AttemptStatus>;
  /** Clears the attempts of a tool in a conversation. */
  reset(key: AttemptKey): Promise<void>;
}

/**
 * Options of a tracker.
 *
 * @example
 * ```ts
 * const options: RetryTrackerOptions = { scope: "run", maxAttempts: 3 };
 * ```
 * @see docs/attempts-and-escalation.md
 */
export interface RetryTrackerOptions {
  readonly scope: AttemptScope;

  /** How many attempts each tool has. */
  readonly maxAttempts: number;
  /**
   * How many attempts each tool has in other lanes than validation.
   *
   * @default maxAttempts
   */
  readonly lanes?: Readonly<Partial<Record<Lane, number>>>;
  /**
   * Where attempts are kept.
   *
   * @default a bounded store in memory
   */
  readonly store?: AttemptStore;
  /**
   * Milliseconds since some fixed moment, for the default store and calls with `together`.
   *
   * @default Date.now
   */
  readonly clock?: () => number;
}

/** Options of a tracker as the contract creates it. */
export interface TrackerOptions extends RetryTrackerOptions {
  /** Called when the store begins to work without its engine, and with undefined when the engine is back. */
  readonly onOutage?: (outage: StoreOutage | undefined) => void;
}

/** A tracker as the contract uses it: what a store in memory answers need not be waited for. */
export type Tracker = {
  readonly [Name in keyof RetryTracker]: (
    ...given: Parameters<RetryTracker[Name]>
  ) => MaybePromise<Awaited<ReturnType<RetryTracker[Name]>>>;
};

/**
 * Creates a tracker that is safe under concurrent use.
 *
 * @throws ToolContractError if `store` is not an AttemptStore.
 * @remarks Calls of one key wait for each other within this process. Between processes, the store's `update` keeps the
 * count exact.
 */
export function createRetryTracker(options: RetryTrackerOptions): RetryTracker {
  const tracker = createTracker(options);
  return {
    recordFailure: async (key, failure) => tracker.recordFailure(key, failure),
    recordValid: async (key, call) => tracker.recordValid(key, call),
    recordElsewhere: async (key, call) => tracker.recordElsewhere(key, call),
    status: async (key, call) => tracker.status(key, call),
    reset: async (key) => tracker.reset(key),
  };
}

/** Creates a tracker that waits only for what its store waits for. */
export function createTracker(options: TrackerOptions): Tracker {
  const { scope, clock = Date.now, onOutage } = options;
  const own = options.store === undefined ? createMemoryStore({ clock }) : undefined;
  const store = options.store ?? own;
  const limitOf = ({ lane }: AttemptKey): number =>
    (lane && options.lanes?.[lane]) ?? options.maxAttempts;
  if (!isStore(store))
    throw new ToolContractError(`createRetryTracker: \`store\` must be ${STORE_WANTED}.`);
  const { ask, update, nameOf } = createStoreQuestions(store, clock, onOutage);
  /** Whether nothing is counted of a key, and nobody else could: most calls are of tools that never failed. */
  const isUncounted = (key: AttemptKey): boolean =>
    own !== undefined && own.get(nameOf(key)) === undefined;

  const begin = (
    before: AttemptState | undefined,
    call: TrackedCall,
    moment: Moment | undefined,
  ): AttemptState => beginCall(before, call, scope, moment);

  return {
    recordFailure: (key, failure) => {
      const maxAttempts = limitOf(key);
      return update(
        key,
        failure,
        (before, moment) => addFailure(begin(before, failure, moment), failure, maxAttempts),
        (before, after) => {
          if (!after) throw new TypeError("A store's update answers something else.");
          const found = beginCall(before, joined(failure, after), scope);
          const repeats = findRepeat(answeredAttempts(found), failure.argumentsHash);
          return {
            ...standing(after, maxAttempts),
            settled: wasBlockedBefore(found, maxAttempts),
            announced: isClosed(found, maxAttempts),
            ...(repeats !== undefined && { repeats }),
          };
        },
      );
    },
    recordValid: (key, call) => {
      const maxAttempts = limitOf(key);
      if (isUncounted(key)) return standing(openAttempts(undefined), maxAttempts, 1);
      // Only invalid arguments are forgiven: a call that was slow to succeed opens nothing that was closed meanwhile.
      const staysClosed = (found: AttemptState): boolean =>
        key.lane !== undefined && key.lane !== "validation" && isClosed(found, maxAttempts);
      return update(
        key,
        call,
        (before, moment) => {
          // A tool that never fails takes no space in the store.
          if (before === undefined) return undefined;
          const found = begin(before, call, moment);
          if (staysClosed(found)) return before;
          return found.failed > 0 ? found : undefined;
        },
        (before, after) => {
          if (before === undefined) return standing(openAttempts(before), maxAttempts, 1);
          const found = beginCall(before, joined(call, after), scope);
          if (staysClosed(found)) return standing(found, maxAttempts);
          // Another call of the turn has made good what failed before it.
          if (call.together !== undefined && before.turnOutcome === "valid")
            return standing(openAttempts(found), maxAttempts, 1);
          return standing(openAttempts(found), maxAttempts, turnAttempt(found));
        },
      );
    },
    recordElsewhere: (key, call) =>
      update(
        key,
        call,
        (before, moment) => {
          if (before === undefined) return undefined;
          const found = begin(before, call, moment);
          if (found.failed === 0 || found.turnOutcome !== "valid") return before;
          return { ...found, turnOutcome: "elsewhere" };
        },
        () => undefined,
      ),
    status: (key, call) =>
      ask(
        key,
        (name) => store.get(name),
        (answer) => {
          const state = stateOf(answer);
          const maxAttempts = limitOf(key);
          if (!call || state === undefined)
            return standing(openAttempts(state), maxAttempts, call && 1);
          const found = begin(state, call, momentOf(call, clock));
          return {
            ...standing(found, maxAttempts, turnAttempt(found)),
            settled: wasBlockedBefore(found, maxAttempts),
          };
        },
      ),
    reset: (key) =>
      ask(
        key,
        (name) => store.delete(name),
        () => undefined,
      ),
  };
}

/** The call in the turn in which the store's update has counted it. */
function joined<C extends TrackedCall>(call: C, after: AttemptState | undefined): C {
  return call.together === undefined || !after ? call : { ...call, turnId: after.turnId };
}

/** Parallel failures of one turn are one attempt. */
function turnAttempt({ failed, turnOutcome }: AttemptState): number {
  return turnOutcome === "counted" ? failed : failed + 1;
}

/** Whether the attempts were spent before the call's own turn, not by a parallel call. */
function wasBlockedBefore(state: AttemptState, maxAttempts: number): boolean {
  return isClosed(state, maxAttempts) && state.turnOutcome !== "counted";
}

/** The attempts that the model has seen answered: a parallel call of the same turn is not a repetition. */
function answeredAttempts(state: AttemptState): readonly AttemptRecord[] {
  return state.turnOutcome === "counted" ? state.history.slice(0, -1) : state.history;
}

function standing(
  state: Pick<AttemptState, "failed" | "history" | "closed" | "outcome">,
  maxAttempts: number,
  attemptOfTurn?: number,
): AttemptStatus {
  const { failed, history, outcome } = state;
  const isBlocked = isClosed(state, maxAttempts);
  const status = isBlocked ? "blocked" : "open";
  // A shared store may hold more failures than the limit, if it was lowered.
  return {
    attempt: Math.min(failed, maxAttempts),
    ...(attemptOfTurn !== undefined && { turnAttempt: attemptOfTurn }),
    maxAttempts,
    status,
    settled: isBlocked,
    history,
    ...(outcome && { outcome }),
  };
}
