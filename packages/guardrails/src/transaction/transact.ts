import { begin, checkBefore, parentOf } from "./begin.ts";
import type { Found } from "./checks.ts";
import { getConsent, isGranted, splitFound } from "./consent.ts";
import { type Committed, commit, undo } from "./end.ts";
import { judge } from "./judge.ts";
import { type Ended, type TransactionEnd, withoutRun } from "./judgement.ts";
import type { LiveTransaction } from "./live-transaction.ts";
import { type Held, lock } from "./locks.ts";
import { type Reads, readsOf } from "./reads.ts";
import type { Engine, TransactionRequest } from "./request.ts";
import { runTool } from "./run.ts";
import { type CallSpending, callSpending } from "./spend.ts";
import { notBegun } from "./store-failed.ts";

/** Runs one call as a transaction, from its locks to its commit; everything it did is undone unless it succeeds. */
export async function transact(
  request: TransactionRequest,
  engine: Engine,
): Promise<TransactionEnd> {
  const spending = callSpending(request, engine);
  const end = await runUnlocked(request, engine, spending).catch(notBegun);
  if (spending) await spending.end(end);
  return end;
}

/** Runs the call, and makes its last effects once its locks are released. */
async function runUnlocked(
  request: TransactionRequest,
  engine: Engine,
  spending: CallSpending | undefined,
): Promise<TransactionEnd> {
  const parent = parentOf(engine);
  const { held, found } = await lockAndCheck(request, engine, parent);
  const end = await runLocked(request, engine, parent, held, found, spending).finally(held.release);
  if (end.kind !== "committed") return end;
  if (end.live.hasEffects()) await end.live.makeEffects();
  return { kind: "succeeded", value: end.value };
}

/**
 * Asks the guardrails that look at the state under the locks of the tool. What they read is locked, too: if one reads more,
 * they are asked again under more locks.
 */
async function lockAndCheck(
  request: TransactionRequest,
  engine: Engine,
  parent: LiveTransaction | undefined,
): Promise<{ readonly held: Held; readonly found: readonly Found[] }> {
  for (;;) {
    const held = await lock(request, engine, parent);
    const reads = readsOf(held);
    try {
      const found = await checkBefore(request, engine, parent, reads);
      if (!noteReads(request.policy, reads)) return { held, found };
    } catch (thrown) {
      held.release();
      throw thrown;
    }
    held.release();
  }
}

/** Remembers what guardrails of the tool read, so that it is locked from now on; false if it was locked already. */
function noteReads({ reads: known }: TransactionRequest["policy"], reads: Reads): boolean {
  const slots = reads.slots();
  for (const slot of slots) known.add(slot);
  return slots.length > 0;
}

/** Under its locks: runs the tool if its guardrails let it. */
async function runLocked(
  request: TransactionRequest,
  engine: Engine,
  parent: LiveTransaction | undefined,
  held: Held,
  found: readonly Found[],
  spending: CallSpending | undefined,
): Promise<Committed | Ended> {
  const { refused, asks } = splitFound(found);
  if (refused) return refused;
  if (asks.length > 0 && !isGranted(request, asks, engine.grants)) {
    return withoutRun({ kind: "asked", found: asks });
  }
  const overspent = await spending?.reserve();
  if (overspent) return overspent;
  // A grant is used once everything else is certain.
  const unanswered = asks.length > 0 ? await getConsent(request, asks, engine) : undefined;
  if (unanswered) return unanswered;
  request.signal?.throwIfAborted();
  request.trace.validated();
  return await runAndEnd(request, engine, parent, held, spending);
}

/** Runs the tool, judges what it did, and keeps it or undoes it. */
async function runAndEnd(
  request: TransactionRequest,
  engine: Engine,
  parent: LiveTransaction | undefined,
  held: Held,
  spending: CallSpending | undefined,
): Promise<Committed | Ended> {
  const live = begin(request, engine, parent, held);
  try {
    const ran = await runTool(live, request, engine, spending?.reservation(), held.isLocked);
    const reads = readsOf(held);
    const judged = await judge(ran, request, engine, reads);
    noteReads(request.policy, reads);
    if (judged.kind !== "keep") return await undo(live, judged, request);
    return await commit(live, judged.value, request, engine, { ...held, reads: reads.slots() });
  } catch (error) {
    // Such as the reason of a call that was cancelled while guardrails looked at it.
    return { kind: "threw", error, rollback: await live.rollback() };
  }
}
