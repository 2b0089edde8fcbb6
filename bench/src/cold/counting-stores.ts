import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseSync } from "node:sqlite";
import type { AttemptStore } from "@toolcontract/core";
import { createLocalStore } from "@toolcontract/stores";
import { sqliteAttempts } from "@toolcontract/stores/sqlite";

/** Ways to keep attempts in one SQLite file for several processes. */
export const STORES: Readonly<Record<string, (database: DatabaseSync) => AttemptStore>> = {
  "get, then set": getThenSet,
  update: (database) => sqliteAttempts(database, { busyTimeout: 60_000 }),
};

/** As an engine on the network that only reads and writes: every answer comes a moment later. */
function getThenSet(database: DatabaseSync): AttemptStore {
  database.exec("PRAGMA busy_timeout = 60000; PRAGMA journal_mode = WAL");
  database.exec("CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT)");
  const read = database.prepare("SELECT value FROM entries WHERE key = ?");
  const write = database.prepare("INSERT OR REPLACE INTO entries (key, value) VALUES (?, ?)");
  const remove = database.prepare("DELETE FROM entries WHERE key = ?");
  return createLocalStore({
    async get(key) {
      await sleep(1);
      const row = read.get(key) as { readonly value: string } | undefined;
      return row?.value;
    },
    async set(key, value) {
      await sleep(1);
      write.run(key, value);
    },
    async delete(key) {
      await sleep(1);
      remove.run(key);
    },
  });
}
