import { ToolContractError } from "@toolcontract/core";
import type { ReadOnly, Staged, StateStore } from "../shared/index.ts";
import { readOnlyDatabase, type SqliteDatabase } from "./sqlite-handles.ts";
import { Savepoint, type Savepoints } from "./sqlite-savepoint.ts";

/**
 * Makes a store of a SQLite database: each attempt is a savepoint.
 *
 * The store is one part, so attempts take turns. What is staged can be seen on the whole connection: during an attempt, use the
 * database through the attempt alone. `store.state` only reads, and throws while something is staged, so it never shows that.
 *
 * @param database - An open `DatabaseSync` of `node:sqlite` (Node 22.5 and later), which stays yours to close.
 */
export function sqliteStore(database: SqliteDatabase): StateStore<SqliteDatabase> {
  if (typeof database?.prepare !== "function" || typeof database.exec !== "function") {
    throw new ToolContractError(
      'sqliteStore: pass an open database, such as new DatabaseSync("shop.db") of node:sqlite.',
    );
  }
  return new SqliteStore(database);
}

class SqliteStore implements StateStore<SqliteDatabase> {
  readonly state: ReadOnly<SqliteDatabase>;
  readonly slots = undefined;
  readonly #savepoints: Savepoints;

  constructor(database: SqliteDatabase) {
    this.#savepoints = { database, open: [] };
    this.state = readOnlyDatabase(database, () => {
      if (this.#savepoints.open.length === 0) return;
      throw new ToolContractError(
        "sqliteStore: store.state cannot be read while an attempt has staged something; read through that attempt.",
      );
    });
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
