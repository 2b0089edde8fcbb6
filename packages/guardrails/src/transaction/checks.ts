import { errorClass, isPromiseLike, within } from "@toolcontract/core/adapter";
import { type MaybePromise, isMissingPlace } from "../shared/index.ts";
import type { CheckRound } from "./check-context.ts";
import { lazySignal } from "./lazy-signal.ts";
import {
  type AnyGuardrail,
  type Found,
  foundFailed,
  foundUnplaced,
  readVerdict,
} from "./read-verdict.ts";

/** What is done with guardrails that must be asked again once the call runs. */
export interface Early {
  /** Called with a guardrail that read the state: its answer does not count. */
  readonly deferred?: ((guardrail: AnyGuardrail) => void) | undefined;
  /** Called with a guardrail that asked about limits or earlier calls: its answer counts, and may change. */
  readonly unsettled?: (guardrail: AnyGuardrail) => void;
  /**
   * Called with a guardrail that needs a place of the call that is not known; returns true if it is asked again when the call runs. Without
   * it, such a guardrail has failed.
   */
  readonly unplaced?: (guardrail: AnyGuardrail) => boolean;
}

/** The call is about to run: what is not known of it now never will be. */
export const LAST: Early = { unplaced: () => false };

const NOT_EARLY: Early = {};

/**
 * Asks guardrails about a call, and returns what they found in their order; nothing is waited for unless one is asynchronous.
 *
 * @param limit - Milliseconds that one check may take.
 * @param early - Set if the call is not about to run.
 */
export function runChecks(
  guardrails: readonly AnyGuardrail[],
  asking: CheckRound,
  limit: number,
  early: Early = NOT_EARLY,
): MaybePromise<readonly Found[]> {
  if (guardrails.length === 0) return NONE;
  const answers = guardrails.map((guardrail) => runCheck(guardrail, asking, limit, early));
  if (!answers.some(isPromiseLike)) return (answers as (readonly Found[])[]).flat();
  const waiting = answers.map(async (answer) => answer);
  return Promise.all(waiting).then((all) => all.flat());
}

const NONE: readonly never[] = Object.freeze([]);

function runCheck(
  guardrail: AnyGuardrail,
  asking: CheckRound,
  limit: number,
  { deferred, unsettled, unplaced }: Early,
): MaybePromise<readonly Found[]> {
  let readsState = false;
  const onState = (): void => {
    readsState = deferred !== undefined;
  };
  const defer = (): readonly Found[] => {
    deferred?.(guardrail);
    return NONE;
  };
  const onLook = (): void => unsettled?.(guardrail);
  return verdictOf(
    guardrail,
    asking,
    { onState, onLook, limit },
    {
      read: (verdict) => (readsState ? defer() : readVerdict(guardrail, verdict)),
      failed: (thrown) =>
        unplaced && isMissingPlace(thrown) ? [foundUnplaced(guardrail)] : [foundFailed(guardrail)],
      skipped(thrown) {
        if (readsState) return defer();
        return isMissingPlace(thrown) && unplaced?.(guardrail) === true ? NONE : undefined;
      },
    },
  );
}

/** How a check is asked. */
interface CheckServices {
  /** Called when the check reads the state. */
  readonly onState: () => void;
  /** Called when it asks about limits or earlier calls. */
  readonly onLook: () => void;
  /** Milliseconds that it may take. */
  readonly limit: number;
}

/** How its answer is treated. */
interface VerdictReading<T> {
  /** Reads the verdict; throws if it is invalid. */
  readonly read: (verdict: unknown) => T;
  readonly failed: (thrown: unknown) => T;
  /** The answer to assume if a failure does not count. */
  readonly skipped: (thrown: unknown) => T | undefined;
}

/** Asks one guardrail, and reads what it answers. */
export function verdictOf<T>(
  guardrail: AnyGuardrail,
  { call: { signal, log, tool, callId, onGuardrailError }, contextOf }: CheckRound,
  { onState, onLook, limit }: CheckServices,
  { read, failed: whenFailed, skipped }: VerdictReading<T>,
): MaybePromise<T> {
  const own = lazySignal(signal);
  const context = contextOf(own.signal, onState, onLook);
  const fail = (thrown: unknown): MaybePromise<T> => {
    const other = skipped(thrown);
    if (other !== undefined) return other;
    // A check that stops because the call was cancelled did not fail.
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    log("A guardrail failed", { guardrail: guardrail.name, error: errorClass(thrown) });
    try {
      const named = callId === undefined ? {} : { callId };
      onGuardrailError?.(thrown, { guardrail: guardrail.name, tool, ...named });
    } catch (error) {
      log("onGuardrailError() failed", { error: errorClass(error) });
    }
    return whenFailed(thrown);
  };
  const settle = (verdict: unknown): MaybePromise<T> => {
    try {
      return read(verdict);
    } catch (thrown) {
      return fail(thrown);
    }
  };
  try {
    const verdict: unknown = guardrail.check(context as never);
    if (!isPromiseLike(verdict)) return settle(verdict);
    return within(verdict, limit, signal).then(settle, (thrown: unknown) => {
      own.abort(thrown);
      return fail(thrown);
    });
  } catch (thrown) {
    return fail(thrown);
  }
}
