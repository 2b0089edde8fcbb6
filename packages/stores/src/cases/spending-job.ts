import type { Ledger, LedgerClaim, LedgerEntry } from "@toolcontract/core";

/** What one of several processes spends. */
export interface SpendingJob {
  /** Its number, from 0. */
  readonly process: number;
}

/** How many of its reservations one process was granted. */
export interface SpendingResult {
  /** Its reservations that fitted. */
  readonly granted: number;
}

/** How many processes spend. */
export const PROCESSES = 4;
const TRIES = 100;
/** What the account holds. */
export const MAX = 150;

/**
 * Reserves 1 a hundred times from an account that holds 150, and ends each reservation in another way.
 *
 * @remarks The `fork` of a harness calls it in a process of its own.
 * @example
 * ```ts
 * process.send?.(await runSpendingJob(ledger, { process: 0 }));
 * ```
 * @see docs/limits.md
 */
export async function runSpendingJob(
  ledger: Ledger,
  { process }: SpendingJob,
): Promise<SpendingResult> {
  let granted = 0;
  for (let index = 0; index < TRIES; index += 1) {
    const entry = reservedEntry(`${process}-${index}`, [claimOf("shared", 1, MAX)]);
    const short = await ledger.reserve(entry);
    if (short.length > 0) continue;
    granted += 1;
    if (index % 3 === 0) await ledger.end(entry, { state: "spent", at: 1 });
    if (index % 3 === 1) await ledger.end(entry, { state: "in-doubt", at: 1 });
  }
  return { granted };
}

/** A claim on an account. */
export function claimOf(account: string, amount: number, max: number, after?: number): LedgerClaim {
  return { limit: account, account, amount, max, ...(after !== undefined && { after }) };
}

/** An entry of a reservation. */
export function reservedEntry(
  id: string,
  claims: readonly LedgerClaim[],
  reservedAt = 0,
): LedgerEntry {
  return { id, claims, state: "reserved", reservedAt, facts: { tool: "pay", note: `"|'\n${id}` } };
}
