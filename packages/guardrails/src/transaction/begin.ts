import { ToolContractError } from "@toolcontract/core";
import { errorClass, jsonEqual } from "@toolcontract/core/adapter";
import type { Staged, StateStore } from "../shared/index.ts";
import { runningTransaction } from "./current.ts";
import { createLiveTransaction } from "./create-live-transaction.ts";
import type { LiveTransaction } from "./live-transaction.ts";
import { type HeldLocks, lockStore } from "./locks.ts";
import type { Engine, TransactionRequest } from "./request.ts";
import { asked } from "./store-failed.ts";

/** The transaction whose tool made this call. */
export function outerTransaction({ owner, store }: Engine): LiveTransaction | undefined {
  const outer = runningTransaction();
  if (outer?.owner !== owner) return undefined;
  if (!outer.isOpen()) {
    // Work that outlives a finished tool is independent; a tool that timed out still belongs to its transaction.
    if (!outer.isRunning()) return undefined;
    throw new ToolContractError(
      `'${outer.attempt.tool}' calls another tool, but the attempt is over: its time was up or it was cancelled. Stop when currentAttempt().signal aborts.`,
    );
  }
  // A tool that stages nothing has nothing to join.
  return store === undefined || outer.staged ? outer : undefined;
}

/** Whether the code that asks is inside a call of this tool: of this very call, if it is named. */
export function isRunning(tool: string, callId?: string): boolean {
  const attempt = runningTransaction()?.attempt;
  return attempt?.tool === tool && (callId === undefined || attempt.callId === callId);
}

/**
 * Whether the code that asks is inside this very call, which these guardrails have judged and reserved for: such as a wrapped tool that
 * middleware with the same guardrails runs.
 */
export function isWithin(
  { tool, callId, args }: Pick<TransactionRequest, "tool" | "callId" | "args">,
  { self }: Pick<Engine, "self">,
): boolean {
  const outer = runningTransaction();
  if (outer?.judged.by !== self || callId === "" || !isRunning(tool, callId)) return false;
  return outer.isOpen() && jsonEqual(outer.judged.args, args);
}

const MAX_NAME = 100;

/** Begins a transaction. */
export function begin(
  request: TransactionRequest,
  { self, owner, store, limits }: Engine,
  parent: LiveTransaction | undefined,
  { isLocked, release }: Pick<HeldLocks, "isLocked" | "release">,
): LiveTransaction {
  const { policy, trace, tool, callId, signal, args, log } = request;
  const slots = slotsOf(policy.slots, parent, tool);
  // Whatever a tool may do itself, the calls inside it join what is around it.
  const isStaged =
    parent?.staged !== undefined || (policy.access !== "none" && policy.access !== "view");
  const staged = isStaged ? asked(log, () => store?.begin(parent?.staged, slots)) : undefined;
  if (staged) trace.isolated(() => staged.isolationMs);
  const view =
    policy.access === "view" && store
      ? { state: asked(log, () => viewOfStore(store, parent?.staged)) }
      : undefined;
  return createLiveTransaction({
    id: trace.id,
    callId,
    tool,
    number: trace.number,
    owner,
    judged: { by: self, args },
    slots,
    staged,
    parent,
    signal,
    hasStore: store !== undefined,
    isIrreversible: policy.effect === "irreversible",
    idempotencyKey() {
      const key = trace.keyOf(args);
      if (!trace.isKeyLasting()) request.noteKey();
      return key;
    },
    effectLimit: limits.effect,
    storeLimit: limits.store,
    unlock: release,
    nameOf: (name) => request.sanitize(name, MAX_NAME),
    lockLimit: limits.tool,
    onEffectFailed: (what, name, thrown) =>
      log(what === "outbox" ? "An effect after the commit failed" : "A compensation failed", {
        effect: name,
        error: errorClass(thrown),
      }),
    view,
    ...(policy.access === "unlocked" &&
      !isLocked &&
      store && { lock: () => lockStore(store, signal) }),
  });
}

/** The state as a new transaction would find it, read-only. */
export function viewOfStore(
  store: StateStore<unknown>,
  parent: Staged<unknown> | undefined,
): unknown {
  if (!parent) return store.state;
  const probe = store.begin(parent);
  const view = probe.seal();
  void probe.rollback();
  return view;
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
