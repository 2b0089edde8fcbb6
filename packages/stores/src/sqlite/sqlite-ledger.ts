import { type Ledger, ToolContractError } from "@toolcontract/core";
import {
  type LedgerDatabase,
  type RunWhole,
  createLedgerTables,
  ledgerInTables,
} from "../tables/index.ts";
import { shareFile } from "./share-file.ts";

const BUSY_MS = 5_000;

/**
 * Options of sqliteLedger().
 *
 * @example
 * ```ts
 * const options: SqliteLedgerOptions = { busyTimeout: 500 };
 * ```
 * @see docs/stores.md
 */
export interface SqliteLedgerOptions {
  /**
   * How many milliseconds a write waits for those of other processes. It blocks the event loop.
   *
   * @default 5_000
   */
  readonly busyTimeout?: number;
}

/**
 * Creates a ledger in a SQLite database, exact for all processes of one machine; what is reserved survives them.
 *
 * @param database - An open database with a connection of its own, such as `new DatabaseSync("ledger.db")` of `node:sqlite`
 * (Node 22.5 and later). It gets tables whose names begin with `toolcontract_ledger`, and WAL mode, and stays yours to close.
 * @throws ToolContractError if that is not an open database, or an option is not what it must be.
 * @example
 * ```ts
 * const ledger = sqliteLedger(new DatabaseSync("limits.db"));
 * ```
 * @see docs/limits.md
 */
export function sqliteLedger(database: LedgerDatabase, options: SqliteLedgerOptions = {}): Ledger {
  const { busyTimeout = BUSY_MS } = options;
  checkDatabase(database);
  if (!Number.isInteger(busyTimeout) || busyTimeout < 0) {
    throw new ToolContractError(
      "sqliteLedger: `busyTimeout` must be a whole number of milliseconds.",
    );
  }
  try {
    shareFile(database, busyTimeout);
    createLedgerTables(database);
    return ledgerInTables(database, wholeIn(database));
  } catch (cause) {
    const reason = cause instanceof Error ? `: ${cause.message}` : "";
    throw new ToolContractError(
      `sqliteLedger: the database cannot keep a ledger${reason}. Pass one that is open, of SQLite and writable.`,
      { cause },
    );
  }
}

/** Runs writes in transactions; one that must not be lost waits for the disk. */
function wholeIn(database: LedgerDatabase): RunWhole {
  return (mustLast, work) => {
    beginTransaction(database, mustLast ? "FULL" : "NORMAL");
    try {
      const result = work();
      database.exec("COMMIT");
      return result;
    } catch (thrown) {
      rollBack(database);
      throw thrown;
    }
  };
}

function checkDatabase(database: unknown): void {
  const { prepare, exec } = Object(database) as Partial<LedgerDatabase>;
  if (typeof prepare === "function" && typeof exec === "function") return;
  throw new ToolContractError(
    'sqliteLedger: pass an open database, such as new DatabaseSync("ledger.db") of node:sqlite, which Node has from 22.5 on.',
  );
}

/** Takes the write lock at once, so that nobody decides on sums that another process is changing. */
function beginTransaction(database: LedgerDatabase, synchronous: "FULL" | "NORMAL"): void {
  // Members of node:sqlite and of better-sqlite3.
  const { isTransaction, inTransaction } = database as {
    readonly isTransaction?: boolean;
    readonly inTransaction?: boolean;
  };
  if (isTransaction === true || inTransaction === true) {
    throw new ToolContractError(
      "sqliteLedger: a transaction is open on its connection, which would undo the ledger with it. Pass a connection of its own, such as another new DatabaseSync(path).",
    );
  }
  database.exec(`PRAGMA synchronous = ${synchronous}; BEGIN IMMEDIATE`);
}

function rollBack(database: LedgerDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // Some failures have rolled back already; the first error says what was wrong.
  }
}
