import { type MaybePromise, SlotSet, isPromiseLike } from "@toolcontract/explain/adapter";

/** The longest time that a timer can wait, in milliseconds; a longer one fires at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/** Waits for a value; throws the signal's reason as soon as it aborts, and drops what comes later. */
export async function untilAborted<T>(value: MaybePromise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return value;
  if (!isPromiseLike(value)) {
    signal.throwIfAborted();
    return value;
  }
  return within(value, undefined, signal);
}

/** Waits for a promise until its time is over or a signal aborts; what comes later is dropped. */
export async function within<T>(
  promise: PromiseLike<T>,
  milliseconds: number | undefined,
  signal?: AbortSignal,
): Promise<T> {
  if (milliseconds === undefined && signal === undefined) return promise;
  if (signal?.aborted) {
    promise.then(undefined, () => undefined);
    throw signal.reason;
  }
  const limit = startLimit({ milliseconds, signal });
  try {
    return await limit.race(() => promise);
  } finally {
    limit.stop();
  }
}

/** When a wait ends whatever happens. */
export interface LimitOptions {
  /** Milliseconds from now; no limit of time if undefined. */
  readonly milliseconds?: number | undefined;
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
  /** What a wait rejects with when its time is over, if not with the reason of {@link Limit.signal}. */
  readonly failureOf?: (reason: Error) => unknown;
}

/** A limit that is running. */
export interface Limit {
  /** Aborts when the limit ends the wait; it costs nothing until somebody asks for it. */
  readonly signal: AbortSignal;
  /** Starts a step and waits for it, at most until the limit. */
  race<T>(start: () => MaybePromise<T>): Promise<T>;
  /**
   * Sets the clock anew, with what a wait rejects with when the time is over; without a time it stands still. Once the limit
   * has ended a wait, nothing changes.
   */
  arm(milliseconds: number | undefined, reasonOf?: (milliseconds: number) => Error): void;
  /** Ends the wait now. */
  end(reason: unknown): void;
  /** Stops the clock and leaves the caller's signal. */
  stop(): void;
}

/**
 * Starts the clock of one wait or several: {@link Limit.race} rejects with {@link timeLimitError} when the time is over, and
 * with the signal's reason when it aborts.
 */
export function startLimit(options: LimitOptions): Limit {
  return new RunningLimit(options);
}

/** A class, because a getter in an object literal makes a hidden class for each wait. */
class RunningLimit implements Limit {
  readonly #waits = new Set<(failure: unknown) => void>();
  readonly #failureOf: LimitOptions["failureOf"];
  readonly #leave: (() => void) | undefined;
  #over: { readonly reason: unknown; readonly failure: unknown } | undefined;
  #controller: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ milliseconds, signal, failureOf }: LimitOptions) {
    this.#failureOf = failureOf;
    this.arm(milliseconds);
    this.#leave = signal && onAbort(signal, () => this.end(signal.reason));
    if (signal?.aborted) this.end(signal.reason);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#over) this.#controller.abort(this.#over.reason);
    return this.#controller.signal;
  }

  arm(time: number | undefined, reasonOf: (milliseconds: number) => Error = timeLimitError): void {
    clearTimeout(this.#timer);
    if (time === undefined || this.#over) return;
    const expire = (): void => {
      const reason = reasonOf(time);
      this.#end(reason, this.#failureOf?.(reason));
    };
    this.#timer = setTimeout(expire, Math.min(time, LONGEST_TIMER_MS));
  }

  end(reason: unknown): void {
    this.#end(reason);
  }

  #end(reason: unknown, failure: unknown = reason): void {
    if (this.#over) return;
    this.stop();
    this.#over = { reason, failure };
    for (const giveUp of this.#waits) giveUp(failure);
    this.#controller?.abort(reason);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#leave?.();
  }

  async race<T>(start: () => MaybePromise<T>): Promise<T> {
    if (this.#over) throw this.#over.failure;
    return new Promise((resolve, reject) => {
      this.#waits.add(reject);
      const forget = (): void => void this.#waits.delete(reject);
      // A rejection must be handled even if nothing waits for it any more.
      settled(start).then(resolve, reject).finally(forget);
    });
  }
}

/** Runs a function at once; what it throws is a rejection. */
async function settled<T>(start: () => MaybePromise<T>): Promise<T> {
  return start();
}

const timeLimitErrors = new WeakSet();

/** What took longer than it may; the name is that of the platform's own time limits. */
class TimeLimitError extends Error {
  override readonly name: string = "TimeoutError";
}

/** Makes the error of a wait that took too long. */
export function timeLimitError(milliseconds: number | undefined): Error {
  const error = new TimeLimitError(`No answer within ${milliseconds} ms`);
  timeLimitErrors.add(error);
  return error;
}

/** Whether it is a limit that ended a wait; anything can be thrown, also what `instanceof` cannot be asked about. */
export function isTimeLimit(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && timeLimitErrors.has(thrown);
}

/** Waits; ends early, without an error, when the signal aborts. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      leave?.();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    const leave = signal && onAbort(signal, end);
    if (signal?.aborted) end();
  });
}

/** Those that wait for a signal share one listener: Node 20 warns of a leak when a signal has eleven. */
const waiting = new WeakMap<AbortSignal, SlotSet<() => void>>();

/** Calls `stop` when the signal aborts, until the function that it returns is called. */
export function onAbort(signal: AbortSignal, stop: () => void): () => void {
  const stops = waiting.get(signal) ?? new SlotSet<() => void>();
  if (stops.size === 0) {
    waiting.set(signal, stops);
    signal.addEventListener("abort", stopAll, { once: true });
  }
  const remove = stops.add(stop);
  return () => {
    remove();
    if (stops.size === 0) signal.removeEventListener("abort", stopAll);
  };
}

function stopAll(this: AbortSignal): void {
  for (const stop of waiting.get(this)?.values() ?? []) stop();
}
