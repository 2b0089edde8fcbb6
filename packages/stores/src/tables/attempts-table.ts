import type { AttemptStore } from "@toolcontract/core";
import { type EntryOptions, type StoredValue, createVersionedStore } from "../engines/index.ts";

const SWEEP_MS = 60_000;
const SWEPT_AT_ONCE = 500;
// A read renews an entry's time only once a tenth of it has passed: reads are many, and a write takes the lock.
const RENEWED = 0.9;

/** The members of a statement that a store of attempts uses. */
export interface AttemptsStatement {
  /** Runs it, and says how many rows it changed. */
  run(...values: (string | number)[]): { readonly changes: number | bigint };
  /** Returns the first row, or undefined. */
  get(...values: (string | number)[]): unknown;
}

/** A database, as far as a store of attempts uses it: a `DatabaseSync` of `node:sqlite`, or one of better-sqlite3. */
export interface AttemptsDatabase {
  /** Runs statements that have no parameters. */
  exec(sql: string): unknown;
  /** Prepares a statement. */
  prepare(sql: string): AttemptsStatement;
}

/** Makes a store in the table of createAttemptsTable(). */
export function attemptsInTable(
  database: Pick<AttemptsDatabase, "prepare">,
  clock: () => number,
  entries: EntryOptions,
): AttemptStore {
  const statements = statementsOf(database);
  let sweptAt = Number.NEGATIVE_INFINITY;

  function valueOf(key: string, now: number): StoredValue & { readonly until?: number } {
    const row = statements.read.get(key, now) as
      | { readonly value: string; readonly until: number }
      | undefined;
    return row ? { value: row.value, until: row.until, now } : { value: undefined, now };
  }

  function sweep(now: number): void {
    if (now - sweptAt < SWEEP_MS) return;
    sweptAt = now;
    upkeep(statements.sweep, now, SWEPT_AT_ONCE);
  }

  return createVersionedStore(
    {
      read(key, idleTime) {
        const now = clock();
        const { until = 0, ...found } = valueOf(key, now);
        if (until > 0 && until - now < idleTime * RENEWED)
          upkeep(statements.renew, now + idleTime, key);
        return found;
      },
      swap(key, expected, next, idleTime) {
        const now = clock();
        const write = (): { readonly changes: number | bigint } => {
          if (next === undefined) return statements.remove.run(key, expected ?? "");
          if (expected === undefined) return statements.insert.run(key, next, now + idleTime, now);
          return statements.replace.run(next, now + idleTime, key, expected);
        };
        if (Number(write().changes) === 0) return valueOf(key, now);
        sweep(now);
        return "done";
      },
    },
    entries,
  );
}

type AttemptStatements = Readonly<
  Record<"read" | "renew" | "insert" | "replace" | "remove" | "sweep", AttemptsStatement>
>;

/** Runs what the next call may do as well: what was read or written is right without it. */
function upkeep(statement: AttemptsStatement, ...values: (string | number)[]): void {
  try {
    statement.run(...values);
  } catch {
    // Another process may hold the lock, or the disk may be full; a write would say so.
  }
}

/** Creates the table, if it is not there. */
export function createAttemptsTable(database: Pick<AttemptsDatabase, "exec">): void {
  database.exec(
    "CREATE TABLE IF NOT EXISTS toolcontract_attempts (key TEXT PRIMARY KEY, value TEXT NOT NULL, until REAL NOT NULL) WITHOUT ROWID",
  );
  database.exec(
    "CREATE INDEX IF NOT EXISTS toolcontract_attempts_until ON toolcontract_attempts (until)",
  );
}

/** Each statement is a transaction of its own, so that none waits for a lock while it holds another. */
function statementsOf(database: Pick<AttemptsDatabase, "prepare">): AttemptStatements {
  const table = "toolcontract_attempts";
  return {
    read: database.prepare(`SELECT value, until FROM ${table} WHERE key = ? AND until > ?`),
    renew: database.prepare(`UPDATE ${table} SET until = ? WHERE key = ?`),
    // What is there but over counts as nothing.
    insert: database.prepare(
      `INSERT INTO ${table} (key, value, until) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, until = excluded.until WHERE ${table}.until <= ?`,
    ),
    replace: database.prepare(
      `UPDATE ${table} SET value = ?, until = ? WHERE key = ? AND value = ?`,
    ),
    remove: database.prepare(`DELETE FROM ${table} WHERE key = ? AND value = ?`),
    sweep: database.prepare(
      `DELETE FROM ${table} WHERE key IN (SELECT key FROM ${table} WHERE until <= ? LIMIT ?)`,
    ),
  };
}
