import { ToolContractError } from "@toolcontract/core";
import { sleep } from "@toolcontract/core/adapter";
import type { ReadOnly, Staged, StateStore } from "../shared/index.ts";
import { readOnlyDatabase, type SqliteDatabase } from "./sqlite-handles.ts";
import {
  Savepoint,
  endHold,
  savepointsOf,
  tryToBegin,
  type Savepoints,
} from "./sqlite-savepoint.ts";

/**
 * Makes a store of a SQLite database: each attempt is a savepoint.
 *
 * The store is one part, so attempts take turns, also those of several stores of one connection. A call whose guardrails look at
 * the state is a write transaction from before they are asked, so other processes wait for it.
 * What is staged can be seen on the whole connection: during an attempt, use the
 * database through the attempt alone. `store.state` only reads, and throws while something is staged, so it never shows that.
 *
 * @param database - An open `DatabaseSync` of `node:sqlite` (Node 22.5 and later), which stays yours to close.
 * @example
 * ```ts
 * const guardrails = createGuardrails({ guardrails: [], store: sqliteStore(database) });
 * ```
 * @see docs/attempts-and-rollback.md
 */
export function sqliteStore(database: SqliteDatabase): StateStore<SqliteDatabase> {
  if (typeof database?.prepare !== "function" || typeof database.exec !== "function") {
    throw new ToolContractError(
      'sqliteStore: pass an open database, such as new DatabaseSync("shop.db") of node:sqlite.',
    );
  }
  return new SqliteStore(database);
}

/** How long another process is left alone before it is asked again. */
const BUSY_WAIT_MS = 5;

class SqliteStore implements StateStore<SqliteDatabase> {
  readonly state: ReadOnly<SqliteDatabase>;
  readonly slots = undefined;
  readonly resource: object;
  readonly #savepoints: Savepoints;

  constructor(database: SqliteDatabase) {
    this.#savepoints = savepointsOf(database);
    this.resource = database;
    this.state = readOnlyDatabase(database, () => {
      if (this.#savepoints.open.length === 0) return;
      throw new ToolContractError(
        "sqliteStore: store.state cannot be read while an attempt has staged something; read through that attempt.",
      );
    });
  }

  /** Begins a transaction that can write, so that what guardrails read stays true until the commit. */
  async hold(signal: AbortSignal): Promise<() => void> {
    const all = this.#savepoints;
    // A transaction of the program's own is around the attempt, or another attempt.
    if (all.database.isTransaction === true || all.open.length > 0) return () => undefined;
    for (;;) {
      signal.throwIfAborted();
      if (tryToBegin(all)) return () => endHold(all);
      await sleep(BUSY_WAIT_MS, signal);
    }
  }

  begin(parent?: Staged<SqliteDatabase>, slots?: readonly string[]): Staged<SqliteDatabase> {
    const mayTouch = slots?.length !== 0;
    if (parent === undefined) return new Savepoint(this.#savepoints, undefined, mayTouch);
    if (parent instanceof Savepoint && parent.isOf(this.#savepoints)) {
      return new Savepoint(this.#savepoints, parent, mayTouch);
    }
    throw new ToolContractError(
      "StateStore.begin: the parent must be an attempt of the same store.",
    );
  }
}
