import { ToolContractError } from "@toolcontract/core";

import { LONGEST_TIMER_MS, TIMEOUT, ToolFailed, toolFailed } from "../shared/index.ts";

/** When a tool's call is given up. */
export interface TimeLimit {
  /** Milliseconds from its start; no limit if undefined. */
  readonly milliseconds?: number | undefined;
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a tool until its time is over or the caller's signal fires. Both abort the signal that the tool gets, and nothing
 * waits for a tool that goes on all the same: what it returns or throws later is dropped.
 *
 * @throws ToolFailed `(tool failed: timeout)` when the time is over; what the caller's signal was aborted with; or what the
 * tool threw.
 */
export async function withTimeout<T>(
  run: (signal: AbortSignal) => PromiseLike<T> | T,
  limit: TimeLimit,
): Promise<T> {
  const deadline = startDeadline(limit);
  try {
    return await deadline.race(() => run(deadline.signal));
  } finally {
    deadline.stop();
  }
}

/**
 * Passes on what a tool yields, with one limit for all of it. The clock starts when the first value is asked for; if it
 * ends before the tool does, the tool's iterator is returned.
 *
 * @throws As `withTimeout` does, from the iterator.
 */
export async function* iterateWithTimeout<T>(
  run: (signal: AbortSignal) => AsyncIterable<T>,
  limit: TimeLimit,
): AsyncGenerator<T, void, undefined> {
  const deadline = startDeadline(limit);
  try {
    const iterator = await deadline.race(() => run(deadline.signal)[Symbol.asyncIterator]());
    yield* steps(iterator, deadline);
  } finally {
    deadline.stop();
  }
}

async function* steps<T>(
  iterator: AsyncIterator<T>,
  deadline: Deadline,
): AsyncGenerator<T, void, undefined> {
  let isWaiting = false;
  try {
    for (;;) {
      const step = await deadline.race(() => iterator.next());
      if (step.done === true) return;
      isWaiting = true;
      yield step.value;
      isWaiting = false;
    }
  } finally {
    // The reader left, or the time is over; after its own end or failure an iterator is not returned.
    if (isWaiting || deadline.signal.aborted) await endIterator(iterator, deadline);
  }
}

/** Ends a tool that would yield more. If its time is over, nothing waits for it. */
async function endIterator(iterator: AsyncIterator<unknown>, deadline: Deadline): Promise<void> {
  const returned = settled(() => iterator.return?.()).catch(() => undefined);
  await deadline.race(() => returned).catch(() => undefined);
}

interface Deadline {
  /** Fires when the time is over or the caller's signal fires. */
  readonly signal: AbortSignal;
  /** Starts a step and waits for it, at most until the deadline. One step at a time. */
  race<T>(start: () => PromiseLike<T> | T): Promise<T>;
  /** Clears the timer and the listener. */
  stop(): void;
}

function startDeadline({ milliseconds, signal }: TimeLimit): Deadline {
  if (milliseconds !== undefined && !(typeof milliseconds === "number" && milliseconds > 0)) {
    throw new ToolContractError(
      "withTimeout: `milliseconds` must be a number above 0; leave it out for no limit.",
    );
  }
  signal?.throwIfAborted();
  const ending = new AbortController();
  let failed: { readonly failure: unknown } | undefined;
  let giveUp: ((failure: unknown) => void) | undefined;
  function end(failure: unknown, reason: unknown): void {
    stop();
    failed = { failure };
    giveUp?.(failure);
    ending.abort(reason);
  }
  const onTime = (): void => {
    const reason = new DOMException(`No result after ${milliseconds} ms`, "TimeoutError");
    end(new ToolFailed(toolFailed(TIMEOUT), reason), reason);
  };
  const onAbort = (): void => end(signal?.reason, signal?.reason);
  const timer =
    milliseconds === undefined
      ? undefined
      : setTimeout(onTime, Math.min(milliseconds, LONGEST_TIMER_MS));
  signal?.addEventListener("abort", onAbort, { once: true });
  function stop(): void {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
  return {
    signal: ending.signal,
    stop,
    race: (start) =>
      new Promise((resolve, reject) => {
        if (failed) {
          reject(failed.failure);
          return;
        }
        giveUp = reject;
        settled(start).then(resolve, reject);
      }),
  };
}

/** Runs a function at once; what it throws is a rejection. */
function settled<T>(start: () => PromiseLike<T> | T): Promise<T> {
  return new Promise((resolve) => {
    resolve(start());
  });
}
