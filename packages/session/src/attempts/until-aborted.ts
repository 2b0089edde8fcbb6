/** Runs a function, and rejects with the signal's reason as soon as it aborts; a late result is discarded. */
export async function untilAborted<R>(
  run: () => R | PromiseLike<R>,
  signal: AbortSignal | undefined,
): Promise<R> {
  if (!signal) return run();
  signal.throwIfAborted();
  const { promise: aborted, reject } = withRejection();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([run(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function withRejection(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<never>((_, rejectPromise) => {
    reject = rejectPromise;
  });
  return { promise, reject };
}
