/** What took longer than it may. */
export class TimeLimitError extends Error {
  // The name under which runtimes report time limits, so that it is classified as one.
  override readonly name: string = "TimeoutError";
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
      reject(new TimeLimitError(`No answer within ${limitMs} ms`));
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
    if (signal?.aborted === true) return abort();
    signal?.addEventListener("abort", abort, { once: true });
    promise.then(
      (value) => {
        settle();
        resolve(value);
      },
      (thrown: unknown) => {
        settle();
        reject(thrown);
      },
    );
  });
}
