import { ToolContractError } from "@toolcontract/core";
import { errorClass } from "@toolcontract/core/adapter";
import type { Staged, StateStore } from "../shared/index.ts";
import { type Found, runChecks } from "./checks.ts";
import { runningTransaction } from "./current.ts";
import { type Ended, failedIn, notPossible, withoutRun } from "./judgement.ts";
import { type LiveTransaction, createLiveTransaction } from "./live-transaction.ts";
import { lockStore } from "./locks.ts";
import type { Engine, TransactionRequest } from "./request.ts";

/** The transaction whose tool made this call. */
export function parentOf({ owner, store }: Engine): LiveTransaction | undefined {
  const outer = runningTransaction();
  if (outer?.owner !== owner) return undefined;
  if (!outer.isOpen()) {
    // What a tool left behind when it returned is on its own, a tool that was given up is not.
    if (!outer.isRunning()) return undefined;
    throw new ToolContractError(
      `'${outer.attempt.tool}' calls another tool, but the attempt is over: its time was up or it was cancelled. Stop when currentAttempt().signal aborts.`,
    );
  }
  // A tool that stages nothing has nothing to join.
  return store === undefined || outer.staged ? outer : undefined;
}

/** Asks the guardrails that look at the state before the tool runs. */
export async function checkBefore(
  request: TransactionRequest,
  { store, limits }: Engine,
  parent: LiveTransaction | undefined,
): Promise<readonly Found[]> {
  if (request.before.length === 0) return NONE;
  const view = store && asked(request.log, () => viewOf(store, parent?.staged));
  const seen = { state: () => view, touched: [] };
  return runChecks(request.before, request, seen, limits.guardrail);
}

const NONE: readonly never[] = Object.freeze([]);

/** Begins a transaction: a rehearsal, whose changes are dropped, or one for good. */
export function begin(
  request: TransactionRequest,
  { owner, store, limits }: Engine,
  parent: LiveTransaction | undefined,
  dryRun: boolean,
): LiveTransaction {
  const { policy, trace, tool, callId, signal, args, log } = request;
  checkRehearsal(request, parent);
  const slots = slotsOf(policy.slots, parent, tool);
  // Whatever a tool may do itself, the calls inside it join what is around it.
  const isStaged =
    parent?.staged !== undefined || (policy.access !== "none" && policy.access !== "view");
  const staged = isStaged ? asked(log, () => store?.begin(parent?.staged, slots)) : undefined;
  if (staged) trace.isolated(() => staged.isolationMs);
  const view =
    policy.access === "view" && store
      ? { state: asked(log, () => viewOf(store, parent?.staged)) }
      : undefined;
  return createLiveTransaction({
    id: trace.id,
    callId,
    tool,
    number: trace.number,
    dryRun,
    owner,
    slots,
    staged,
    parent,
    signal,
    hasStore: store !== undefined,
    isIrreversible: policy.effect === "irreversible" && !dryRun,
    idempotencyKey: () => trace.keyOf(args),
    effectLimit: limits.effect,
    lockLimit: limits.tool,
    onEffectFailed: (what, name, thrown) =>
      log(what === "outbox" ? "An effect after the commit failed" : "A compensation failed", {
        effect: name,
        error: errorClass(thrown),
      }),
    view,
    ...(policy.access === "unlocked" && store && { lock: () => lockStore(store, signal) }),
  });
}

/** The end of a call whose tool has not run: it was cancelled while it waited, or it could not begin. */
export function notBegun(thrown: unknown): Ended {
  if (!(thrown instanceof StoreFailedError)) return withoutRun({ kind: "threw", error: thrown });
  const found = notPossible(errorClass(thrown.cause));
  return withoutRun(failedIn("execution", found, "dependency_unavailable"));
}

/** A store that failed before the tool ran. */
class StoreFailedError extends Error {
  override readonly name: string = "StoreFailedError";
}

/** Asks the store; mistakes of a program come through, all else is a store that failed. */
function asked<T>(log: TransactionRequest["log"], ask: () => T): T {
  try {
    return ask();
  } catch (cause) {
    if (cause instanceof ToolContractError) throw cause;
    log("The store failed before the tool ran", { error: errorClass(cause) });
    throw new StoreFailedError("The store failed", { cause });
  }
}

/** The state as a new transaction would find it, read-only. */
function viewOf(store: StateStore<unknown>, parent: Staged<unknown> | undefined): unknown {
  if (!parent) return store.state;
  const probe = store.begin(parent);
  const view = probe.seal();
  void probe.rollback();
  return view;
}

/** Throws if the call should rehearse and cannot, or is made by a rehearsal and would have real effects. */
function checkRehearsal(
  { runsOnce, tool, policy: { rehearses, effect } }: TransactionRequest,
  parent: LiveTransaction | undefined,
): void {
  if (rehearses && runsOnce) {
    throw new ToolContractError(
      `createGuardrails: '${tool}' rehearses its calls, but this host runs each call once. Take it out of \`dryRuns\`.`,
    );
  }
  if (rehearses || parent?.attempt.dryRun !== true) return;
  if (effect === "none" || effect === "state") return;
  throw new ToolContractError(
    `createGuardrails: '${parent.attempt.tool}' rehearses and calls '${tool}', whose effects would be real. Add '${tool}' to \`dryRuns\`, or call it only if currentAttempt().dryRun is false.`,
  );
}

/** A nested transaction may only touch what its parent has locked: waiting for more could end in a deadlock. */
function slotsOf(
  slots: readonly string[] | undefined,
  parent: LiveTransaction | undefined,
  tool: string,
): readonly string[] | undefined {
  if (parent?.slots === undefined) return slots;
  const missing = slots?.find((slot) => parent.slots?.includes(slot) !== true);
  if (missing !== undefined) {
    throw new ToolContractError(
      `createGuardrails: '${tool}' locks '${missing}' and is called by '${parent.attempt.tool}', which does not. Add '${missing}' to the locks of '${parent.attempt.tool}'.`,
    );
  }
  return slots ?? parent.slots;
}
