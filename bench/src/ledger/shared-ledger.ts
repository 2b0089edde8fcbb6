import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Ledger } from "@toolcontract/core";
import { redisLedger } from "@toolcontract/stores/redis";
import { sqliteLedger } from "@toolcontract/stores/sqlite";

/** Where the processes of a round keep their ledger. */
export interface SharedLedger {
  /** The folder of the round, whose name is the prefix of its keys in Redis. */
  readonly folder: string;
  /** A Redis; without one, a file of SQLite in the folder. */
  readonly redisUrl?: string | undefined;
}

/** Opens the ledger of a round as one of its processes does. */
export async function openShared({
  folder,
  redisUrl,
}: SharedLedger): Promise<{ readonly ledger: Ledger; readonly close: () => void }> {
  if (redisUrl === undefined) {
    const database = new DatabaseSync(join(folder, "ledger.db"));
    const ledger = sqliteLedger(database, { busyTimeout: 60_000 });
    return { ledger, close: () => database.close() };
  }
  // Not loaded for SQLite: each process that is started again would wait for it.
  const { createClient } = await import("redis");
  const client = createClient({ url: redisUrl });
  await client.connect();
  const ledger = redisLedger({
    sendCommand: async (...args) => client.sendCommand(args),
    prefix: folder,
  });
  return { ledger, close: () => client.destroy() };
}
