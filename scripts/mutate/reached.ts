import { appendFileSync, readFileSync } from "node:fs";

/** The environment variable that names the file for them. */
export const REACHED_FILE = "MUTATE_REACHED";

declare global {
  /** What the probes call. */
  var __reached: ((probe: number) => void) | undefined;
}

/** Writes once for each probe that this test file reaches it; the process may be killed at any time. */
export function announceReached(testFile: string): void {
  const log = process.env[REACHED_FILE];
  if (log === undefined) return;
  const known: boolean[] = [];
  globalThis.__reached = (probe) => {
    if (known[probe] === true) return;
    known[probe] = true;
    appendFileSync(log, `${probe}\t${testFile}\n`);
  };
}

/** The paths of the test files that reach a probe. */
export function readReached(log: string): ReadonlyMap<number, ReadonlySet<string>> {
  const reached = new Map<number, Set<string>>();
  for (const line of readFileSync(log, "utf8").split("\n")) {
    const [probe, testFile] = line.split("\t");
    if (probe === undefined || testFile === undefined || testFile === "") continue;
    const files = reached.get(Number(probe)) ?? new Set();
    reached.set(Number(probe), files.add(testFile));
  }
  return reached;
}
