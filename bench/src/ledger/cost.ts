import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Ledger, createContract } from "@toolcontract/core";
import { createGuardrails, memoryLedger } from "@toolcontract/guardrails";
import { newSchema } from "@toolcontract/postgres-server";
import { createTables, postgresLedger } from "@toolcontract/stores/postgres";
import { sqliteLedger } from "@toolcontract/stores/sqlite";
import { Pool } from "pg";

const PAGE = Buffer.alloc(4_096);
const CALLS = 2_000;
const WARM_UP = 500;

/** Median microseconds of a guarded call. */
export interface LedgerCost {
  readonly without: number;
  readonly memory: number;
  readonly sqlite: number;
  /** One page that is written and synchronized, which each reservation in a file waits for. */
  readonly disk: number;
}

/** Measures what a call costs without limits, with a ledger in memory, and with one in a file. */
export async function measureCost(): Promise<LedgerCost> {
  const folder = mkdtempSync(join(tmpdir(), "toolcontract-ledger-"));
  const database = new DatabaseSync(join(folder, "ledger.db"));
  try {
    return {
      without: await medianOf(undefined),
      memory: await medianOf(memoryLedger()),
      sqlite: await medianOf(sqliteLedger(database)),
      disk: diskMedian(join(folder, "page")),
    };
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

/** Measures a guarded call with a ledger in Postgres, and what a program would write at least: a payment, and its account. */
export async function measurePostgres(): Promise<{
  readonly bare: number;
  readonly guarded: number;
}> {
  const { url, drop } = await newSchema();
  const pool = new Pool({ connectionString: url });
  try {
    await createTables(pool);
    await pool.query("CREATE TABLE accounts (id int PRIMARY KEY, spent numeric NOT NULL)");
    await pool.query("CREATE TABLE payments (account int NOT NULL, amount numeric NOT NULL)");
    await pool.query("INSERT INTO accounts VALUES (1, 0)");
    const client = await pool.connect();
    // In turns, because a disk takes longer at one time than at another.
    const [guarded = Number.NaN, bare = Number.NaN] = await medianTimes(
      guardedCall(postgresLedger(pool)),
      async () => {
        await client.query("BEGIN");
        await client.query("INSERT INTO payments VALUES ($1, $2)", [1, 1]);
        await client.query("UPDATE accounts SET spent = spent + $2 WHERE id = $1", [1, 1]);
        await client.query("COMMIT");
      },
    );
    client.release();
    return { bare, guarded };
  } finally {
    await pool.end();
    await drop();
  }
}

function diskMedian(path: string): number {
  const file = openSync(path, "w");
  const times = Array.from({ length: 201 }, () => {
    writeSync(file, PAGE);
    const started = performance.now();
    fsyncSync(file);
    return (performance.now() - started) * 1_000;
  });
  closeSync(file);
  return times.toSorted((a, b) => a - b)[100] ?? Number.NaN;
}

async function medianOf(ledger: Ledger | undefined): Promise<number> {
  const [median = Number.NaN] = await medianTimes(guardedCall(ledger));
  return median;
}

/** What makes a call that spends, if there is a ledger. */
function guardedCall(ledger: Ledger | undefined): () => Promise<void> {
  const limited = ledger && {
    ledger,
    limits: { budget: { max: 1e9, per: "day" as const, scope: "user" as const } },
    spends: { pay: () => ({ budget: 1 }) },
  };
  const guardrails = createGuardrails({
    guardrails: [],
    effects: { pay: "irreversible" },
    ...limited,
  });
  const contract = createContract({ guardrails, logger: false });
  const tool = { name: "pay", inputSchema: { type: "object" } } as const;
  let index = 0;
  return async () => {
    index += 1;
    const place = { conversationId: "thread-7", turnId: `${index}`, context: { user: "u-17" } };
    const call = { id: `call_${index}`, name: "pay", arguments: {} };
    await contract.handle(call, { tool, ...place, execute: () => "paid" });
  };
}

/** Median microseconds of each, in turns. */
async function medianTimes(...works: readonly (() => Promise<void>)[]): Promise<readonly number[]> {
  const times: number[][] = works.map(() => []);
  for (let index = 0; index < WARM_UP + CALLS; index += 1) {
    for (const [which, work] of works.entries()) {
      const started = performance.now();
      await work();
      if (index >= WARM_UP) times[which]?.push((performance.now() - started) * 1_000);
    }
  }
  return times.map((each) => each.toSorted((a, b) => a - b)[CALLS / 2] ?? Number.NaN);
}
