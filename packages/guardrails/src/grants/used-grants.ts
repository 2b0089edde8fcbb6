import type { AttemptState, AttemptStore, Ledger } from "@toolcontract/core";
import { isAttemptStore } from "@toolcontract/core/adapter";

/** Where grants that were used are kept: a ledger, or a store of attempts. */
export type GrantStore = Ledger | AttemptStore;

/** Uses a grant; true only the first time. */
export type UseGrant = (id: string, now: number) => Promise<boolean>;

/** What a store of attempts keeps of a used grant. */
const USED: AttemptState = { failed: 1, history: [], turnId: "", turnOutcome: "counted" };

/** Uses grants in a store. */
export function useGrantsIn(store: GrantStore): UseGrant {
  return isLedger(store) ? inLedger(store) : inAttempts(store);
}

/** Whether grants that were used can be kept in it. */
export function isGrantStore(store: unknown): store is GrantStore {
  return isLedger(store) || isAttemptStore(store);
}

function isLedger(store: unknown): store is Ledger {
  const { reserve, end } = Object(store) as Partial<Ledger>;
  return typeof reserve === "function" && typeof end === "function";
}

/** A grant is an account that holds one. */
function inLedger(ledger: Ledger): UseGrant {
  return async (id, now) => {
    const claims = [{ limit: "grant", account: JSON.stringify(["grant", id]), amount: 1, max: 1 }];
    // It names no tool, so nobody is asked whether it happened.
    const entry = {
      id: `grant ${id}`,
      claims,
      state: "reserved",
      reservedAt: now,
      facts: {},
    } as const;
    const short = await ledger.reserve(entry);
    if (short.length > 0) return false;
    // Reserved is used: if this fails, it stays so.
    await Promise.resolve(ledger.end(entry, { state: "spent", at: now })).catch(() => undefined);
    return true;
  };
}

function inAttempts(store: AttemptStore): UseGrant {
  return async (id) => {
    const key = JSON.stringify(["grant", id]);
    const { before } = await store.update(key, (known) => known ?? USED);
    return before === undefined;
  };
}
