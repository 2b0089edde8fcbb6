import type { MaybePromise } from "@toolcontract/explain/adapter";

/** One amount of an entry, and what it counts against. */
export interface LedgerClaim {
  /** The limit's name. */
  readonly limit: string;
  /** Names the limit in one scope: the amounts of one account are added up. At most 200 characters. */
  readonly account: string;
  /** Finite and not negative. */
  readonly amount: number;
  /** What the account may hold. */
  readonly max: number;
  /** Amounts of calls that ended at this time or earlier do not count any more; without it, all count. */
  readonly after?: number;
}

/** What one call may do to the world: it counts from before its tool runs until it is known that nothing happened. */
export interface LedgerEntry {
  /** Unique among all entries. */
  readonly id: string;
  /** What is reserved together; each in another account. */
  readonly claims: readonly LedgerClaim[];
  /** `reserved` while the call is under way; `in-doubt` if nobody knows what its tool did. */
  readonly state: "reserved" | "in-doubt";
  /** Milliseconds since 1970. */
  readonly reservedAt: number;
  /** When the tool ended, in milliseconds since 1970; absent while it may still be running: then it counts at any time. */
  readonly endedAt?: number;
  /** What the writer keeps for itself, such as the tool's name; never an argument's value. */
  readonly facts: Readonly<Record<string, string>>;
}

/** How an entry goes on. */
export type LedgerEnd =
  | {
      /** It happened. */
      readonly state: "spent";
      /** When the tool ended, in milliseconds since 1970. */
      readonly at: number;
      /** What was spent by the names of limits, if it is not what was reserved. */
      readonly amounts?: Readonly<Record<string, number>>;
    }
  | {
      /** Nobody knows whether it happened. */
      readonly state: "in-doubt";
      /** When the tool ended; absent while it may still be running. */
      readonly at?: number;
    }
  /** It is known that it did not happen: the amounts are given back. */
  | { readonly state: "not-done" };

/** The sums of one account. */
export interface LedgerTotals {
  /** The amount of entries that have happened. */
  readonly spent: number;
  /** The amount of entries whose calls are under way. */
  readonly reserved: number;
  /** Held by entries whose outcome is unknown. */
  readonly inDoubt: number;
}

/** A claim that does not fit, and the sums that are in its way. */
export interface LedgerShortage {
  /** The limit's name. */
  readonly limit: string;
  /** What its account holds without the claim. */
  readonly totals: LedgerTotals;
}

/**
 * Where amounts are reserved, spent, in doubt, or given back. `memoryLedger`, `sqliteLedger`, `redisLedger` and `postgresLedger` implement it.
 *
 * @remarks Each method takes effect as a whole or not at all, also beside other processes. What it throws may have been done.
 */
export interface Ledger {
  /**
   * Reserves all claims of an entry, or none: each account must then hold at most its `max`.
   *
   * @remarks An entry of this id that is there already was reserved by this call, whose answer was lost, if it was reserved at the same time
   * with the same facts. Otherwise the new one takes it over: its claims stand in place of the old ones. Since nobody knows what was done
   * before, it is in doubt again if it then ends `not-done`.
   * @returns The claims that do not fit; none if everything is reserved, which then survives the process.
   */
  reserve(entry: LedgerEntry): MaybePromise<readonly LedgerShortage[]>;
  /** Ends an entry that is reserved or in doubt; does nothing to one that is spent or given back. */
  end(entry: Pick<LedgerEntry, "id" | "claims">, end: LedgerEnd): MaybePromise<void>;
  /** The sums of an account; it changes nothing. What ended less than two days ago is never forgotten. */
  totals(account: Pick<LedgerClaim, "account" | "after">): MaybePromise<LedgerTotals>;
  /** All entries that are reserved or in doubt, oldest first. */
  open(): MaybePromise<readonly LedgerEntry[]>;
}

const DIGITS = 15;

/** Adds amounts; the rest that binary fractions leave is rounded off, so that 0.1 and 0.2 are 0.3. */
export function addAmounts(...amounts: readonly number[]): number {
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  return Number.isInteger(sum) ? sum : Number(sum.toPrecision(DIGITS));
}

/** Whether a claim fits beside what its account holds. */
export function fitsAccount(
  { amount, max }: Pick<LedgerClaim, "amount" | "max">,
  { spent, reserved, inDoubt }: LedgerTotals,
): boolean {
  return addAmounts(spent, reserved, inDoubt, amount) <= max;
}
