import { startLimit } from "@toolcontract/core/adapter";
import { ProviderError, type RequestTimeout } from "../shared/index.ts";

/** The time of one request to a model. */
export interface RequestClock {
  /** Aborts when the time is over or the caller's signal does. */
  readonly signal: AbortSignal;
  /** Waits for a step of the request, at most for its time. */
  readonly race: <T>(step: () => Promise<T>) => Promise<T>;
  /**
   * Waits for the next part of a streamed answer; `isContent` says whether a part holds something of it. From the first such
   * part on, time counts only while somebody waits.
   */
  readonly read: <T>(step: () => Promise<T>, isContent: (part: T) => boolean) => Promise<T>;
  /** Notes that a part of the answer came by another way. */
  readonly heard: () => void;
  /** Notes that the connection is alive, although nothing of the answer came: a ping, or bytes. */
  readonly alive: () => void;
  /** Whether a part of the answer came. */
  readonly hasBegun: boolean;
  /** Stops the clock. */
  readonly stop: () => void;
}

/** What a request has, and whether its answer comes part by part. */
export interface RequestClockOptions {
  readonly timeout: Required<RequestTimeout>;
  readonly isStreamed: boolean;
  /** Whether a connection that is alive is waited for before the first part, too. */
  readonly isPatient?: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Starts the clock of one request. Whatever the provider does, a wait ends: with a ProviderError of the kind `"timeout"`, or
 * with the reason of the caller's signal.
 */
export function startRequestClock({
  timeout: { firstToken, silence, total },
  isStreamed,
  isPatient = false,
  signal,
}: RequestClockOptions): RequestClock {
  const limit = startLimit({ signal });
  const endsAt = performance.now() + total;
  let hasHeard = false;

  /** The next part has this time, but never more than what is left of the whole. */
  function arm(milliseconds: number, words: string): void {
    const left = endsAt - performance.now();
    const [time, said] =
      milliseconds < left
        ? [milliseconds, `${words} within ${milliseconds} ms`]
        : [Math.max(0, left), `the answer was not complete within ${total} ms`];
    limit.arm(time, () => new ProviderError("timeout", said));
  }
  const awaitMore = (): void => arm(silence, "the answer went on with nothing");
  const awaitFirst = (): void => arm(firstToken, "nothing of an answer came");
  if (isStreamed) awaitFirst();
  else arm(Number.POSITIVE_INFINITY, "");
  /** Whether somebody waits for the next part. */
  let isWaiting = !hasHeard;

  return {
    signal: limit.signal,
    race: async (step) => limit.race(step),
    async read(step, isContent) {
      if (hasHeard) awaitMore();
      isWaiting = true;
      const part = await limit.race(step);
      isWaiting = !hasHeard;
      hasHeard ||= isContent(part);
      // Stop the clock: a slow reader is not a silent provider.
      if (hasHeard) limit.arm(undefined);
      return part;
    },
    heard() {
      hasHeard = true;
      awaitMore();
    },
    alive() {
      if (!isStreamed || !isWaiting) return;
      if (hasHeard) awaitMore();
      else if (isPatient) awaitFirst();
    },
    get hasBegun() {
      return hasHeard;
    },
    stop: () => limit.stop(),
  };
}
