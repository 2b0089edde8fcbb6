import { randomUUID } from "node:crypto";
import type { AttemptState, AttemptStore, Ledger } from "@toolcontract/core";
import { isAttemptStore } from "@toolcontract/core/adapter";

/** Where grants that were used are kept: a ledger, or a store of attempts. */
export type GrantStore = Ledger | AttemptStore;

/** A grant that is used, until its call runs or does not. */
export interface UsedGrant {
  /** The call runs: the grant is used for good. */
  keep(): Promise<void>;
  /** The call has not run after all, so that the grant is good for it as before. */
  giveBack(): Promise<void>;
}

/** Uses a grant; undefined if it was used before. */
export type UseGrant = (id: string, now: number) => Promise<UsedGrant | undefined>;

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
      id: `grant ${randomUUID()}`,
      claims,
      state: "reserved",
      reservedAt: now,
      facts: {},
    } as const;
    const short = await ledger.reserve(entry);
    if (short.length > 0) return undefined;
    // Reserved is used: if an end fails, it stays so.
    const end = async (state: Parameters<Ledger["end"]>[1]): Promise<void> =>
      Promise.resolve(ledger.end(entry, state)).catch(() => undefined);
    return {
      keep: async () => end({ state: "spent", at: now }),
      giveBack: async () => end({ state: "not-done" }),
    };
  };
}

function inAttempts(store: AttemptStore): UseGrant {
  return async (id) => {
    const key = JSON.stringify(["grant", id]);
    const { before } = await store.update(key, (known) => known ?? USED);
    if (before !== undefined) return undefined;
    return {
      keep: async () => undefined,
      async giveBack() {
        try {
          await store.update(key, () => undefined);
        } catch {
          // It stays used.
        }
      },
    };
  };
}
