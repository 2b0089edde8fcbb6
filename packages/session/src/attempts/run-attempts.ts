import { ToolContractError } from "@toolcontract/core";
import { readMember, untilAborted } from "@toolcontract/core/adapter";
import pRetry, { AbortError } from "p-retry";
import { AttemptError, type ErrorKind, FATAL, TurnFailed, cleanLine } from "../shared/index.ts";
import { classifyError, isErrorKind } from "./classify-error.ts";
import { messageOf } from "./message-of.ts";
import { createWaitAfter } from "./wait-after.ts";

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
}

/** The attempts of one turn. */
export interface AttemptOptions<T, R> {
  /** Where attempts go, in turn: attempt N goes to `targets[(N - 1) % targets.length]`. */
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
  /** Your own reading of an error; undefined leaves it to {@link classifyError}. */
  readonly classify?: ((error: unknown) => ErrorKind | undefined) | undefined;
  /** Waits; if it rejects, the next attempt is made at once. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => PromiseLike<void>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Ends the turn at once, during a wait and during a request that ignores it. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each failed attempt, before the wait; what it throws changes nothing. */
  readonly onFailed?: ((failed: FailedAttempt<T>) => void) | undefined;
}

/**
 * Makes the attempts of one turn, round robin through the targets (AI Agent Contract, section 3).
 *
 * It promises at most `maxRetries` requests; that errors of authentication and quota end the turn at once; that a rate
 * limit waits as the provider says, else 1 s doubling to 60 s, and 60 s if all of two or more targets were limited in
 * one cycle; that all other errors go on with the next target at once; and no wait after the last attempt.
 *
 * @throws {@link TurnFailed} if the attempts are spent, after a fatal error, and when the signal aborts. Its `cause` is what
 *   the last attempt threw.
 * @throws {@link ToolContractError} for an empty list of targets or a `maxRetries` below 1.
 */
export async function runAttempts<T, R>(options: AttemptOptions<T, R>): Promise<R> {
  const { targets, maxRetries, call, sleep, signal } = options;
  checkOptions(options);
  const waitAfter = createWaitAfter(options);
  const targetOf = (number: number): T => targets[(number - 1) % targets.length] as T;
  let attempts = 0;
  let notice: string | undefined;

  async function attempt(number: number): Promise<R> {
    const target = targetOf(number);
    try {
      signal?.throwIfAborted();
      attempts = number;
      return await untilAborted(call(target, { number, notice }), signal);
    } catch (thrown) {
      const error = attemptErrorOf(thrown, options);
      // p-retry asks nobody after its own AbortError.
      if (FATAL.has(error.kind)) {
        if (attempts === number) report({ number, target, error });
        throw new AbortError(error);
      }
      notice = error.notice;
      // p-retry would not retry a bare TypeError.
      throw error;
    }
  }

  async function waitAfterFailure(error: AttemptError, number: number): Promise<void> {
    const target = targetOf(number);
    if (number >= maxRetries) return report({ number, target, error });
    const waits = waitAfter(error, target, targetOf(number + 1));
    report({ number, target, error, waits });
    if (waits <= 0) return;
    try {
      await untilAborted(sleep(waits, signal), signal);
    } catch {
      // The next attempt finds out whether it was the signal.
    }
  }

  function report(failed: FailedAttempt<T>): void {
    try {
      options.onFailed?.(failed);
    } catch {
      // A listener changes nothing.
    }
  }

  try {
    return await pRetry(attempt, {
      retries: maxRetries - 1,
      minTimeout: 0,
      onFailedAttempt: ({ error, attemptNumber }) =>
        waitAfterFailure(error as AttemptError, attemptNumber),
    });
  } catch (thrown) {
    const error = thrown instanceof AttemptError ? thrown : attemptErrorOf(thrown, options);
    const cause = error.cause ?? error;
    throw new TurnFailed(error.kind, cleanLine(error.message), { cause, attempts });
  }
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
  { classify, signal }: Pick<AttemptOptions<unknown, unknown>, "classify" | "signal">,
): AttemptError {
  if (signal?.aborted) return new AttemptError("aborted", messageOf(thrown), { cause: thrown });
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
