import { ToolContractError } from "@toolcontract/core";
import { readMember, untilAborted } from "@toolcontract/core/adapter";
import { AttemptError, type ErrorKind, FATAL, TurnFailed, cleanLine } from "../shared/index.ts";
import { classifyError, isErrorKind } from "./classify-error.ts";
import { messageOf } from "./message-of.ts";
import { createPace, type RateLimits } from "./pace.ts";

/** An attempt that failed, as it is reported. */
export interface FailedAttempt<T> {
  /** The number of the attempt in its turn, from 1. */
  readonly number: number;
  /** The target that was called. */
  readonly target: T;
  /** Its `cause` is what was thrown. */
  readonly error: AttemptError;
  /** Milliseconds until the next attempt; absent if there is none. */
  readonly waits?: number;
  /** Where the next attempt goes; absent if there is none. */
  readonly next?: T;
}

/** The attempts of one turn. */
export interface AttemptOptions<T, R> {
  /** Where attempts go, in turn: attempt N goes to `targets[(N - 1) % targets.length]`, but for those that are limited. */
  readonly targets: readonly T[];
  /** How many attempts there are in total: 1 means no retry. */
  readonly maxRetries: number;
  /** Makes one request. */
  readonly call: (
    target: T,
    attempt: {
      /** From 1. */
      readonly number: number;
      /** What this request must say, and no other, after an answer to retry. */
      readonly notice: string | undefined;
    },
  ) => PromiseLike<R>;
  /** Whether a rate limit delays the next attempt on another target too, or only on the same one. */
  readonly rateLimitWait: "always" | "same-target";
  /** A target that asks for a longer wait, in milliseconds, is not asked again. @default 60_000 */
  readonly maxRateLimitWait?: number;
  /** The rate limits of earlier turns, which this one goes on with. */
  readonly rateLimits?: RateLimits<T>;
  /** Your own reading of an error; undefined leaves it to {@link classifyError}. */
  readonly classify?: ((error: unknown) => ErrorKind | undefined) | undefined;
  /** Waits; if it rejects, the next attempt is made at once. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => PromiseLike<void>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Ends the turn at once, during a wait and during a request that ignores it. */
  readonly signal?: AbortSignal | undefined;
  /** Whether a time limit of the framework's own aborted the signal, and not the caller. */
  readonly isTimeLimit?: ((reason: unknown) => boolean) | undefined;
  /** Whether the framework takes an answer that comes after its time limit; then the next target is asked. */
  readonly isLateTaken?: boolean;
  /** Called after each failed attempt, before the wait; what it throws changes nothing. */
  readonly onFailed?: ((failed: FailedAttempt<T>) => void) | undefined;
}

/**
 * Makes the attempts of one turn, round robin through the targets (AI Agent Contract, section 3).
 *
 * It promises at most `maxRetries` requests; that errors of authentication and quota end the turn at once; that a rate
 * limit waits as the provider says, else 1 s doubling to 60 s, and 60 s if all of two or more targets were limited in
 * one cycle; that a target which asks for more than `maxRateLimitWait` is left out; that all other errors go on with the next
 * target at once; and no wait after the last attempt.
 *
 * @throws {@link TurnFailed} if the attempts are spent, after a fatal error, and when the signal aborts. Its `cause` is what
 *   the last attempt threw.
 * @throws {@link ToolContractError} for an empty list of targets or a `maxRetries` below 1.
 * @see packages/session/README.md
 */
export async function runAttempts<T, R>(options: AttemptOptions<T, R>): Promise<R> {
  const { maxRetries, call, sleep } = options;
  checkOptions(options);
  const signalNow = (): AbortSignal | undefined => liveSignal(options);
  const { maxRateLimitWait = 60_000, rateLimits = new Map() } = options;
  const pace = createPace({ ...options, maxRateLimitWait, rateLimits });
  let notice: string | undefined;
  let attempts = 0;

  function report(failed: FailedAttempt<T>): void {
    try {
      options.onFailed?.(failed);
    } catch {
      // A listener changes nothing.
    }
  }

  // Whether it was the signal that ended the wait, the next attempt finds out.
  const rest = async (time: number): Promise<void> => {
    const signal = signalNow();
    const sleeping = async (): Promise<void> => sleep(time, signal);
    if (time > 0) await untilAborted(sleeping(), signal).catch(() => undefined);
  };

  await rest(pace.wait);
  for (let number = 1; ; number += 1) {
    const { target } = pace;
    if (target === undefined) throw allOut(maxRateLimitWait, attempts);
    let error: AttemptError;
    const signal = signalNow();
    try {
      signal?.throwIfAborted();
      attempts = number;
      return await untilAborted(call(target, { number, notice }), signal);
    } catch (thrown) {
      error = attemptErrorOf(thrown, options);
    }
    const waits = FATAL.has(error.kind) ? 0 : pace.after(error);
    const isLast = FATAL.has(error.kind) || number >= maxRetries || pace.target === undefined;
    if (attempts === number) {
      report({ number, target, error, ...(!isLast && { waits, next: pace.target as T }) });
    }
    if (isLast) {
      const cause = error.cause ?? error;
      throw new TurnFailed(error.kind, cleanLine(error.message), { cause, attempts });
    }
    notice = error.notice;
    await rest(waits);
  }
}

/** The signal that ends an attempt; one that is over for the framework alone ends the attempt under way, and no other. */
export function liveSignal({
  signal,
  isTimeLimit,
  isLateTaken = false,
}: Pick<AttemptOptions<unknown, unknown>, "signal" | "isTimeLimit" | "isLateTaken">):
  | AbortSignal
  | undefined {
  const isOver = isLateTaken && signal?.aborted === true && isTimeLimit?.(signal.reason) === true;
  return isOver ? undefined : signal;
}

/** No target is left that would answer within the wait that the run allows. */
function allOut(most: number, attempts: number): TurnFailed {
  const words = `every target asked to be left alone for more than ${most} ms`;
  return new TurnFailed("rate_limit", words, { attempts });
}

function checkOptions({
  targets,
  maxRetries,
}: Pick<AttemptOptions<unknown, unknown>, "targets" | "maxRetries">): void {
  if (targets.length === 0) {
    throw new ToolContractError("runAttempts: targets is empty. Pass at least one target.");
  }
  if (!Number.isInteger(maxRetries) || maxRetries < 1) {
    throw new ToolContractError(
      "runAttempts: maxRetries must be a whole number of at least 1: it counts all attempts, the first one included.",
    );
  }
}

/** Gives anything thrown a kind and a sanitised message. */
export function attemptErrorOf(
  thrown: unknown,
  {
    classify,
    signal,
    isTimeLimit,
  }: Pick<AttemptOptions<unknown, unknown>, "classify" | "signal" | "isTimeLimit">,
): AttemptError {
  if (signal?.aborted) {
    const kind = isTimeLimit?.(signal.reason) === true ? "timeout" : "aborted";
    return new AttemptError(kind, messageOf(thrown), { cause: thrown });
  }
  if (thrown instanceof AttemptError) return thrown;
  const kind = kindBy(classify, thrown) ?? classifyError(thrown);
  // An abort that is not the caller's is a timeout of the target's own.
  const isForeign = kind === "aborted" && signal !== undefined;
  const noticed = readMember(thrown, "notice");
  return new AttemptError(isForeign ? "network" : kind, messageOf(thrown), {
    cause: thrown,
    ...(kind === "empty" && typeof noticed === "string" && { notice: noticed }),
  });
}

function kindBy(
  classify: ((error: unknown) => ErrorKind | undefined) | undefined,
  thrown: unknown,
): ErrorKind | undefined {
  try {
    const kind = classify?.(thrown);
    return isErrorKind(kind) ? kind : undefined;
  } catch {
    return undefined;
  }
}
