import type { MaybePromise, StateStore } from "../shared/index.ts";
import { type Locks, createLocks } from "../state/index.ts";
import type { LiveTransaction } from "./live-transaction.ts";
import type { Engine, TransactionRequest } from "./request.ts";

const locksOfStores = new WeakMap<object, Locks>();

/** The locks of a store; guardrails that share a store share its locks. */
export function locksOf(store: StateStore<unknown>): Locks {
  const known = locksOfStores.get(store);
  if (known) return known;
  const locks = createLocks();
  locksOfStores.set(store, locks);
  return locks;
}

/** Waits for the slots of a transaction, or inside another one for its siblings; returns what releases them. */
export async function lock(
  { policy, signal }: TransactionRequest,
  { store }: Engine,
  parent: LiveTransaction | undefined,
  isLocked: boolean,
): Promise<() => void> {
  if (parent) {
    await parent.lockAll();
    return parent.nested().acquire(["*"], signal);
  }
  if (!store || !isLocked) return () => undefined;
  return locksOf(store).acquire(policy.slots ?? allSlots(store), signal);
}

/** Waits for a whole store; returns what releases it. */
export function lockStore(
  store: StateStore<unknown>,
  signal: AbortSignal | undefined,
): MaybePromise<() => void> {
  return locksOf(store).acquire(allSlots(store), signal);
}

/** The slots of a store; one that has none is one slot. */
function allSlots(store: StateStore<unknown>): readonly string[] {
  return store.slots ?? ["*"];
}
