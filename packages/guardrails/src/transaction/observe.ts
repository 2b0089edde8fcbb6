import { isOutcome } from "../outcome/index.ts";
import type { JudgedRun, ToUndo } from "./judge.ts";
import {
  type AskedTransaction,
  type Ended,
  type RefusedTransaction,
  withoutRun,
} from "./judgement.ts";
import type { TransactionRequest } from "./request.ts";
import type { Ran } from "./run.ts";

/** How a call ends before it runs; undefined if nothing stops it, or what does is only observed. */
export async function stops<End extends Ended<RefusedTransaction | AskedTransaction>>(
  { observe }: Pick<TransactionRequest, "observe">,
  end: End | undefined,
): Promise<End | undefined> {
  if (end === undefined || observe === undefined) return end;
  await observe(end);
  return undefined;
}

/**
 * What is kept of a run that is only observed: all of it, whatever was found. Undefined if it must be undone nevertheless, because the
 * call is not over, or what it did cannot be kept.
 */
export async function keepObserved(
  judged: ToUndo,
  ran: Ran,
  { observe, signal }: Pick<TransactionRequest, "observe" | "signal">,
): Promise<Extract<JudgedRun, { readonly kind: "keep" }> | undefined> {
  const { judgement } = judged;
  if (observe === undefined || ran.kind === "unsaved" || signal?.aborted === true) return undefined;
  if (judgement.kind === "threw" && judgement.failure === undefined) return undefined;
  if (judgement.kind === "refused") await observe(withoutRun(judgement));
  else if (judgement.kind !== "asked" && judgement.failure) {
    await observe({ kind: "closing", failure: judgement.failure });
  }
  return { kind: "keep", value: ran.kind === "returned" ? ran.value : ran.error };
}

/** How a call ended whose tool failed, as the host gets it. */
export function ownFailure(ran: Ran): Ended | undefined {
  if (ran.kind !== "failed") return undefined;
  const { error, thrown } = ran;
  if (thrown) return withoutRun({ kind: "threw", error });
  const message = isOutcome(error) && error.status === "error" ? error.error_message : undefined;
  const told = message === undefined ? {} : { message };
  return withoutRun({ kind: "failed", value: error, type: "failed", ...told });
}
