import { readdirSync, readFileSync } from "node:fs";

/** The processor time of a process with all its threads, in milliseconds; NaN where the system does not say. */
export function cpuTimeOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + runTimeOf(`/proc/${pid}/task/${thread}`), 0);
  } catch {
    return Number.NaN;
  }
}

/** A thread may end while it is looked at. */
function runTimeOf(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, "utf8").split(" ")[0]) / 1_000_000;
  } catch {
    return 0;
  }
}
