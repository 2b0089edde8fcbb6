// A process of its own with a vitest: a mutant may never return, and then only its process can be ended.
import { resolve } from "node:path";
import type { Sources } from "./sources.ts";
import { type Ended, TestSession } from "./test-session.ts";

/** What a runner is asked to do. */
export interface Job {
  readonly sources: Sources;
  /** From the root of the repository, the first one first. */
  readonly tests: readonly string[];
}

export type Answer = readonly Ended[];

const probes = process.env["MUTATE_REACHED"] !== undefined;
const session = await TestSession.open({
  workers: Number(process.env["MUTATE_WORKERS"] ?? 1),
  isStoppedByFailure: !probes,
  setupFiles: probes ? [resolve(import.meta.dirname, "reached.setup.ts")] : [],
});

process.on("message", (job: Job) => {
  void run(job);
});
process.send?.("ready");

async function run({ sources, tests }: Job): Promise<void> {
  session.swap(sources);
  const answer: Answer = await session.run(tests);
  process.send?.(answer);
}
