import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildCommand } from "@toolcontract/built-command";
import { openShared } from "./shared-ledger.ts";

const BENCH = join(import.meta.dirname, "../..");
const WORKER = fileURLToPath(new URL("paying-process.ts", import.meta.url));
const PROCESSES = 4;
const MILLISECONDS = 2_000;
const run = promisify(execFile);

/** How many guarded payments a second four processes make in one ledger: all from one account, or each user's own of a thousand. */
export interface Throughput {
  readonly oneAccount: number;
  readonly thousand: number;
}

/** Measures it for the engines at these addresses; undefined is a file of SQLite. */
export async function measureThroughput(
  urls: readonly (string | undefined)[],
): Promise<readonly Throughput[]> {
  const worker = await buildCommand({
    folder: BENCH,
    entry: relative(BENCH, WORKER),
    external: ["pg"],
  });
  try {
    const program = join(worker.folder, "paying-process.js");
    const measured: Throughput[] = [];
    for (const url of urls) {
      const oneAccount = await paidInASecond(program, url, 1);
      measured.push({ oneAccount, thousand: await paidInASecond(program, url, 1_000) });
    }
    return measured;
  } finally {
    worker.remove();
  }
}

async function paidInASecond(program: string, url: string | undefined, users: number) {
  const folder = mkdtempSync(join(tmpdir(), "ledger-"));
  // The tables are made before the first payment is timed.
  const { close } = await openShared({ folder, url });
  try {
    const args = [program, folder, `${users}`, `${MILLISECONDS}`, url ?? ""];
    const paid = await Promise.all(
      Array.from({ length: PROCESSES }, async () =>
        Number((await run(process.execPath, args)).stdout),
      ),
    );
    return paid.reduce((total, each) => total + each, 0) / (MILLISECONDS / 1_000);
  } finally {
    close();
    rmSync(folder, { recursive: true });
  }
}
