import { startLimit } from "@toolcontract/core/adapter";
import type { MaybePromise, StateStore } from "../shared/index.ts";
import { type Locks, createLocks } from "../state/index.ts";
import type { LiveTransaction } from "./live-transaction.ts";
import type { Engine, TransactionRequest } from "./request.ts";
import { storeFailed } from "./store-failed.ts";

const locksOfStores = new WeakMap<object, Locks>();

/** The locks of a store; stores of one resource share them, and so do guardrails that share a store. */
export function locksOf(store: StateStore<unknown>): Locks {
  const owner = store.resource ?? store;
  const known = locksOfStores.get(owner);
  if (known) return known;
  const locks = createLocks();
  locksOfStores.set(owner, locks);
  return locks;
}

/** The locks of a transaction. */
export interface HeldLocks {
  /** True if no other call changes the slots that it may touch. */
  readonly isLocked: boolean;
  /** The slots that are not locked, and could be. */
  readonly others: readonly string[];
  /** Releases the locks; more than once changes nothing. */
  readonly release: () => void;
}

/** Whether a transaction waits for anything; most tools have no state. */
export function needsLock(
  { policy }: TransactionRequest,
  { store }: Engine,
  parent: LiveTransaction | undefined,
): boolean {
  return parent !== undefined || (store !== undefined && policy.access !== "view");
}

/** Waits for the slots of a transaction, or inside another one for its siblings. */
export async function lock(
  request: TransactionRequest,
  { store, limits }: Engine,
  parent: LiveTransaction | undefined,
): Promise<HeldLocks> {
  const { policy, signal, before, log } = request;
  if (parent) {
    await parent.lockAll();
    const release = await parent.nested().acquire(["*"], signal);
    return { isLocked: policy.access === "locked", others: [], release };
  }
  if (!store) return UNLOCKED;
  const all = allSlots(store);
  const slots = slotsToLock(policy, all);
  if (slots === undefined) return { ...UNLOCKED, others: all };
  const others = all.filter((slot) => !slots.includes(slot));
  const release = await locksOf(store).acquire(slots, signal);
  if (before.length === 0 || !store.hold) return { isLocked: true, others, release };
  try {
    const letGo = await hold(store.hold.bind(store), limits.store, signal);
    return { isLocked: true, others, release: () => (letGo(), release()) };
  } catch (thrown) {
    release();
    throw signal?.aborted === true ? thrown : storeFailed(thrown, log);
  }
}

/** A transaction that waits for nobody. */
export const UNLOCKED: HeldLocks = Object.freeze({
  isLocked: false,
  others: Object.freeze([]),
  release: () => undefined,
});

/** Waits until a store keeps other processes away. */
async function hold(
  ask: (signal: AbortSignal) => MaybePromise<() => void>,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<() => void> {
  const limit = startLimit({ milliseconds, signal });
  try {
    return await limit.race(async () => {
      const letGo = await ask(limit.signal);
      // Nobody waits for it any more.
      if (limit.signal.aborted) letGo();
      return letGo;
    });
  } finally {
    limit.stop();
  }
}

/** What a tool may touch and its guardrails were seen to read; undefined for a tool that nothing makes wait. */
function slotsToLock(
  { access, slots, reads }: TransactionRequest["policy"],
  all: readonly string[],
): readonly string[] | undefined {
  if (access === "locked") return slots ? [...new Set([...slots, ...reads])] : all;
  // A tool of which nothing is declared must not be protected less than one that is.
  return reads.size > 0 ? all : undefined;
}

/** Waits for a whole store; returns what releases it. */
export function lockStore(
  store: StateStore<unknown>,
  signal: AbortSignal | undefined,
): MaybePromise<() => void> {
  return locksOf(store).acquire(allSlots(store), signal);
}

/** The slots of a store; a store without slots is one slot. */
function allSlots(store: StateStore<unknown>): readonly string[] {
  return store.slots ?? ["*"];
}
