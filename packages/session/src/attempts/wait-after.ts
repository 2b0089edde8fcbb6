import type { AttemptError } from "../shared/index.ts";
import { retryAfterMs } from "./retry-after.ts";

const SHORTEST = 1_000;
const LONGEST = 60_000;

/** Returns the milliseconds between a failed attempt and the next one. */
export type WaitAfter<T> = (error: AttemptError, failed: T, next: T) => number;

/** A target that is limited, and until when. */
interface Limited {
  readonly until: number;
  /** True if the provider said so. */
  readonly isGiven: boolean;
}

/**
 * Creates the waiting policy of one turn: nothing after other errors, a given `Retry-After`, else 1 s doubling to 60 s. Between
 * cycles in which all of two or more targets were limited it is 60 s.
 */
export function createWaitAfter<T>({
  targets,
  rateLimitWait,
  clock,
}: {
  readonly targets: readonly T[];
  readonly rateLimitWait: "always" | "same-target";
  readonly clock: () => number;
}): WaitAfter<T> {
  const isPerTarget = rateLimitWait === "same-target";
  const limited = new Map<T, Limited>();
  // Rate limits in a row, in the turn and in the current cycle.
  let streak = 0;
  let inCycle = 0;

  /** Counts a rate limit; true if it was the last of a cycle without anything else. */
  function endsCycle(): boolean {
    streak += 1;
    inCycle += 1;
    const isEnd = targets.length > 1 && inCycle >= targets.length;
    if (isEnd) inCycle = 0;
    return isEnd;
  }

  function remainingOf(target: T, now: number): number {
    return Math.max(0, (limited.get(target)?.until ?? now) - now);
  }

  return (error, failed, next) => {
    const now = clock();
    if (error.kind !== "rate_limit") {
      streak = 0;
      inCycle = 0;
      return isPerTarget ? remainingOf(next, now) : 0;
    }
    const isEnd = endsCycle();
    const given = retryAfterMs(error, now);
    const backoff = Math.min(SHORTEST * 2 ** (streak - 1), LONGEST);
    if (!isPerTarget) return given ?? (isEnd ? LONGEST : backoff);
    limited.set(failed, { until: now + (given ?? backoff), isGiven: given !== undefined });
    const isOpen = isEnd && limited.get(next)?.isGiven !== true;
    return isOpen ? LONGEST : remainingOf(next, now);
  };
}
