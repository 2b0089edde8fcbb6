import { ToolContractError } from "@toolcontract/core";
import type {
  AttemptsDatabase,
  AttemptsStatement,
  LedgerDatabase,
  LedgerStatement,
} from "../tables/index.ts";

/** The storage of a Durable Object that is backed by SQLite, `ctx.storage`, as far as it is used. */
export interface DurableObjectStorage {
  /** Its database. */
  readonly sql: {
    /** Runs a statement, or several without values. */
    exec(
      sql: string,
      ...values: (string | number | null)[]
    ): { toArray(): unknown[]; readonly rowsWritten: number };
  };
  /** Runs work in a transaction. */
  transactionSync<T>(work: () => T): T;
}

/** Both kinds of database that tables of SQLite are made for. */
interface TablesDatabase extends AttemptsDatabase, LedgerDatabase {
  prepare(sql: string): AttemptsStatement & LedgerStatement;
}

/** Reads a storage as a database; throws a ToolContractError that names the function `where`. */
export function databaseOf(where: string, storage: DurableObjectStorage): TablesDatabase {
  const sql = sqlOf(storage);
  if (sql === undefined || typeof storage.transactionSync !== "function") {
    throw new ToolContractError(
      `${where}: pass ctx.storage of a Durable Object that is backed by SQLite; its class is in \`new_sqlite_classes\` of a migration in wrangler.jsonc.`,
    );
  }
  return {
    exec: (text) => sql.exec(text),
    // The runtime keeps statements that it has prepared.
    prepare: (text) => ({
      run: (...values) => ({ changes: sql.exec(text, ...values).rowsWritten }),
      get: (...values) => sql.exec(text, ...values).toArray()[0],
      all: (...values) => sql.exec(text, ...values).toArray(),
    }),
  };
}

/** Without SQLite, asking for `sql` throws. */
function sqlOf(storage: DurableObjectStorage): DurableObjectStorage["sql"] | undefined {
  try {
    const { sql } = Object(storage) as Partial<DurableObjectStorage>;
    return typeof sql?.exec === "function" ? sql : undefined;
  } catch {
    return undefined;
  }
}
