import { ToolContractError } from "@toolcontract/core";
import type { Undone } from "@toolcontract/core/stage";
import type { Effect } from "../shared/index.ts";
import { ConflictError, type ToUndo, maybeSaved, unsaved } from "./judge.ts";
import type { Ended } from "./judgement.ts";
import type { LiveTransaction, Rollback } from "./live-transaction.ts";
import { type HeldLocks, locksOf } from "./locks.ts";
import type { Engine, TransactionRequest } from "./request.ts";

/** A committed transaction, whose last effects need no locks. */
export interface Committed {
  readonly kind: "committed";
  readonly live: LiveTransaction;
  readonly value: unknown;
}

/** Keeps what the tool did, unless the call was cancelled or another transaction was first. */
export async function commit(
  live: LiveTransaction,
  value: unknown,
  request: TransactionRequest,
  { store }: Engine,
  { isLocked, reads }: Pick<HeldLocks, "isLocked"> & { readonly reads: readonly string[] },
): Promise<Committed | Ended> {
  const { policy, signal, trace } = request;
  const { staged } = live;
  let release: (() => void) | undefined;
  let isCommitting = false;
  try {
    const isProtected = isLocked || live.isNested || live.holdsLocks();
    const touched = isProtected ? [] : (staged?.touched() ?? []);
    if (store && touched.length > 0) release = await locksOf(store).acquire(touched, signal);
    // From here on the call cannot be cancelled any more.
    if (signal?.aborted === true || live.isOrphaned()) {
      const error: unknown = signal?.aborted === true ? signal.reason : orphaned(live);
      return { kind: "threw", error, rollback: await live.rollback() };
    }
    if ((staged?.conflicts(reads).length ?? 0) > 0) {
      throw new ConflictError("Another call committed first");
    }
    isCommitting = true;
    await live.commit();
  } catch (thrown) {
    if (signal?.aborted === true && thrown === signal.reason) {
      return { kind: "threw", error: thrown, rollback: await live.rollback() };
    }
    const toUndo = isCommitting ? maybeSaved(thrown) : unsaved(thrown, policy.effect);
    return await undo(live, toUndo, request);
  } finally {
    release?.();
  }
  trace.executed(true);
  trace.succeeded();
  return { kind: "committed", live, value };
}

/** Undoes what the tool did. */
export async function undo(
  live: LiveTransaction,
  { judgement, effect, unsaved: why, fault, isNotDone, isUnsure = false }: ToUndo,
  { trace, log }: TransactionRequest,
): Promise<Ended> {
  trace.executed(false);
  if (why) log("State could not be committed", why);
  const rolledBack = await live.rollback(isNotDone);
  const rollback = isUnsure ? { ...rolledBack, isWhole: false } : rolledBack;
  if (fault !== undefined) log("classify() was not used", { fault });
  const undone = effect && undoneOf(rollback, effect);
  return { ...judgement, rollback, ...(undone !== undefined && { undone }) };
}

/** What may be reported as undone; never more than was. */
function undoneOf({ undid, failures }: Rollback, effect: Effect): Undone | undefined {
  if (failures.length > 0) return failures;
  const isWhole = effect === "state" || effect === "compensable";
  return undid && isWhole ? "all" : undefined;
}

function orphaned({ attempt: { tool } }: LiveTransaction): ToolContractError {
  return new ToolContractError(
    `'${tool}' was called by a tool whose attempt is over. Await all calls before the tool returns.`,
  );
}
