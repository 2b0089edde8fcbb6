// One of several processes on an engine: node engine-process.js <store or ledger> <engine> <job>; prints its result as JSON.
import { runCountingJob, runSpendingJob } from "../cases/index.ts";
import { postgresLedger, postgresStore } from "../postgres/index.ts";
import { redisLedger, redisStore } from "../redis/index.ts";
import { sqliteAttempts, sqliteLedger } from "../sqlite/index.ts";
import { CLIENTS } from "./clients.ts";
import { POSTGRES_CLIENTS } from "./postgres-clients.ts";
import type { EngineOfProcess } from "./run-process.ts";

const BUSY = { busyTimeout: 60_000 };

async function run(kind: string, engine: EngineOfProcess, job: unknown): Promise<unknown> {
  const isStore = kind === "store";
  if ("file" in engine) {
    // Node 20 has none.
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(engine.file);
    return isStore
      ? runCountingJob(sqliteAttempts(database, BUSY), job as never)
      : runSpendingJob(sqliteLedger(database, BUSY), job as never);
  }
  if ("postgres" in engine) {
    const { postgres: name, url, prefix } = engine;
    const [, connect] = POSTGRES_CLIENTS.find(([one]) => one === name) ?? [];
    if (connect === undefined) throw new Error(`There is no client ${name}.`);
    const { client, close } = await connect(url);
    const result = isStore
      ? await runCountingJob(postgresStore(client, { prefix }), job as never)
      : await runSpendingJob(postgresLedger(client, { prefix }), job as never);
    await close();
    return result;
  }
  const { client: name, url, prefix } = engine;
  const [, connect] = CLIENTS.find(([one]) => one === name) ?? [];
  if (connect === undefined) throw new Error(`There is no client ${name}.`);
  const client = await connect(url);
  const result = isStore
    ? await runCountingJob(redisStore({ ...client, prefix }), job as never)
    : await runSpendingJob(redisLedger({ ...client, prefix }), job as never);
  client.close();
  return result;
}

const [kind = "", engine = "", job = ""] = process.argv.slice(2);
const result = await run(kind, JSON.parse(engine) as EngineOfProcess, JSON.parse(job));
process.stdout.write(JSON.stringify(result));
