const limits = new WeakSet();

/** What took longer than it may; the name is that of the platform's own time limits. */
class TimeLimitError extends Error {
  override readonly name: string = "TimeoutError";
}

/** Makes the error of a wait that took too long. */
export function timeLimitError(limitMs: number | undefined): Error {
  const error = new TimeLimitError(`No answer within ${limitMs} ms`);
  limits.add(error);
  return error;
}

/** Waits for a promise until a time limit or an abort; what comes later is ignored. */
export async function within<T>(
  promise: PromiseLike<T>,
  limitMs: number | undefined,
  signal?: AbortSignal,
): Promise<T> {
  if (limitMs === undefined && signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const expire = (): void => {
      settle();
      reject(timeLimitError(limitMs));
    };
    const timer = limitMs === undefined ? undefined : setTimeout(expire, limitMs);
    const abort = (): void => {
      settle();
      reject(signal?.reason as Error);
    };
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    // Also of a promise that nobody waits for any more, the rejection must be handled.
    Promise.resolve(promise).then(
      (value) => {
        settle();
        resolve(value);
      },
      (thrown: unknown) => {
        settle();
        reject(thrown);
      },
    );
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Whether it is the time limit that ended the wait; anything can be thrown, also what `instanceof` cannot be asked about. */
export function isTimeLimit(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && limits.has(thrown);
}
