import { type AttemptStore, ToolContractError } from "@toolcontract/core";
import type { EntryOptions } from "../engines/index.ts";
import { type AttemptsDatabase, attemptsInTable, createAttemptsTable } from "../tables/index.ts";
import { shareFile } from "./share-file.ts";

const BUSY_MS = 1_000;

/**
 * Options of sqliteAttempts().
 *
 * @example
 * ```ts
 * const options: SqliteAttemptsOptions = { busyTimeout: 500, prefix: "shop:" };
 * ```
 * @see docs/stores.md
 */
export interface SqliteAttemptsOptions extends EntryOptions {
  /**
   * How many milliseconds a write waits for those of other processes. It blocks the event loop.
   *
   * @default 1_000
   */
  readonly busyTimeout?: number;
  /**
   * Milliseconds since 1970, the same for all processes.
   *
   * @default Date.now
   */
  readonly clock?: () => number;
}

/**
 * Creates a store of attempts in a SQLite database, exact for all processes of one machine.
 *
 * @param database - An open database with a connection of its own, such as `new DatabaseSync("attempts.db")` of
 * `node:sqlite` (Node 22.5 and later). It gets the table `toolcontract_attempts` and WAL mode, and stays yours to close.
 * @throws ToolContractError if that is not an open database, or an option is not what it must be.
 * @example
 * ```ts
 * const store = sqliteAttempts(new DatabaseSync("attempts.db"));
 * ```
 * @see docs/stores.md
 */
export function sqliteAttempts(
  database: AttemptsDatabase,
  options: SqliteAttemptsOptions = {},
): AttemptStore {
  if (typeof database?.prepare !== "function" || typeof database.exec !== "function") {
    throw new ToolContractError(
      'sqliteAttempts: pass an open database, such as new DatabaseSync("attempts.db") of node:sqlite, which Node has from 22.5 on.',
    );
  }
  const { busyTimeout = BUSY_MS, clock = Date.now, ...entries } = options;
  if (!Number.isInteger(busyTimeout) || busyTimeout < 0) {
    throw new ToolContractError(
      "sqliteAttempts: `busyTimeout` must be a whole number of milliseconds.",
    );
  }
  try {
    shareFile(database, busyTimeout);
    // A power cut may lose the latest attempts, and never damages the file.
    database.exec("PRAGMA synchronous = NORMAL");
    createAttemptsTable(database);
    return attemptsInTable(database, clock, entries);
  } catch (cause) {
    // The options of entries are read there, too.
    if (ToolContractError.isInstance(cause)) throw cause;
    const reason = cause instanceof Error ? `: ${cause.message}` : "";
    throw new ToolContractError(
      `sqliteAttempts: the database cannot keep attempts${reason}. Pass one that is open, of SQLite and writable.`,
      { cause },
    );
  }
}
