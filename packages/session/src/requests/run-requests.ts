import { ToolContractError } from "@toolcontract/core";
import { readMember, untilAborted } from "@toolcontract/core/adapter";
import { ProviderError, type ErrorKind, FATAL, TurnFailed, cleanLine } from "../shared/index.ts";
import { classifyError, isErrorKind } from "./classify-error.ts";
import { messageOf } from "./message-of.ts";
import { createPace, type RateLimits } from "./pace.ts";

/** A request that failed, as it is reported. */
export interface FailedRequest<T> {
  /** The number of the request in its turn, from 1. */
  readonly number: number;
  /** The target that was called. */
  readonly target: T;
  /** Its `cause` is what was thrown. */
  readonly error: ProviderError;
  /** Milliseconds until the next request; absent if there is none. */
  readonly waits?: number;
  /** Where the next request goes; absent if there is none. */
  readonly next?: T;
  /** For how many milliseconds the target asked to be left alone, if that is longer than is waited: it is not asked again. */
  readonly askedFor?: number;
}

/**
 * The requests of one turn.
 *
 * @example
 * ```ts
 * const limits: Pick<RequestOptions<string, string>, "maxRetries" | "rateLimitWait"> = {
 *   maxRetries: 3,
 *   rateLimitWait: "same-target",
 * };
 * ```
 * @see docs/session-limits.md
 */
export interface RequestOptions<T, R> {
  /** Where requests go, in turn: request N goes to `targets[(N - 1) % targets.length]`, but for those that are limited. */
  readonly targets: readonly T[];
  /** How many requests there are in total: 1 means no retry. */
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
  /** Whether a rate limit delays the next request on another target too, or only on the same one. */
  readonly rateLimitWait: "always" | "same-target";
  /**
   * A target that asks for a longer wait, in milliseconds, is not asked again.
   *
   * @default 60_000
   */
  readonly maxRateLimitWait?: number;
  /** The rate limits of earlier turns, which this one goes on with. */
  readonly rateLimits?: RateLimits<T>;
  /** Your own reading of an error; undefined leaves it to {@link classifyError}. */
  readonly classify?: ((error: unknown) => ErrorKind | undefined) | undefined;
  /** Waits; if it rejects, the next request is made at once. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => PromiseLike<void>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Ends the turn at once, during a wait and during a request that ignores it. */
  readonly signal?: AbortSignal | undefined;
  /** Whether a time limit of the framework's own aborted the signal, and not the caller. */
  readonly isTimeLimit?: ((reason: unknown) => boolean) | undefined;
  /**
   * Whether the framework takes an answer that comes after its time limit; then the next target is asked.
   *
   * @default false
   */
  readonly isLateTaken?: boolean;
  /** Called after each failed request, before the wait; what it throws changes nothing. */
  readonly onFailed?: ((failed: FailedRequest<T>) => void) | undefined;
}

/**
 * Makes the requests of one turn, round robin through the targets (AI Agent Contract, section 3).
 *
 * It promises at most `maxRetries` requests; that errors of authentication and quota end the turn at once; that a rate
 * limit waits as the provider says, else 1 s doubling to 60 s, and 60 s if all of two or more targets were limited in
 * one cycle; that a target which asks for more than `maxRateLimitWait` is left out; that all other errors go on with the next
 * target at once, but for one that said when it wants the next request, and is the only one; and no wait after the last request.
 *
 * @throws {@link TurnFailed} if the requests are spent, after a fatal error, and when the signal aborts. Its `cause` is what
 *   the last request threw.
 * @throws {@link ToolContractError} for an empty list of targets or a `maxRetries` below 1.
 * @example
 * ```ts
 * const answer = await runRequests({
 *   targets: ["fast", "large"],
 *   maxRetries: 3,
 *   call: (model) => ask(model),
 *   rateLimitWait: "same-target",
 *   sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
 *   clock: Date.now,
 * });
 * ```
 * @see packages/session/README.md
 */
export async function runRequests<T, R>(options: RequestOptions<T, R>): Promise<R> {
  const { maxRetries, call, sleep } = options;
  checkOptions(options);
  const signalNow = (): AbortSignal | undefined => liveSignal(options);
  const { maxRateLimitWait = 60_000, rateLimits = new Map() } = options;
  const pace = createPace({ ...options, maxRateLimitWait, rateLimits });
  let notice: string | undefined;
  let attempts = 0;

  function report(failed: FailedRequest<T>): void {
    try {
      options.onFailed?.(failed);
    } catch {
      // A listener changes nothing.
    }
  }

  // Whether it was the signal that ended the wait, the next request finds out.
  const rest = async (time: number): Promise<void> => {
    const signal = signalNow();
    const sleeping = async (): Promise<void> => sleep(time, signal);
    if (time > 0) await untilAborted(sleeping(), signal).catch(() => undefined);
  };

  await rest(pace.wait);
  for (let number = 1; ; number += 1) {
    const { target } = pace;
    if (target === undefined) throw allOut(maxRateLimitWait, attempts);
    let error: ProviderError;
    const signal = signalNow();
    try {
      signal?.throwIfAborted();
      attempts = number;
      return await untilAborted(call(target, { number, notice }), signal);
    } catch (thrown) {
      error = providerErrorOf(thrown, options);
    }
    const waits = FATAL.has(error.kind) ? 0 : pace.after(error);
    const isLast = FATAL.has(error.kind) || number >= maxRetries || pace.target === undefined;
    const { askedFor } = pace;
    if (attempts === number) {
      report({
        number,
        target,
        error,
        ...(!isLast && { waits, next: pace.target as T }),
        ...(askedFor !== undefined && { askedFor }),
      });
    }
    if (isLast) {
      const cause = error.cause ?? error;
      const isAsked = askedFor !== undefined && !FATAL.has(error.kind);
      const words = isAsked ? `; ${tooLong(askedFor, maxRateLimitWait)}` : "";
      throw new TurnFailed(error.kind, cleanLine(error.message) + words, { cause, attempts });
    }
    notice = error.notice;
    await rest(waits);
  }
}

/** The signal that ends a request; one that is over for the framework alone ends the request under way, and no other. */
export function liveSignal({
  signal,
  isTimeLimit,
  isLateTaken = false,
}: Pick<RequestOptions<unknown, unknown>, "signal" | "isTimeLimit" | "isLateTaken">):
  | AbortSignal
  | undefined {
  const isOver = isLateTaken && signal?.aborted === true && isTimeLimit?.(signal.reason) === true;
  return isOver ? undefined : signal;
}

function tooLong(asked: number, most: number): string {
  return `it asks to be left alone for ${Math.ceil(asked / 1_000)} s, more than maxRateLimitWait (max_rate_limit_wait) of ${most / 1_000} s`;
}

/** No target is left that would answer within the wait that the run allows. */
function allOut(most: number, attempts: number): TurnFailed {
  const words = `every target asked to be left alone for more than ${most} ms (maxRateLimitWait, max_rate_limit_wait)`;
  return new TurnFailed("rate_limit", words, { attempts });
}

function checkOptions({
  targets,
  maxRetries,
}: Pick<RequestOptions<unknown, unknown>, "targets" | "maxRetries">): void {
  if (targets.length === 0) {
    throw new ToolContractError("runRequests: targets is empty. Pass at least one target.");
  }
  if (!Number.isInteger(maxRetries) || maxRetries < 1) {
    throw new ToolContractError(
      "runRequests: maxRetries must be a whole number of at least 1: it counts all attempts, the first one included.",
    );
  }
}

/** Gives anything thrown a kind and a sanitised message. */
export function providerErrorOf(
  thrown: unknown,
  {
    classify,
    signal,
    isTimeLimit,
  }: Pick<RequestOptions<unknown, unknown>, "classify" | "signal" | "isTimeLimit">,
): ProviderError {
  if (signal?.aborted) {
    const kind = isTimeLimit?.(signal.reason) === true ? "timeout" : "aborted";
    return new ProviderError(kind, messageOf(thrown), { cause: thrown });
  }
  if (thrown instanceof ProviderError) return thrown;
  const kind = kindBy(classify, thrown) ?? classifyError(thrown);
  // An abort that is not the caller's is a timeout of the target's own.
  const isForeign = kind === "aborted" && signal !== undefined;
  const noticed = readMember(thrown, "notice");
  return new ProviderError(isForeign ? "network" : kind, messageOf(thrown), {
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
