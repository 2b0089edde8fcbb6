import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inject } from "vitest";
import type { CountingJob, CountingResult, SpendingJob, SpendingResult } from "../cases/index.ts";

/** What processes share. */
export type EngineOfProcess =
  | { readonly file: string }
  | { readonly client: string; readonly url: string; readonly prefix: string }
  | { readonly postgres: string; readonly url: string; readonly prefix: string };

const run = promisify(execFile);

async function runIn(kind: string, engine: EngineOfProcess, job: object): Promise<unknown> {
  const args = [inject("engineProcess"), kind, JSON.stringify(engine), JSON.stringify(job)];
  return JSON.parse((await run(process.execPath, args)).stdout);
}

/** Counts in a process of its own. */
export async function countInProcess(
  engine: EngineOfProcess,
  job: CountingJob,
): Promise<CountingResult> {
  return (await runIn("store", engine, job)) as CountingResult;
}

/** Spends in a process of its own. */
export async function spendInProcess(
  engine: EngineOfProcess,
  job: SpendingJob,
): Promise<SpendingResult> {
  return (await runIn("ledger", engine, job)) as SpendingResult;
}
