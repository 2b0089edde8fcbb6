import { type MaybePromise, isPromiseLike } from "@toolcontract/explain/adapter";

/** Waits for a value; throws the signal's reason as soon as it aborts. */
export async function untilAborted<T>(value: MaybePromise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return value;
  if (!isPromiseLike(value)) {
    signal.throwIfAborted();
    return value;
  }
  // Swallow a late rejection: nobody may be waiting any more.
  value.then(undefined, () => undefined);
  signal.throwIfAborted();
  let leave = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    leave = onAbort(signal, () => reject(signal.reason));
  });
  try {
    const settled = await Promise.race([value, aborted]);
    signal.throwIfAborted();
    return settled;
  } finally {
    leave();
  }
}

type Stop = () => void;

/** Those that wait for a signal share one listener: Node 20 warns of a leak when a signal has eleven. */
const waiting = new WeakMap<AbortSignal, Set<Stop>>();

/** Calls `stop` when the signal aborts, until the function that it returns is called. */
function onAbort(signal: AbortSignal, stop: Stop): () => void {
  const stops = waiting.get(signal) ?? new Set();
  if (stops.size === 0) {
    waiting.set(signal, stops);
    signal.addEventListener("abort", stopAll, { once: true });
  }
  stops.add(stop);
  return () => {
    stops.delete(stop);
    if (stops.size === 0) signal.removeEventListener("abort", stopAll);
  };
}

function stopAll(this: AbortSignal): void {
  for (const stop of waiting.get(this) ?? []) stop();
}
