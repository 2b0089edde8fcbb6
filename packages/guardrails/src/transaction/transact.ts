import { begin, checkBefore, parentOf, notBegun } from "./begin.ts";
import { type Committed, type Conflict, commit, undo } from "./end.ts";
import { judge } from "./judge.ts";
import { type CallConsent, callConsent, isGranted, splitFound } from "./consent.ts";
import { type Ended, type TransactionEnd, withoutRun } from "./judgement.ts";
import type { LiveTransaction } from "./live-transaction.ts";
import { lock } from "./locks.ts";
import type { Engine, TransactionRequest } from "./request.ts";
import { runTool } from "./run.ts";
import { type CallSpending, callSpending } from "./spend.ts";

const MAX_ROUNDS = 3;

/** What one call reserves and uses up, however often its tool runs. */
interface Paid {
  readonly spending: CallSpending | undefined;
  readonly consent: CallConsent;
}

/** Runs one call as a transaction, from its locks to its commit; everything it did is undone unless it succeeds. */
export async function transact(
  request: TransactionRequest,
  engine: Engine,
): Promise<TransactionEnd> {
  const spending = callSpending(request, engine);
  const consent = callConsent(request, engine);
  const end = await runRounds(request, engine, { spending, consent }).catch(notBegun);
  if (spending) await spending.end(end);
  return end;
}

/** Runs the call until no other transaction has committed first; in the last round none can. */
async function runRounds(
  request: TransactionRequest,
  engine: Engine,
  paid: Paid,
): Promise<TransactionEnd> {
  const parent = parentOf(engine);
  const { access } = request.policy;
  for (let round = 0; ; round += 1) {
    const isLast = round >= MAX_ROUNDS || request.runsOnce;
    const isLocked = access === "locked" || (access === "optimistic" && isLast);
    const end = await runLocked(request, engine, parent, isLocked, paid);
    if (end.kind === "conflict") continue;
    if (end.kind !== "committed") return end;
    if (end.live.hasEffects()) await end.live.makeEffects();
    return { kind: "succeeded", value: end.value };
  }
}

/** Under its locks: asks the guardrails that look at the state, and runs the tool if they let it. */
async function runLocked(
  request: TransactionRequest,
  engine: Engine,
  parent: LiveTransaction | undefined,
  isLocked: boolean,
  { spending, consent }: Paid,
): Promise<Committed | Conflict | Ended> {
  const release = await lock(request, engine, parent, isLocked);
  try {
    const { refused, asks } = splitFound(await checkBefore(request, engine, parent));
    if (refused) return refused;
    if (asks.length > 0 && !isGranted(request, asks, engine.grants)) {
      return withoutRun({ kind: "asked", found: asks });
    }
    const overspent = await spending?.reserve();
    if (overspent) return overspent;
    // A grant is used once everything else is certain.
    const unanswered = asks.length > 0 ? await consent.get(asks) : undefined;
    if (unanswered) return unanswered;
    request.signal?.throwIfAborted();
    request.trace.validated();
    return await runAndEnd(request, engine, parent, isLocked, spending);
  } finally {
    release();
  }
}

/** Runs the tool, judges what it did, and keeps it or undoes it; a tool that rehearses runs twice. */
async function runAndEnd(
  request: TransactionRequest,
  engine: Engine,
  parent: LiveTransaction | undefined,
  isLocked: boolean,
  spending: CallSpending | undefined,
): Promise<Committed | Conflict | Ended> {
  const isRehearsed = parent?.attempt.dryRun === true;
  let isRehearsal = request.policy.rehearses && !isRehearsed;
  for (;;) {
    const live = begin(request, engine, parent, isRehearsal || isRehearsed);
    try {
      const ran = await runTool(live, request, engine, spending?.reservation());
      const judged = await judge(ran, live, request, engine);
      if (judged.kind !== "keep") return await undo(live, judged, request);
      if (!isRehearsal) return await commit(live, judged.value, request, engine, isLocked);
    } catch (error) {
      // Such as the reason of a call that was cancelled while guardrails looked at it.
      return { kind: "threw", error, rollback: await live.rollback() };
    }
    // A rehearsal that went well leaves nothing behind, and now the tool runs for good.
    await live.rollback();
    isRehearsal = false;
  }
}
