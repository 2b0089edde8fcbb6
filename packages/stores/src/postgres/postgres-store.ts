import type { AttemptStore } from "@toolcontract/core";
import { type EntryOptions, type StoredValue, createVersionedStore } from "../engines/index.ts";
import {
  type PostgresClient,
  type PostgresQuery,
  PostgresReplyError,
  type TableOptions,
  rowsFrom,
} from "./client.ts";
import { type TableNames, tableNames } from "./names.ts";
import { createSweep } from "./sweep.ts";

/**
 * How the tables are named, and how long attempts are kept.
 *
 * @example
 * ```ts
 * const options: PostgresStoreOptions = { prefix: "shop.toolcontract_", idleTime: 3_600_000 };
 * ```
 * @see docs/stores.md
 */
export type PostgresStoreOptions = TableOptions & Pick<EntryOptions, "idleTime">;

/**
 * Creates a store of attempts in Postgres from 12 on, exact for any number of processes; for `records` of guardrails, too.
 *
 * @param client - A pool or whatever has a `query`; its tables are those of createTables(). Not a client inside a transaction:
 * others would not see the count before it ends, and would lose it with a rollback.
 * @throws ToolContractError if the client or an option is not what it must be.
 * @example
 * ```ts
 * const store = postgresStore(new Pool());
 * ```
 * @see docs/stores.md
 */
export function postgresStore(
  client: PostgresClient | PostgresQuery,
  { prefix, ...entries }: PostgresStoreOptions = {},
): AttemptStore {
  const where = "postgresStore";
  const rowsOf = rowsFrom(where, client);
  const names = tableNames(where, prefix === undefined ? {} : { prefix });
  const sql = statementsOf(names);
  const sweep = createSweep(rowsOf, names);

  async function read(key: string, idleTime: number): Promise<StoredValue> {
    const [row] = await rowsOf(sql.read, key, idleTime);
    const { value, now } = (row ?? {}) as { readonly value?: unknown; readonly now?: unknown };
    const time = Number(now);
    if (!Number.isFinite(time) || (value !== null && typeof value !== "string")) {
      throw new PostgresReplyError("A read must reply with a text, or null, and the time.");
    }
    return { value, now: time };
  }

  return createVersionedStore(
    {
      read,
      async swap(key, expected, next, idleTime) {
        const rows =
          next === undefined
            ? await rowsOf(sql.remove, key, expected ?? "")
            : expected === undefined
              ? await rowsOf(sql.insert, key, next, idleTime)
              : await rowsOf(sql.replace, key, next, idleTime, expected);
        if (rows.length === 0) return read(key, idleTime);
        await sweep();
        return "done";
      },
    },
    // The names of tables have the prefix, so those of entries need none.
    { ...entries, prefix: "" },
  );
}

/** Each is a transaction of its own, and locks one row. A read renews an entry once a tenth of its time has passed. */
function statementsOf({
  attempts,
}: TableNames): Readonly<Record<"read" | "insert" | "replace" | "remove", string>> {
  const later = (place: number): string =>
    `statement_timestamp() + $${place}::float8 * interval '1 millisecond'`;
  return {
    read: `WITH renewed AS (
        UPDATE ${attempts} SET until = ${later(2)}
        WHERE key = $1::text AND until > statement_timestamp() AND until < statement_timestamp() + 0.9 * $2::float8 * interval '1 millisecond')
      SELECT (SELECT value FROM ${attempts} WHERE key = $1::text AND until > statement_timestamp()) AS value,
        (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
    insert: `INSERT INTO ${attempts} AS kept (key, value, until) VALUES ($1::text, $2::text, ${later(3)})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, until = excluded.until
      WHERE kept.until <= statement_timestamp() RETURNING key`,
    replace: `UPDATE ${attempts} SET value = $2::text, until = ${later(3)} WHERE key = $1::text AND value = $4::text RETURNING key`,
    remove: `DELETE FROM ${attempts} WHERE key = $1::text AND value = $2::text RETURNING key`,
  };
}
