import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Ledger } from "@toolcontract/core";
import { redisLedger } from "@toolcontract/stores/redis";
import { sqliteLedger } from "@toolcontract/stores/sqlite";

/** Where the processes of a round keep their ledger. */
export interface SharedLedger {
  /** The folder of the round, whose name is the prefix of its keys in Redis and of its tables in Postgres. */
  readonly folder: string;
  /** A Redis or a Postgres; without one, a file of SQLite in the folder. */
  readonly url?: string | undefined;
}

/** Opens the ledger of a round as one of its processes does. */
export async function openShared({
  folder,
  url,
}: SharedLedger): Promise<{ readonly ledger: Ledger; readonly close: () => void }> {
  if (url === undefined) {
    const database = new DatabaseSync(join(folder, "ledger.db"));
    const ledger = sqliteLedger(database, { busyTimeout: 60_000 });
    return { ledger, close: () => database.close() };
  }
  if (url.startsWith("postgres:")) return openPostgres(url, folder);
  // Not loaded for SQLite: each process that is started again would wait for it.
  const { createClient } = await import("redis");
  const client = createClient({ url });
  await client.connect();
  const ledger = redisLedger({
    sendCommand: async (...args) => client.sendCommand(args),
    prefix: folder,
  });
  return { ledger, close: () => client.destroy() };
}

async function openPostgres(url: string, folder: string): ReturnType<typeof openShared> {
  const { Pool } = await import("pg");
  const { createTables, postgresLedger } = await import("@toolcontract/stores/postgres");
  const pool = new Pool({ connectionString: url });
  const prefix = `${basename(folder).replaceAll(/\W/g, "_")}_`;
  await createTables(pool, { prefix });
  return { ledger: postgresLedger(pool, { prefix }), close: () => void pool.end() };
}
