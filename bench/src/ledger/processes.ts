import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildCommand } from "@toolcontract/built-command";
import { createGuardrails } from "@toolcontract/guardrails";
import { randomOf } from "./random.ts";
import { type SharedLedger, openShared } from "./shared-ledger.ts";

/** The limit that all processes share. */
export const PROCESS_MAX = 1_000;

/** What real processes on one ledger came to. */
export interface ProcessesResult {
  /** By how much the limit was exceeded; must be 0. */
  readonly overrun: number;
  /** How much of what was paid is not counted; must be 0. */
  readonly lost: number;
  /** How much is counted although it was not paid, after each call that is in doubt was looked up in the books; must be 0. */
  readonly wrong: number;
  /** How many calls have paid. */
  readonly paid: number;
  /** How many processes killed themselves. */
  readonly killed: number;
}

const BENCH = join(import.meta.dirname, "../..");
const WORKER = fileURLToPath(new URL("spending-process.ts", import.meta.url));

/**
 * Runs rounds of one to four processes that pay from one limit, in a file, in Redis or in Postgres. Each kills itself at a random await and is
 * started again; the books are a file, to which a payment is appended at once.
 */
export async function runProcesses({
  seed,
  rounds,
  maxStarts = 4,
  url,
}: {
  readonly seed: number;
  readonly rounds: number;
  /** How often a process that was killed is started again; then it lives. */
  readonly maxStarts?: number;
  readonly url?: string;
}): Promise<ProcessesResult> {
  const random = randomOf(seed);
  // Built, because each is started again and again.
  const worker = await buildCommand({
    folder: BENCH,
    entry: relative(BENCH, WORKER),
    external: ["pg"],
  });
  let sum: ProcessesResult = { overrun: 0, lost: 0, wrong: 0, paid: 0, killed: 0 };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const folder = mkdtempSync(join(tmpdir(), "ledger-"));
      try {
        const shared = { folder, url, program: join(worker.folder, "spending-process.js") };
        const processes = 1 + random.below(4);
        const starts = Array.from({ length: processes }, async (_, process) =>
          runProcess(shared, `${seed}-${round}-${process}`, maxStarts),
        );
        const killed = (await Promise.all(starts)).reduce((total, deaths) => total + deaths, 0);
        sum = added(sum, { ...(await compared(shared)), killed });
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
    return sum;
  } finally {
    worker.remove();
  }
}

/** Starts a process again as long as it is killed; returns how often it was. */
async function runProcess(
  { folder, url = "", program }: SharedLedger & { readonly program: string },
  name: string,
  maxStarts: number,
): Promise<number> {
  for (let start = 0; ; start += 1) {
    const isLast = start >= maxStarts;
    const args = [program, folder, `${name}-${start}`, isLast ? "lives" : "dies", url];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    const [code, signal] = await new Promise<readonly [number | null, string | null]>((resolve) => {
      child.once("exit", (...end) => resolve(end));
    });
    if (signal === null && code !== 0) throw new Error(`A process ended with ${code}`);
    if (signal === null) return start;
  }
}

/** The payments by call. */
function booksOf(folder: string): ReadonlyMap<string, number> {
  const file = join(folder, "books");
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  return new Map(
    lines.map((line) => line.split(" ")).map(([id = "", amount]) => [id, Number(amount)]),
  );
}

async function compared(shared: SharedLedger): Promise<Omit<ProcessesResult, "killed">> {
  const books = booksOf(shared.folder);
  const world = [...books.values()].reduce((total, amount) => total + amount, 0);
  const { ledger, close } = await openShared(shared);
  try {
    const guardrails = createGuardrails({
      guardrails: [],
      limits: { budget: { max: PROCESS_MAX, scope: "global" } },
      spends: { pay: () => ({ budget: 0 }) },
      ledger,
    });
    const before = await guardrails.usage("budget");
    const counted = before.spent + before.reserved + before.inDoubt;
    await guardrails.reconcile(({ callId }) => (books.has(callId) ? "done" : "not-done"));
    const after = await guardrails.usage("budget");
    return {
      overrun: Math.max(0, world - PROCESS_MAX),
      lost: Math.max(0, world - counted),
      wrong: Math.abs(after.spent + after.reserved + after.inDoubt - world),
      paid: books.size,
    };
  } finally {
    close();
  }
}

function added(a: ProcessesResult, b: ProcessesResult): ProcessesResult {
  return {
    overrun: Math.max(a.overrun, b.overrun),
    lost: Math.max(a.lost, b.lost),
    wrong: Math.max(a.wrong, b.wrong),
    paid: a.paid + b.paid,
    killed: a.killed + b.killed,
  };
}
