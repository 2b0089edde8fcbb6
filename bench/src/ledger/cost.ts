import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { type Server, type Socket, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ledger } from "@toolcontract/core";
import { memoryLedger } from "@toolcontract/guardrails";
import { createTables, postgresLedger } from "@toolcontract/stores/postgres";
import { Pool } from "pg";
import { guardedCall } from "./guarded-call.ts";
import { openShared } from "./shared-ledger.ts";

const PAGE = Buffer.alloc(4_096);
const CALLS = 2_000;
const WARM_UP = 500;
/** Fewer, since each takes milliseconds. */
const FAR_CALLS = 300;
const FAR_WARM_UP = 50;
const AWAY_MS = 1;

/** Median microseconds of a guarded call with a ledger that processes share: at this address, or in a file of SQLite. */
export async function measureCost(url: string | undefined): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "toolcontract-ledger-"));
  const { ledger, close } = await openShared({ folder, url });
  try {
    return await medianOf(ledger);
  } finally {
    close();
    rmSync(folder, { recursive: true });
  }
}

/** What a guarded call costs where no engine is asked: without limits, and with a ledger in memory. */
export async function measureInProcess(): Promise<{
  readonly without: number;
  readonly memory: number;
}> {
  return { without: await medianOf(undefined), memory: await medianOf(memoryLedger()) };
}

/** Median microseconds of one page that is written and synchronized, which each reservation in a file waits for. */
export function measureDisk(): number {
  const folder = mkdtempSync(join(tmpdir(), "toolcontract-ledger-"));
  const file = openSync(join(folder, "page"), "w");
  const times = Array.from({ length: 201 }, () => {
    writeSync(file, PAGE);
    const started = performance.now();
    fsyncSync(file);
    return (performance.now() - started) * 1_000;
  });
  closeSync(file);
  rmSync(folder, { recursive: true });
  return times.toSorted((a, b) => a - b)[100] ?? Number.NaN;
}

/** A guarded payment, and what a program would write at least: a payment and its account, in one transaction. */
export interface BesideBare {
  readonly guarded: number;
  readonly bare: number;
}

/** Measures both on one machine, and with the database a millisecond away. */
export async function measureBesideBare(
  url: string,
): Promise<{ readonly near: BesideBare; readonly far: BesideBare }> {
  const away = await startAway(url);
  try {
    const near = await besideBare(url, CALLS, WARM_UP);
    return { near, far: await besideBare(away.url, FAR_CALLS, FAR_WARM_UP) };
  } finally {
    away.stop();
  }
}

async function besideBare(url: string, calls: number, warmUp: number): Promise<BesideBare> {
  const pool = new Pool({ connectionString: url });
  try {
    await createTables(pool);
    await pool.query("DROP TABLE IF EXISTS accounts, payments");
    await pool.query("CREATE TABLE accounts (id int PRIMARY KEY, spent numeric NOT NULL)");
    await pool.query("CREATE TABLE payments (account int NOT NULL, amount numeric NOT NULL)");
    await pool.query("INSERT INTO accounts VALUES (1, 0)");
    const client = await pool.connect();
    // In turns, because a disk takes longer at one time than at another.
    const [guarded = Number.NaN, bare = Number.NaN] = await medianTimes({ calls, warmUp }, [
      guardedCall(postgresLedger(pool)),
      async () => {
        await client.query("BEGIN");
        await client.query("INSERT INTO payments VALUES ($1, $2)", [1, 1]);
        await client.query("UPDATE accounts SET spent = spent + $2 WHERE id = $1", [1, 1]);
        await client.query("COMMIT");
      },
    ]);
    client.release();
    return { bare, guarded };
  } finally {
    await pool.end();
  }
}

/** Stands in front of a server, and holds back what is sent to it for a millisecond. */
async function startAway(
  url: string,
): Promise<{ readonly url: string; readonly stop: () => void }> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket.setNoDelay());
      socket.on("error", () => near.destroy());
    }
    near.on("data", (chunk) => void setTimeout(() => far.write(chunk), AWAY_MS));
    far.pipe(near);
    near.on("close", () => far.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const away = new URL(url);
  away.host = `127.0.0.1:${(server.address() as { readonly port: number }).port}`;
  const stop = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: away.href, stop };
}

async function medianOf(ledger: Ledger | undefined): Promise<number> {
  const times = await medianTimes({ calls: CALLS, warmUp: WARM_UP }, [guardedCall(ledger)]);
  return times[0] ?? Number.NaN;
}

/** Median microseconds of each, in turns. */
async function medianTimes(
  { calls, warmUp }: { readonly calls: number; readonly warmUp: number },
  works: readonly (() => Promise<void>)[],
): Promise<readonly number[]> {
  const times: number[][] = works.map(() => []);
  for (let index = 0; index < warmUp + calls; index += 1) {
    for (const [which, work] of works.entries()) {
      const started = performance.now();
      await work();
      if (index >= warmUp) times[which]?.push((performance.now() - started) * 1_000);
    }
  }
  return times.map((each) => each.toSorted((a, b) => a - b)[calls / 2] ?? Number.NaN);
}
