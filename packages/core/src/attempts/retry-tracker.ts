import type { AttemptRecord } from "../shared/index.ts";
import {
  type AttemptState,
  type TrackedCall,
  type TrackedFailure,
  addFailure,
  beginCall,
  openAttempts,
} from "./attempt-state.ts";
import { type AttemptStore, createMemoryStore } from "./attempt-store.ts";
import type { AttemptScope } from "./count-attempts.ts";
import { findRepeat } from "./history.ts";

/** Whose attempts are counted: those of one tool in one conversation. */
export interface AttemptKey {
  /** The conversation in which attempts are counted. */
  readonly conversationId: string;
  readonly toolName: string;
}

/** How a tool stands in a conversation. */
export interface AttemptStatus {
  /** Failed model turns since the tool last succeeded, this call's included. */
  readonly attempt: number;
  /** How many attempts the tool has. */
  readonly maxAttempts: number;
  /** `"blocked"` once the failure numbered `maxAttempts` has happened. */
  readonly status: "open" | "blocked";
  /** True where the tool was blocked before this call's turn. */
  readonly settled: boolean;
  /** True where an earlier call was escalated already, a parallel one included. */
  readonly announced?: boolean;
  /** The earlier attempt that had the same arguments, if any. */
  readonly repeats?: number;
  /** The failed attempts, oldest first. */
  readonly history: readonly AttemptRecord[];
}

/** Counts attempts for hosts that keep no message history. */
export interface RetryTracker {
  /** Counts a rejected call; parallel ones of one turn share a number. */
  recordFailure(key: AttemptKey, failure: TrackedFailure): Promise<AttemptStatus>;
  /** Notes a valid call, which ends the count unless another call of its turn was or will be rejected. */
  recordValid(key: AttemptKey, call: TrackedCall): Promise<AttemptStatus>;
  /** How the tool stands now, or how the call given would find it. */
  status(key: AttemptKey, call?: TrackedCall): Promise<AttemptStatus>;
  /** Forgets the attempts of a tool in a conversation. */
  reset(key: AttemptKey): Promise<void>;
}

/** What a tracker is made with. */
export interface RetryTrackerOptions {
  readonly scope: AttemptScope;

  /** How many attempts each tool has. */
  readonly maxAttempts: number;
  /** Where attempts are kept: by default in a bounded store in memory. */
  readonly store?: AttemptStore;
  /** The clock of that default store. */
  readonly clock?: () => number;
}

/**
 * Makes a tracker that stays right under interleaved asynchronous use.
 *
 * @remarks Calls of one key wait for each other within this process only: two processes on one shared
 * store may still lose each other's update.
 */
export function createRetryTracker(options: RetryTrackerOptions): RetryTracker {
  const { scope, maxAttempts, clock } = options;
  const store = options.store ?? createMemoryStore(clock && { clock });
  const enqueue = createKeyedQueue();
  const withState = async <T>(key: AttemptKey, task: StateTask<T>): Promise<T> => {
    const name = storeKey(key);
    // Key-value stores answer null for what they do not have.
    return enqueue(name, async () => task(name, (await store.get(name)) ?? undefined));
  };
  return {
    recordFailure: async (key, failure) =>
      withState(key, async (name, before) => {
        const found = beginCall(before, failure, scope);
        const after = addFailure(found, failure, maxAttempts);
        await store.set(name, after);
        const repeats = findRepeat(answeredAttempts(found), failure.argumentsHash);
        return {
          ...standing(after, maxAttempts),
          settled: isSettled(found, maxAttempts),
          announced: found.failed >= maxAttempts,
          ...(repeats !== undefined && { repeats }),
        };
      }),
    recordValid: async (key, call) =>
      withState(key, async (name, before) => {
        const after = beginCall(before, call, scope);
        // Tools that never fail take no room in the store.
        if (after.failed > 0) await store.set(name, after);
        else if (before !== undefined) await store.delete(name);
        return standing(openAttempts(after), maxAttempts);
      }),
    status: async (key, call) =>
      withState(key, (_, state) => {
        if (!call) return standing(openAttempts(state), maxAttempts);
        const found = beginCall(state, call, scope);
        return { ...standing(found, maxAttempts), settled: isSettled(found, maxAttempts) };
      }),
    reset: async (key) => withState(key, async (name) => store.delete(name)),
  };
}

type StateTask<T> = (name: string, state: AttemptState | undefined) => T | Promise<T>;

/** A JSON list of both parts, because no two pairs write the same one. */
function storeKey({ conversationId, toolName }: AttemptKey): string {
  return JSON.stringify([conversationId, toolName]);
}

/** True where the attempts were spent before the call's own turn, not by a parallel call of it. */
function isSettled({ failed, turnOutcome }: AttemptState, maxAttempts: number): boolean {
  return failed >= maxAttempts && turnOutcome !== "counted";
}

/** The model has not seen the answers to its own turn yet, so a parallel call repeats nothing. */
function answeredAttempts(state: AttemptState): readonly AttemptRecord[] {
  return state.turnOutcome === "counted" ? state.history.slice(0, -1) : state.history;
}

function standing(
  { failed, history }: Pick<AttemptState, "failed" | "history">,
  maxAttempts: number,
): AttemptStatus {
  const isBlocked = failed >= maxAttempts;
  const status = isBlocked ? "blocked" : "open";
  // A shared store may hold more failures than a lower limit allows by now.
  return {
    attempt: Math.min(failed, maxAttempts),
    maxAttempts,
    status,
    settled: isBlocked,
    history,
  };
}

/** Runs tasks of one key after another and tasks of different keys side by side; it keeps nothing once idle. */
export type KeyedQueue = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** Makes a queue in which a failing task fails alone and does not hold up the next. */
export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const before = tails.get(key);
    const mine = before === undefined ? task() : before.then(task, task);
    tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === mine) tails.delete(key);
    }
  };
}
