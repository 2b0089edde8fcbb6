import {
  type AttemptChange,
  type AttemptState,
  type AttemptStore,
  type StoreOutage,
  ToolContractError,
  createMemoryStore,
} from "@toolcontract/core";
import {
  type MaybePromise,
  attemptStateOf,
  attemptUpdateOf,
  chain,
  createRecentMap,
  isAttemptStore,
  isPromiseLike,
} from "@toolcontract/core/adapter";
import { inTime } from "./in-time.ts";
import { type Divergence, mergeStates } from "./merge-states.ts";

const MAX_KEYS = 10_000;

/**
 * When a shared store is not used for a while.
 *
 * @example
 * ```ts
 * const options: FallbackOptions = { timeLimit: 200, pause: 5000 };
 * ```
 * @see docs/stores.md
 */
export interface FallbackOptions {
  /**
   * How many milliseconds an answer may take before the call is counted without it.
   * @default 500
   */
  readonly timeLimit?: number;
  /**
   * How many milliseconds of an outage pass before the store is asked again.
   * @default 1000
   */
  readonly pause?: number;
}

/** So many late answers in a row are an outage; one is a busy machine. */
const LATE_IN_A_ROW = 3;

/** Thrown if a shared store has not answered in time. */
class StoreTimeoutError extends Error {}

/**
 * Limits how long a call waits for a shared store, and goes on counting in this process while the store fails.
 *
 * @remarks An answer that is late is done without for that call alone. An error, or three late answers in a row, are an
 * outage: counts continue from the last state seen here, and one call in each pause asks again. Once it answers, the next
 * update of a key merges what was counted meanwhile: the higher count wins, and a run that has begun meanwhile. A contract
 * reports the beginning of each outage as `contract-degraded` with the stage `store`, and logs its end.
 * @throws ToolContractError if the store or an option is not what it must be.
 * @example
 * ```ts
 * const contract = createContract({ store: withFallback(shared) });
 * ```
 * @see docs/stores.md
 */
export function withFallback(shared: AttemptStore, options: FallbackOptions = {}): AttemptStore {
  const { timeLimit, pause } = fallbackLimits(shared, options);
  /** The last state of each key seen here, for a time in which the shared store cannot be asked. */
  const seen = createMemoryStore({ maxEntries: MAX_KEYS });
  /** The keys that were counted without the shared store since. */
  const diverged = createRecentMap<string, Base>(MAX_KEYS);
  let outage: StoreOutage | undefined;
  let pausedAt = 0;
  let isProbing = false;
  let late = 0;

  /** Asks the shared store, or answers without it. */
  function ask<A, T>(
    question: (asked: AskedStore) => MaybePromise<A>,
    read: (answer: A) => T,
    alone: () => T,
  ): MaybePromise<T> {
    if (outage && (isProbing || performance.now() - pausedAt < pause)) return alone();
    const isProbe = outage !== undefined;
    isProbing = isProbe;
    const asked: AskedStore = { isOver: false };

    function answered(answer: A): T {
      let value: T;
      try {
        value = read(answer);
      } catch (thrown) {
        return failed(thrown);
      }
      if (isProbe) [outage, isProbing] = [undefined, false];
      late = 0;
      return value;
    }
    function failed(cause: unknown): T {
      asked.isOver = true;
      if (isProbe) isProbing = false;
      if (asked.fault && asked.fault.thrown === cause) throw cause;
      if (cause instanceof StoreTimeoutError && !isProbe) {
        late += 1;
        if (late < LATE_IN_A_ROW) return alone();
      }
      pausedAt = performance.now();
      outage ??= { cause };
      return alone();
    }
    let answer: MaybePromise<A>;
    try {
      answer = question(asked);
    } catch (thrown) {
      return failed(thrown);
    }
    if (!isPromiseLike(answer)) return answered(answer);
    return inTime(answer, timeLimit).then(
      (got) =>
        got
          ? answered(got.value)
          : failed(new StoreTimeoutError(`No answer within ${timeLimit} ms.`)),
      failed,
    );
  }

  function divergenceOf(key: string): (Divergence & { readonly entry: Base }) | undefined {
    const entry = diverged.get(key);
    if (!entry) return undefined;
    const own = seen.get(key);
    if (own !== undefined || entry.isCleared) return { entry, base: entry.base, own };
    // What was counted has expired meanwhile.
    diverged.take(key);
    return undefined;
  }

  function remember(key: string, state: AttemptState | undefined): void {
    seen.update(key, () => state);
  }

  function update(key: string, change: AttemptChange): ReturnType<AttemptStore["update"]> {
    let found: AttemptState | undefined;
    let merged: Base | undefined;
    return ask(
      (asked) =>
        shared.update(key, (before, now) => {
          // It counted without the engine long ago: nothing may be written late.
          if (asked.isOver) return before;
          const divergence = divergenceOf(key);
          merged = divergence?.entry;
          found = divergence ? mergeStates(before, divergence) : before;
          try {
            return change(found, now);
          } catch (thrown) {
            asked.fault = { thrown };
            throw thrown;
          }
        }),
      (answer) => {
        const { after } = attemptUpdateOf(answer);
        if (diverged.get(key) === merged) {
          diverged.take(key);
          remember(key, after);
        }
        return { before: found, after };
      },
      () => {
        const divergence = divergenceOf(key);
        const before = seen.get(key);
        const after = change(before);
        const base = divergence ? divergence.base : before;
        if (after !== before) diverged.set(key, { base, isCleared: after === undefined });
        remember(key, after);
        return { before, after };
      },
    );
  }

  return {
    get: (key) =>
      ask(
        () => shared.get(key),
        (answer) => {
          const state = attemptStateOf(answer);
          const divergence = divergenceOf(key);
          if (divergence) return mergeStates(state, divergence);
          remember(key, state);
          return state;
        },
        () => seen.get(key),
      ),
    update,
    delete: (key) =>
      chain(
        update(key, () => undefined),
        () => undefined,
      ),
    get outage() {
      // A store that works without its engine still answers, and is still in an outage.
      return outage ?? shared.outage;
    },
  };
}

/** One question to the shared store. */
interface AskedStore {
  /** True once it is answered without the shared store. */
  isOver: boolean;
  /** What `change` itself threw, which is not a fault of the store. */
  fault?: { readonly thrown: unknown };
}

/** The state from which a key was counted without the shared store. */
interface Base {
  readonly base: AttemptState | undefined;
  /** True if that left no state. */
  readonly isCleared: boolean;
}

function fallbackLimits(shared: AttemptStore, options: FallbackOptions): Required<FallbackOptions> {
  if (!isAttemptStore(shared)) {
    throw new ToolContractError("withFallback: the first argument must be an AttemptStore.");
  }
  const { timeLimit = 500, pause = 1_000 } = options;
  for (const [name, value] of Object.entries({ timeLimit, pause })) {
    if (Number.isFinite(value) && value > 0) continue;
    throw new ToolContractError(
      `withFallback: \`${name}\` must be a number of milliseconds above 0.`,
    );
  }
  return { timeLimit, pause };
}
