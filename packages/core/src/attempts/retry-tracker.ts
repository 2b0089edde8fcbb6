import type { AttemptRecord, Lane, TypedOutcome } from "../shared/index.ts";
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

/**
 * Creates a tracker that is safe under concurrent use.
 *
 * @remarks Calls of one key wait for each other within this process only: two processes that share a store may
 * overwrite each other's update.
 */
export function createRetryTracker(options: RetryTrackerOptions): RetryTracker {
  const { scope, clock } = options;
  const limitOf = ({ lane }: AttemptKey): number =>
    (lane && options.lanes?.[lane]) ?? options.maxAttempts;
  const store = options.store ?? createMemoryStore(clock && { clock });
  const { enqueue, isIdle } = createKeyedQueue();
  const withState = async <T>(key: AttemptKey, task: StateTask<T>): Promise<T> => {
    const name = storeKey(key);
    // Key-value stores return null for a missing key.
    return enqueue(name, async () => task(name, (await store.get(name)) ?? undefined));
  };
  // Most reads meet no write of their key, and a stage makes several for each call.
  const readState = async <T>(
    key: AttemptKey,
    read: (state: AttemptState | undefined) => T,
  ): Promise<T> => {
    const name = storeKey(key);
    if (!isIdle(name)) return withState(key, (_, state) => read(state));
    const found = store.get(name);
    return read((found instanceof Promise ? await found : found) ?? undefined);
  };
  return {
    recordFailure: async (key, failure) =>
      withState(key, async (name, before) => {
        const maxAttempts = limitOf(key);
        const found = beginCall(before, failure, scope);
        const after = addFailure(found, failure, maxAttempts);
        await store.set(name, after);
        const repeats = findRepeat(answeredAttempts(found), failure.argumentsHash);
        return {
          ...standing(after, maxAttempts),
          settled: wasBlockedBefore(found, maxAttempts),
          announced: isClosed(found, maxAttempts),
          ...(repeats !== undefined && { repeats }),
        };
      }),
    recordValid: async (key, call) =>
      withState(key, async (name, before) => {
        const after = beginCall(before, call, scope);
        // Only invalid arguments are forgiven: a call that was slow to succeed opens nothing that was closed meanwhile.
        if (key.lane !== undefined && key.lane !== "validation" && isClosed(after, limitOf(key))) {
          return standing(after, limitOf(key));
        }
        // A tool that never fails takes no space in the store.
        if (after.failed > 0) await store.set(name, after);
        else if (before !== undefined) await store.delete(name);
        return {
          ...standing(openAttempts(after), limitOf(key)),
          turnAttempt: turnAttempt(after),
        };
      }),
    recordElsewhere: async (key, call) =>
      withState(key, async (name, before) => {
        const found = beginCall(before, call, scope);
        if (found.failed === 0 || found.turnOutcome !== "valid") return;
        await store.set(name, { ...found, turnOutcome: "elsewhere" });
      }),
    status: async (key, call) =>
      readState(key, (state) => {
        const maxAttempts = limitOf(key);
        if (!call) return standing(openAttempts(state), maxAttempts);
        const found = beginCall(state, call, scope);
        return {
          ...standing(found, maxAttempts),
          turnAttempt: turnAttempt(found),
          settled: wasBlockedBefore(found, maxAttempts),
        };
      }),
    reset: async (key) => withState(key, async (name) => store.delete(name)),
  };
}

type StateTask<T> = (name: string, state: AttemptState | undefined) => T | Promise<T>;

/** A JSON array, so that no two keys share a name. */
function storeKey({ conversationId, toolName, lane = "validation" }: AttemptKey): string {
  return JSON.stringify([conversationId, toolName, ...(lane === "validation" ? [] : [lane])]);
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
export interface KeyedQueue {
  readonly enqueue: <T>(key: string, task: () => Promise<T>) => Promise<T>;
  /** Whether no task of the key is waiting or running. */
  readonly isIdle: (key: string) => boolean;
}

/** Creates a queue in which a failing task does not affect the next. */
export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>();
  return {
    enqueue: async (key, task) => {
      const before = tails.get(key);
      const own = before === undefined ? task() : before.then(task, task);
      tails.set(key, own);
      try {
        return await own;
      } finally {
        if (tails.get(key) === own) tails.delete(key);
      }
    },
    isIdle: (key) => !tails.has(key),
  };
}
