import { type MaybePromise, chain, isPromiseLike } from "@toolcontract/explain/adapter";
import type { Lane } from "../shared/index.ts";
import type { AttemptState, Moment, TrackedCall } from "./attempt-state.ts";
import {
  type AttemptChange,
  type AttemptStore,
  type AttemptUpdate,
  type StoreOutage,
  readingChange,
  updateOf,
} from "./attempt-store.ts";
import { createKeyedQueue } from "./keyed-queue.ts";

/** One tool in one conversation and lane: attempts are counted per key. */
export interface AttemptKey {
  /** The conversation in which attempts are counted. */
  readonly conversationId: string;
  readonly toolName: string;
  /**
   * What the failures are counted under.
   *
   * @default "validation"
   */
  readonly lane?: Lane;
}

/** What a tracker asks a store: the questions of one key wait for each other. */
interface StoreQuestions {
  /** The name of a key in the store. */
  readonly nameOf: (key: AttemptKey) => string;
  /** Asks the store once all earlier requests are answered. */
  readonly ask: <A, T>(
    key: AttemptKey,
    question: (name: string) => MaybePromise<A>,
    read: (answer: A) => T,
  ) => MaybePromise<T>;
  /** Has the store change a state, at the time at which the call was made. */
  readonly update: <T>(
    key: AttemptKey,
    call: TrackedCall,
    change: TimedChange,
    read: (before: AttemptState | undefined, after: AttemptState | undefined) => T,
  ) => MaybePromise<T>;
}

/** A change that knows when its call was made. */
type TimedChange = (before: AttemptState | undefined, moment?: Moment) => AttemptState | undefined;

/** Creates what asks a store; what a store in memory answers need not be waited for. */
export function createStoreQuestions(
  store: AttemptStore,
  clock: () => number,
  onOutage: ((outage: StoreOutage | undefined) => void) | undefined,
): StoreQuestions {
  const enqueue = createKeyedQueue();
  const nameOf = createStoreKeys();
  let outage: StoreOutage | undefined;

  function noteOutage(): void {
    if (store.outage === outage) return;
    outage = store.outage;
    onOutage?.(outage);
  }

  function ask<A, T>(
    key: AttemptKey,
    question: (name: string) => MaybePromise<A>,
    read: (answer: A) => T,
  ): MaybePromise<T> {
    const name = nameOf(key);
    return enqueue(name, () =>
      chain(real(question(name)), (answer) => {
        noteOutage();
        return read(answer);
      }),
    );
  }

  const update = <T>(
    key: AttemptKey,
    call: TrackedCall,
    change: TimedChange,
    read: (before: AttemptState | undefined, after: AttemptState | undefined) => T,
  ): MaybePromise<T> =>
    ask(
      key,
      (name) => {
        const updated = (one: AttemptChange): MaybePromise<AttemptUpdate> =>
          store.update(name, readingChange(one));
        if (call.together === undefined) return updated((before) => change(before));
        let asked = clock();
        return updated((before, now) => {
          const after = change(
            before,
            momentOf(call, clock, now === undefined ? undefined : { asked, now }),
          );
          // After a conflict the store is asked again, so the time of asking is now.
          asked = clock();
          return after;
        });
      },
      (answer) => {
        const { before, after } = updateOf(answer);
        return read(before, after);
      },
    );

  return { ask, update, nameOf };
}

/** When a store was asked, by the tracker's clock, and when it answered, by its own. */
interface StoreTime {
  readonly asked: number;
  readonly now: number;
}

/** When a call without a named turn was made, by the store's clock if it has one: the clocks of replicas differ. */
export function momentOf(
  { together, at }: TrackedCall,
  clock: () => number,
  answer?: StoreTime,
): Moment | undefined {
  if (together === undefined) return undefined;
  if (answer === undefined) {
    const now = clock();
    return { made: at ?? now, now };
  }
  // Not until the answer was read: a busy process reads late, and would take the call for an older one.
  const { asked, now } = answer;
  return { made: now - (asked - (at ?? asked)), now };
}

/** A store's answer; a foreign promise becomes a real one. */
function real<T>(answer: MaybePromise<T>): MaybePromise<T> {
  return isPromiseLike(answer) ? Promise.resolve(answer) : answer;
}

/**
 * Names keys by JSON arrays, so that no two keys share a name. A call asks for several lanes of one tool again and again: a name
 * that is made once is hashed once.
 */
function createStoreKeys(): (key: AttemptKey) => string {
  let latest = laneNames("", "");
  return ({ conversationId, toolName, lane = "validation" }) => {
    if (latest.conversationId !== conversationId || latest.toolName !== toolName) {
      latest = laneNames(conversationId, toolName);
    }
    return (latest.names[lane] ??= `${latest.start},"${lane}"]`);
  };
}

/** A tool in a conversation, and the names of its lanes. */
interface StoreNames extends Pick<AttemptKey, "conversationId" | "toolName"> {
  readonly start: string;
  readonly names: Partial<Record<Lane, string>>;
}

function laneNames(conversationId: string, toolName: string): StoreNames {
  const start = JSON.stringify([conversationId, toolName]).slice(0, -1);
  return { conversationId, toolName, start, names: { validation: `${start}]` } };
}
