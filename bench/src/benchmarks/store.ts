import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AttemptStore, createMemoryStore } from "@toolcontract/core";
import { createRetryTracker } from "@toolcontract/core/adapter";
import { createVersionedStore, withFallback } from "@toolcontract/stores";
import { sqliteAttempts } from "@toolcontract/stores/sqlite";
import type { Benchmark, Setting, Table } from "../benchmark.ts";
import { type Contestant, perCall, race } from "../race.ts";

const CALLS = 100;
const HISTORY = { argumentsHash: "0123456789abcdef", errors: [] } as const;

/** Measures what a store adds to the counting of a call, without a network. */
export const store: Benchmark = {
  name: "store",
  about: "counting an attempt, by where attempts are kept; the engines are in this process",
  async run({ length }) {
    const folder = mkdtempSync(join(tmpdir(), "toolcontract-store-"));
    const databases: DatabaseSync[] = [];
    const openDatabase = (): DatabaseSync => {
      const database = new DatabaseSync(join(folder, `${databases.length}.db`));
      databases.push(database);
      return database;
    };
    const stores: readonly (readonly [string, () => AttemptStore])[] = [
      ["memory", createMemoryStore],
      ["memory, with a fallback", () => withFallback(createMemoryStore())],
      ["a versioned store on a map", () => createVersionedStore(mapEngine())],
      ["the same with a fallback", () => withFallback(createVersionedStore(mapEngine()))],
      ["SQLite", () => sqliteAttempts(openDatabase())],
    ];
    try {
      return [
        await compare("a valid call of a tool that never failed", stores, length, valid),
        await compare("a failure and then a success", stores, length, failThenSucceed),
      ];
    } finally {
      for (const database of databases) database.close();
      rmSync(folder, { recursive: true });
    }
  },
};

/** One answer a turn of the microtask queue, as little as an engine can take that is not synchronous. */
function mapEngine(): Parameters<typeof createVersionedStore>[0] {
  const entries = new Map<string, string>();
  return {
    read: async (key) => ({ value: entries.get(key) }),
    async swap(key, expected, next) {
      if (entries.get(key) !== expected) return { value: entries.get(key) };
      if (next === undefined) entries.delete(key);
      else entries.set(key, next);
      return "done";
    },
  };
}

type Use = (tracker: ReturnType<typeof createRetryTracker>, turn: number) => Promise<unknown>;

const KEY = { conversationId: "conversation-1", toolName: "write_file" };

const valid: Use = async (tracker, turn) => tracker.recordValid(KEY, { turnId: `${turn}` });

const failThenSucceed: Use = async (tracker, turn) => {
  await tracker.recordFailure(KEY, { turnId: `${turn}`, ...HISTORY });
  await tracker.recordValid(KEY, { turnId: `${turn} again` });
};

async function compare(
  title: string,
  stores: readonly (readonly [string, () => AttemptStore])[],
  length: Setting["length"],
  use: Use,
): Promise<Table> {
  const contestants = stores.map(([name, open]): Contestant => {
    const tracker = createRetryTracker({ scope: "thread", maxAttempts: 3, store: open() });
    let turn = 0;
    return {
      name,
      async run() {
        for (let call = 0; call < CALLS; call += 1) await use(tracker, (turn += 1));
      },
    };
  });
  return { title, rows: perCall(await race(contestants, length), CALLS) };
}
