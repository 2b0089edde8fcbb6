import type { Ledger } from "@toolcontract/core";
import { createLedgerTables, ledgerInTables } from "../tables/index.ts";
import { type DurableObjectStorage, databaseOf } from "./storage.ts";

/**
 * Creates a ledger in a Durable Object, exact for all that reach the object; what is reserved is on disk before a tool's request
 * leaves the object.
 *
 * @param storage - `ctx.storage` of an object whose class is backed by SQLite; it gets tables whose names begin with
 * `toolcontract_ledger`.
 * @throws ToolContractError if that is not such a storage.
 * @example
 * ```ts
 * const ledger = durableObjectLedger(ctx.storage);
 * ```
 * @see docs/stores.md
 */
export function durableObjectLedger(storage: DurableObjectStorage): Ledger {
  const database = databaseOf("durableObjectLedger", storage);
  createLedgerTables(database);
  // What an object sends waits until what it has written before is on disk.
  return ledgerInTables(database, (_mustLast, work) => storage.transactionSync(work));
}
