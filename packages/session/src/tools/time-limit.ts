import { ToolContractError } from "@toolcontract/core";
import { type Limit, startLimit } from "@toolcontract/core/adapter";
import { TIMEOUT, ToolFailed, toolFailed } from "../shared/index.ts";

/** When a tool's call times out. */
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
 * @example
 * ```ts
 * const text = await withTimeout((signal) => load(signal), { milliseconds: 30_000 });
 * ```
 * @see packages/session/README.md
 */
export async function withTimeout<T>(
  run: (signal: AbortSignal) => PromiseLike<T> | T,
  limit: TimeLimit,
): Promise<T> {
  const deadline = startTimeLimit(limit);
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
  const deadline = startTimeLimit(limit);
  try {
    const iterator = await deadline.race(() => run(deadline.signal)[Symbol.asyncIterator]());
    yield* limitedSteps(iterator, deadline);
  } finally {
    deadline.stop();
  }
}

async function* limitedSteps<T>(
  iterator: AsyncIterator<T>,
  deadline: Limit,
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
async function endIterator(iterator: AsyncIterator<unknown>, deadline: Limit): Promise<void> {
  const end = async (): Promise<unknown> => iterator.return?.();
  const returned = end().catch(() => undefined);
  await deadline.race(() => returned).catch(() => undefined);
}

/** Starts the clock of one call; its time limit is the failure that the model reads. */
function startTimeLimit({ milliseconds, signal }: TimeLimit): Limit {
  if (milliseconds !== undefined && !(typeof milliseconds === "number" && milliseconds > 0)) {
    throw new ToolContractError(
      "withTimeout: `milliseconds` must be a number above 0; leave it out for no limit.",
    );
  }
  signal?.throwIfAborted();
  return startLimit({
    milliseconds,
    signal,
    failureOf: (reason) => new ToolFailed(toolFailed(TIMEOUT), reason),
  });
}
