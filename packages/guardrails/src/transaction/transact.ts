import { errorClass } from "@toolcontract/core/adapter";
import { begin, outerTransaction, viewOfStore } from "./begin.ts";
import { askingAbout } from "./check-context.ts";
import { LAST, runChecks } from "./checks.ts";
import type { UsedGrant } from "../grants/index.ts";
import { getConsent, isGranted, splitFound } from "./consent.ts";
import { type Committed, commit, undo } from "./end.ts";
import { type JudgedRun, type ToUndo, judge } from "./judge.ts";
import {
  type AskedTransaction,
  type Ended,
  type RefusedTransaction,
  type TransactionEnd,
  violatedBy,
  withoutRun,
} from "./judgement.ts";
import { limitReached } from "./limit-reached.ts";
import type { LiveTransaction } from "./live-transaction.ts";
import { type HeldLocks, lock, needsLock, UNLOCKED } from "./locks.ts";
import { keepObserved, ownFailure, stops } from "./observe.ts";
import { judgeOutput } from "./output.ts";
import type { Found } from "./read-verdict.ts";
import { type Reads, readsOf } from "./reads.ts";
import type { Engine, TransactionRequest } from "./request.ts";
import { runTool } from "./run.ts";
import { type CallSpending, callSpending, isPauseOf } from "./spend.ts";
import { asked, notBegun } from "./store-failed.ts";

/** Runs one call as a transaction, from its locks to its commit; everything it did is undone unless it succeeds. */
export async function transact(
  request: TransactionRequest,
  engine: Engine,
): Promise<TransactionEnd> {
  const spending = callSpending(request, engine);
  const end = await runUnlocked(request, engine, spending);
  if (spending) await spending.end(end);
  return request.policy.output.length === 0 ? end : judgeOutput(end, request, engine);
}

/** Runs the call, and makes its last effects once its locks are released. */
async function runUnlocked(
  request: TransactionRequest,
  engine: Engine,
  spending: CallSpending | undefined,
): Promise<TransactionEnd> {
  let end: Committed | Ended;
  try {
    const parent = outerTransaction(engine);
    const { held, found } = await lockAndCheck(request, engine, parent);
    try {
      end = await runLocked(request, engine, parent, held, found, spending);
    } finally {
      held.release();
    }
  } catch (thrown) {
    return notBegun(thrown);
  }
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
): Promise<{ readonly held: HeldLocks; readonly found: readonly Found[] }> {
  for (;;) {
    const held = needsLock(request, engine, parent)
      ? await lock(request, engine, parent)
      : UNLOCKED;
    const reads = readsOf(held);
    try {
      const isAsked = request.before.length > 0;
      const found = isAsked ? await checkBefore(request, engine, parent, reads) : NONE;
      if (!noteReads(request.policy, reads)) return { held, found };
    } catch (thrown) {
      held.release();
      throw thrown;
    }
    held.release();
  }
}

const NONE: readonly never[] = Object.freeze([]);

async function checkBefore(
  request: TransactionRequest,
  { store, limits }: Engine,
  parent: LiveTransaction | undefined,
  reads: Reads,
): Promise<readonly Found[]> {
  const view = store && reads.watch(asked(request.log, () => viewOfStore(store, parent?.staged)));
  const asking = askingAbout(request, { state: () => view });
  return runChecks(request.before, asking, limits.guardrail, LAST);
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
  held: HeldLocks,
  found: readonly Found[],
  spending: CallSpending | undefined,
): Promise<Committed | Ended> {
  const { refused, asks } = splitFound(found);
  const refusal = await stops(request, refused);
  if (refusal) return refusal;
  const isAsked = asks.length > 0;
  const unasked = isAsked && !isGranted(request, asks, engine.grants);
  const question = await stops(request, unasked ? askedBy(asks) : undefined);
  if (question) return question;
  const overspent = await stops(request, await spending?.reserve());
  if (overspent) return overspent;
  const run = async (made: TransactionRequest): Promise<Committed | Ended> =>
    runAndEnd(made, engine, parent, held, spending);
  if (!isAsked || unasked) return (await notMade(request, engine)) ?? run(request);
  // A grant is used once everything else is certain.
  const consent = await getConsent(request, asks, engine);
  if (consent.kind === "given") return runWithConsent(consent.used, request, engine, run);
  return (await stops(request, consent)) ?? (await notMade(request, engine)) ?? run(request);
}

/** Runs a call that a person has agreed to: the grant is good as before if the call is not made, or goes on later. */
async function runWithConsent(
  grant: UsedGrant,
  request: TransactionRequest,
  engine: Engine,
  run: (made: TransactionRequest) => Promise<Committed | Ended>,
): Promise<Committed | Ended> {
  try {
    const unmade = await notMade(request, engine);
    if (unmade) {
      await grant.giveBack();
      return unmade;
    }
  } catch (thrown) {
    await grant.giveBack();
    throw thrown;
  }
  let hasStarted = false;
  const started = (): unknown => {
    hasStarted = true;
    return request.run();
  };
  const end = await run({ ...request, run: started });
  const isPaused = end.kind === "threw" && isPauseOf(end.error, request);
  await (hasStarted && !isPaused ? grant.keep() : grant.giveBack());
  return end;
}

/** The last that keeps a call from being made: what ran cannot be remembered, or it was cancelled, which throws. */
async function notMade(request: TransactionRequest, engine: Engine): Promise<Ended | undefined> {
  const isWatched = engine.history?.watches(request.tool) === true;
  const unrecorded = await stops(request, isWatched ? await remember(request, engine) : undefined);
  if (unrecorded) return unrecorded;
  request.signal?.throwIfAborted();
  request.trace.validated();
  return undefined;
}

/** The call waits for a person. */
function askedBy(found: readonly Found[]): Ended<AskedTransaction> {
  return withoutRun({ kind: "asked", found });
}

/** Remembers that the call runs, for guardrails that ask what ran before; returns how it ends if that cannot be. */
async function remember(
  { tool, spender, log }: TransactionRequest,
  { history }: Engine,
): Promise<Ended<RefusedTransaction> | undefined> {
  try {
    await history?.record(tool, spender);
    return undefined;
  } catch (thrown) {
    log("A ledger failed before the tool ran", { error: errorClass(thrown) });
    return withoutRun(violatedBy([limitReached({ kind: "unavailable" })]));
  }
}

/** Runs the tool, judges what it did, and keeps it or undoes it. */
async function runAndEnd(
  request: TransactionRequest,
  engine: Engine,
  parent: LiveTransaction | undefined,
  held: HeldLocks,
  spending: CallSpending | undefined,
): Promise<Committed | Ended> {
  const live = begin(request, engine, parent, held);
  try {
    const ran = await runTool(live, request, engine, spending?.reservation(), held.isLocked);
    const reads = readsOf(held);
    const isJudged = ran.kind !== "returned" || request.policy.commit.length > 0;
    const judged: JudgedRun = isJudged
      ? await judge(ran, request, engine, reads)
      : { kind: "keep", value: ran.value };
    noteReads(request.policy, reads);
    const kept = judged.kind === "keep" ? judged : await keepObserved(judged, ran, request);
    if (kept === undefined) return await undo(live, judged as ToUndo, request);
    const ended = await commit(live, kept.value, request, engine, {
      ...held,
      reads: reads.slots(),
    });
    return judged.kind !== "keep" && ended.kind === "committed"
      ? (ownFailure(ran) ?? ended)
      : ended;
  } catch (error) {
    // Such as the reason of a call that was cancelled while guardrails looked at it.
    return { kind: "threw", error, rollback: await live.rollback() };
  }
}
