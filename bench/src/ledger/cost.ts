import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Ledger, createContract } from "@toolcontract/core";
import { createGuardrails, memoryLedger } from "@toolcontract/guardrails";
import { sqliteLedger } from "@toolcontract/stores/sqlite";

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
  const times: number[] = [];
  for (let index = 0; index < WARM_UP + CALLS; index += 1) {
    const place = { conversationId: "thread-7", turnId: `${index}`, context: { user: "u-17" } };
    const call = { id: `call_${index}`, name: "pay", arguments: {} };
    const started = performance.now();
    await contract.handle(call, { tool, ...place, execute: () => "paid" });
    if (index >= WARM_UP) times.push((performance.now() - started) * 1_000);
  }
  return times.toSorted((a, b) => a - b)[CALLS / 2] ?? Number.NaN;
}
