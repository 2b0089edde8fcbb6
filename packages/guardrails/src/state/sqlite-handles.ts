import { ToolContractError } from "@toolcontract/core";

/** What a statement takes. */
export type SqliteValue = null | number | bigint | string | ArrayBufferView;

/** A parameter of a statement: a value, or several of them by name. */
export type SqliteParameter = SqliteValue | Record<string, SqliteValue>;

/** The members of a prepared statement that attempts use. */
export interface SqliteStatement {
  /** Runs it for its effect. */
  run(...parameters: SqliteParameter[]): unknown;
  /** Returns the first row, or undefined. */
  get(...parameters: SqliteParameter[]): unknown;
  /** Returns all rows. */
  all(...parameters: SqliteParameter[]): unknown[];
}

/** A database, as far as attempts use it. A `DatabaseSync` of `node:sqlite` is one. */
export interface SqliteDatabase {
  /** Runs statements that have no parameters. */
  exec(sql: string): void;
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement;
  /** Whether a transaction is open. */
  readonly isTransaction?: boolean;
  /**
   * Asks a function about each action of the statements that are prepared from then on; null asks nobody. `node:sqlite` has it since
   * Node 24.10.
   */
  setAuthorizer?(
    allows: ((action: number, ...details: readonly (string | null)[]) => number) | null,
  ): void;
}

// Blanks and comments, then a word that begins or ends a transaction.
const TRANSACTION =
  /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*(begin|commit|end|rollback|savepoint|release)\b/i;

/**
 * The database in the hands of an attempt.
 *
 * @param use - Runs before each use, also of statements that were prepared earlier; throws if it is not allowed.
 */
export function stagedDatabase(database: SqliteDatabase, use: () => void): SqliteDatabase {
  return Object.freeze({
    exec(sql: string): void {
      use();
      refuseTransaction(sql);
      execInside(database, sql);
    },
    prepare(sql: string): SqliteStatement {
      use();
      refuseTransaction(sql);
      const statement = database.prepare(sql);
      const using =
        <Result>(run: (...parameters: SqliteParameter[]) => Result) =>
        (...parameters: SqliteParameter[]): Result => {
          use();
          return run(...parameters);
        };
      return Object.freeze({
        run: using((...parameters) => statement.run(...parameters)),
        get: using((...parameters) => statement.get(...parameters)),
        all: using((...parameters) => statement.all(...parameters)),
      });
    },
  });
}

// SQLite's own numbers: what is asked about, and how it is denied.
const ACTIONS_OF_TRANSACTIONS: readonly number[] = [22, 32];
const [ALLOW, DENY] = [0, 1];
/** Words that end or begin a transaction, anywhere: one of several statements may be meant, or a name. */
const SUSPECT = /\b(?:begin|commit|end|rollback|savepoint|release)\b/i;

/** Runs statements of which none may end the transaction that the attempt is in. */
function execInside(database: SqliteDatabase, sql: string): void {
  if (!database.setAuthorizer || !SUSPECT.test(sql)) return database.exec(sql);
  let isRefused = false;
  database.setAuthorizer((action) => {
    if (!ACTIONS_OF_TRANSACTIONS.includes(action)) return ALLOW;
    isRefused = true;
    return DENY;
  });
  try {
    database.exec(sql);
  } catch (thrown) {
    throw isRefused ? insideAttempt() : thrown;
  } finally {
    database.setAuthorizer(null);
  }
}

/**
 * The database for somebody who only reads.
 *
 * @param use - Runs before each use; throws if it is not allowed.
 */
export function readOnlyDatabase(database: SqliteDatabase, use: () => void): SqliteDatabase {
  return Object.freeze({
    exec: refuseWrite,
    prepare(sql: string): SqliteStatement {
      use();
      const statement = database.prepare(sql);
      return Object.freeze({
        run: refuseWrite,
        get(...parameters: SqliteParameter[]): unknown {
          use();
          return reading(database, () => statement.get(...parameters));
        },
        all(...parameters: SqliteParameter[]): unknown[] {
          use();
          return reading(database, () => statement.all(...parameters));
        },
      });
    },
  });
}

/** SQLite itself refuses writes meanwhile: `INSERT … RETURNING` returns rows too. */
function reading<Rows>(database: SqliteDatabase, read: () => Rows): Rows {
  const { query_only: before } = database.prepare("PRAGMA query_only").get() as {
    readonly query_only: number;
  };
  database.exec("PRAGMA query_only = 1");
  try {
    return read();
  } finally {
    database.exec(`PRAGMA query_only = ${before}`);
  }
}

function refuseWrite(): never {
  throw new ToolContractError(
    "This state is read-only: use prepare(sql).get() and .all(). A tool writes through its attempt: currentAttempt().state.",
  );
}

function refuseTransaction(sql: string): void {
  const word = TRANSACTION.exec(sql)?.[1];
  if (word === undefined) return;
  throw new ToolContractError(
    `sqliteStore: a tool cannot run ${word.toUpperCase()}: its attempt is the transaction, which ends with it.`,
  );
}

function insideAttempt(): ToolContractError {
  return new ToolContractError(
    "sqliteStore: one of several statements begins or ends a transaction, and none of them goes on: the attempt is the transaction, which ends with it.",
  );
}
