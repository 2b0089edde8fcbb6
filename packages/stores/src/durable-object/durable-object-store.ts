import type { AttemptStore } from "@toolcontract/core";
import type { EntryOptions } from "../engines/index.ts";
import { attemptsInTable, createAttemptsTable } from "../tables/index.ts";
import { type DurableObjectStorage, databaseOf } from "./storage.ts";

/**
 * Creates a store of attempts in a Durable Object, exact for all that reach the object; for `records` of guardrails, too.
 *
 * @param storage - `ctx.storage` of an object whose class is backed by SQLite; it gets the table `toolcontract_attempts`.
 * @throws ToolContractError if that is not such a storage, or an option is not what it must be.
 * @example
 * ```ts
 * const store = durableObjectStore(ctx.storage);
 * ```
 * @see docs/stores.md
 */
export function durableObjectStore(
  storage: DurableObjectStorage,
  options: EntryOptions = {},
): AttemptStore {
  const database = databaseOf("durableObjectStore", storage);
  createAttemptsTable(database);
  return attemptsInTable(database, Date.now, options);
}
