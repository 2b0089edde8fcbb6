import type { ErrorKind, ProviderError } from "../shared/index.ts";
import { resetIn } from "./reset-times.ts";
import { retryAfterMs } from "./retry-after.ts";

const SHORTEST = 1_000;
const LONGEST = 60_000;

/** A rate limit of a target. */
interface RateLimit {
  readonly until: number;
  /** True if the provider said so. */
  readonly isGiven: boolean;
}

/** The kinds of failures with which a provider may ask to be left alone for a while. */
const MAY_ASK: ReadonlySet<ErrorKind> = new Set<ErrorKind>(["rate_limit", "model", "network"]);

function givenBy(error: ProviderError, now: number): number | undefined {
  if (!MAY_ASK.has(error.kind)) return undefined;
  return (
    retryAfterMs(error, now) ?? (error.kind === "rate_limit" ? resetIn(error, now) : undefined)
  );
}

/** The rate limits of targets, which the turns of a run share; one without an end puts its target out. */
export type RateLimits<T> = Map<T, RateLimit>;

/** Where the requests of one turn go, and when. */
export interface Pace<T> {
  /** Where the next request goes; undefined if every target is out. */
  readonly target: T | undefined;
  /** Milliseconds until then, before the first request. */
  readonly wait: number;
  /** Goes on to the next target after a failure, and returns the milliseconds until its request. */
  after(error: ProviderError): number;
  /** For how many milliseconds the last target asked to be left alone, if that was longer than is waited. */
  readonly askedFor: number | undefined;
}

/** What a pace is made of. */
export interface PaceOptions<T> {
  readonly targets: readonly T[];
  readonly rateLimitWait: "always" | "same-target";
  readonly maxRateLimitWait: number;
  readonly rateLimits: RateLimits<T>;
  readonly clock: () => number;
}

/**
 * Creates the pace of one turn: round robin, and no wait but for rate limits and what a provider asks for. Rate limits wait as
 * the provider says, else 1 s doubling to 60 s, and 60 s between cycles in which all of two or more targets were limited. A target that asks for more than
 * `maxRateLimitWait` is out.
 */
export function createPace<T>({
  targets,
  rateLimitWait,
  maxRateLimitWait: most,
  rateLimits,
  clock,
}: PaceOptions<T>): Pace<T> {
  const isPerTarget = rateLimitWait === "same-target";
  // Rate limits in a row, in the turn and in the current cycle.
  let streak = 0;
  let inCycle = 0;
  /** Targets that would fail in the same way again in this turn. */
  const spent = new Set<T>();

  const remainingOf = (target: T, now: number): number =>
    Math.max(0, (rateLimits.get(target)?.until ?? now) - now);
  const isIn = (target: T): boolean =>
    !spent.has(target) && rateLimits.get(target)?.until !== Number.POSITIVE_INFINITY;

  /** What is left of a wait that a provider asked for in an earlier turn. */
  const givenOf = (target: T, now: number): number =>
    isPerTarget && rateLimits.get(target)?.isGiven === true ? remainingOf(target, now) : 0;

  /** The first target that is free, or else the one that is so first. */
  function firstOf(now: number): T | undefined {
    return targets
      .filter(isIn)
      .toSorted((one, other) => givenOf(one, now) - givenOf(other, now))[0];
  }

  function nextOf(target: T | undefined): T | undefined {
    const index = target === undefined ? -1 : targets.indexOf(target);
    return [...targets.slice(index + 1), ...targets.slice(0, index + 1)].find(isIn);
  }

  const untilOf = (given: number, now: number): number =>
    given > most ? Number.POSITIVE_INFINITY : now + given;

  /** Counts a rate limit; true if it was the last of a cycle without anything else. */
  function endsCycle(): boolean {
    const left = targets.filter(isIn).length;
    streak += 1;
    inCycle += 1;
    const isEnd = left > 1 && inCycle >= left;
    if (isEnd) inCycle = 0;
    return isEnd;
  }

  let askedFor: number | undefined;
  const start = clock();
  let target = firstOf(start);
  const wait = target === undefined ? 0 : givenOf(target, start);

  return {
    get target() {
      return target;
    },
    wait,
    get askedFor() {
      return askedFor;
    },
    after(error) {
      const failed = target;
      const now = clock();
      const go = (): number => {
        target = nextOf(failed);
        return target === undefined || !isPerTarget ? 0 : remainingOf(target, now);
      };
      if (error.isSpent && failed !== undefined) spent.add(failed);
      const given = givenBy(error, now);
      askedFor = given !== undefined && given > most ? given : undefined;
      if (error.kind !== "rate_limit" || failed === undefined) {
        streak = 0;
        inCycle = 0;
        if (given === undefined || failed === undefined) return go();
        rateLimits.set(failed, { until: untilOf(given, now), isGiven: true });
        const left = go();
        return target === failed ? given : left;
      }
      const isEnd = endsCycle();
      if (given !== undefined && given > most) {
        rateLimits.set(failed, { until: untilOf(given, now), isGiven: true });
        return go();
      }
      const backoff = Math.min(SHORTEST * 2 ** (streak - 1), LONGEST, most);
      const wholeCycle = Math.min(LONGEST, most);
      if (!isPerTarget) {
        go();
        return given ?? (isEnd ? wholeCycle : backoff);
      }
      rateLimits.set(failed, { until: now + (given ?? backoff), isGiven: given !== undefined });
      const left = go();
      const isOpen = isEnd && target !== undefined && rateLimits.get(target)?.isGiven !== true;
      return isOpen ? wholeCycle : left;
    },
  };
}
