import {
  type AttemptRecord,
  type Lane,
  type MaybePromise,
  type TypedOutcome,
  chain,
  isPromiseLike,
} from "../shared/index.ts";
import {
  type AttemptState,
  type TrackedCall,
  type TrackedFailure,
  addFailure,
  beginCall,
  isClosed,
  openAttempts,
} from "./attempt-state.ts";
import type { AttemptScope } from "./count-attempts.ts";
import { findRepeat } from "./history.ts";
import { type AttemptStore, createMemoryStore } from "./memory-store.ts";

/** One tool in one conversation and lane: attempts are counted per key. */
export interface AttemptKey {
  /** The conversation in which attempts are counted. */
  readonly conversationId: string;
  readonly toolName: string;
  /** What the failures are counted under; `"validation"` by default. */
  readonly lane?: Lane;
}

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

/** Options of a tracker. */
export interface RetryTrackerOptions {
  readonly scope: AttemptScope;

  /** How many attempts each tool has. */
  readonly maxAttempts: number;
  /** How many attempts each tool has in other lanes than validation; `maxAttempts` by default. */
  readonly lanes?: Readonly<Partial<Record<Lane, number>>>;
  /** Where attempts are kept; a bounded store in memory by default. */
  readonly store?: AttemptStore;
  /** The clock of the default store. */
  readonly clock?: () => number;
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
 * @remarks Calls of one key wait for each other within this process only: two processes that share a store may
 * overwrite each other's update.
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
export function createTracker(options: RetryTrackerOptions): Tracker {
  const { scope, clock } = options;
  const limitOf = ({ lane }: AttemptKey): number =>
    (lane && options.lanes?.[lane]) ?? options.maxAttempts;
  const store = options.store ?? createMemoryStore(clock && { clock });
  const enqueue = createKeyedQueue();
  const storeKey = createStoreKeys();
  const withState = <T>(key: AttemptKey, task: StateTask<T>): MaybePromise<T> => {
    const name = storeKey(key);
    // Key-value stores return null for a missing key.
    return enqueue(name, () =>
      chain(real(store.get(name)), (state) => task(name, state ?? undefined)),
    );
  };
  return {
    recordFailure: (key, failure) =>
      withState(key, (name, before) => {
        const maxAttempts = limitOf(key);
        const found = beginCall(before, failure, scope);
        const after = addFailure(found, failure, maxAttempts);
        const repeats = findRepeat(answeredAttempts(found), failure.argumentsHash);
        return chain(real(store.set(name, after)), () => ({
          ...standing(after, maxAttempts),
          settled: wasBlockedBefore(found, maxAttempts),
          announced: isClosed(found, maxAttempts),
          ...(repeats !== undefined && { repeats }),
        }));
      }),
    recordValid: (key, call) =>
      withState(key, (name, before) => {
        const after = beginCall(before, call, scope);
        // Only invalid arguments are forgiven: a call that was slow to succeed opens nothing that was closed meanwhile.
        if (key.lane !== undefined && key.lane !== "validation" && isClosed(after, limitOf(key))) {
          return standing(after, limitOf(key));
        }
        const answer = (): AttemptStatus => ({
          ...standing(openAttempts(after), limitOf(key)),
          turnAttempt: turnAttempt(after),
        });
        // A tool that never fails takes no space in the store.
        if (after.failed > 0) return chain(real(store.set(name, after)), answer);
        return before === undefined ? answer() : chain(real(store.delete(name)), answer);
      }),
    recordElsewhere: (key, call) =>
      withState(key, (name, before) => {
        const found = beginCall(before, call, scope);
        if (found.failed === 0 || found.turnOutcome !== "valid") return undefined;
        return real(store.set(name, { ...found, turnOutcome: "elsewhere" }));
      }),
    status: (key, call) =>
      withState(key, (_, state) => {
        const maxAttempts = limitOf(key);
        if (!call) return standing(openAttempts(state), maxAttempts);
        const found = beginCall(state, call, scope);
        return {
          ...standing(found, maxAttempts),
          turnAttempt: turnAttempt(found),
          settled: wasBlockedBefore(found, maxAttempts),
        };
      }),
    reset: (key) => withState(key, (name) => real(store.delete(name))),
  };
}

/** A store's answer; a foreign promise becomes a real one. */
function real<T>(answer: MaybePromise<T>): MaybePromise<T> {
  return isPromiseLike(answer) ? Promise.resolve(answer) : answer;
}

type StateTask<T> = (name: string, state: AttemptState | undefined) => MaybePromise<T>;

/** Names keys by JSON arrays, so that no two keys share a name; a call asks for several lanes of one tool. */
function createStoreKeys(): (key: AttemptKey) => string {
  let latest: Pick<AttemptKey, "conversationId" | "toolName"> = {
    conversationId: "",
    toolName: "",
  };
  let start = '["",""';
  return ({ conversationId, toolName, lane = "validation" }) => {
    if (latest.conversationId !== conversationId || latest.toolName !== toolName) {
      latest = { conversationId, toolName };
      start = JSON.stringify([conversationId, toolName]).slice(0, -1);
    }
    return lane === "validation" ? `${start}]` : `${start},"${lane}"]`;
  };
}

/** Parallel failures of one turn are one attempt. */
function turnAttempt({ failed, turnOutcome }: AttemptState): number {
  return turnOutcome === "counted" ? failed : failed + 1;
}

/** Whether the attempts were spent before the call's own turn, not by a parallel call. */
function wasBlockedBefore(state: AttemptState, maxAttempts: number): boolean {
  return isClosed(state, maxAttempts) && state.turnOutcome !== "counted";
}

/** The attempts that the model has seen answered: a parallel call of the same turn is no repetition. */
function answeredAttempts(state: AttemptState): readonly AttemptRecord[] {
  return state.turnOutcome === "counted" ? state.history.slice(0, -1) : state.history;
}

function standing(
  state: Pick<AttemptState, "failed" | "history" | "closed" | "outcome">,
  maxAttempts: number,
): AttemptStatus {
  const { failed, history, outcome } = state;
  const isBlocked = isClosed(state, maxAttempts);
  const status = isBlocked ? "blocked" : "open";
  // A shared store may hold more failures than the limit, if it was lowered.
  return {
    attempt: Math.min(failed, maxAttempts),
    maxAttempts,
    status,
    settled: isBlocked,
    history,
    ...(outcome && { outcome }),
  };
}

/** Runs tasks of one key in order and those of different keys concurrently; holds nothing once idle. */
export type KeyedQueue = <T>(key: string, task: () => MaybePromise<T>) => MaybePromise<T>;

/** Creates a queue in which a failing task does not affect the next; a task that waits for nothing runs at once. */
export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>();

  async function enqueue<T>(key: string, own: Promise<T>): Promise<T> {
    tails.set(key, own);
    try {
      return await own;
    } finally {
      if (tails.get(key) === own) tails.delete(key);
    }
  }

  return (key, task) => {
    const before = tails.get(key);
    if (before !== undefined) return enqueue(key, before.then(task, task));
    const answer = task();
    return isPromiseLike(answer) ? enqueue(key, Promise.resolve(answer)) : answer;
  };
}
