import { PROCESS_CASES } from "./counting-job.ts";
import { FAILURE_CASES, LOSS_CASES, POISON_CASES } from "./failures.ts";
import type { StoreCase, StoreHarness } from "./harness.ts";
import { INTERLEAVING_CASES } from "./interleavings.ts";
import { RULE_CASES } from "./rules.ts";
import { UPDATE_CASES } from "./update-cases.ts";

/** Registers a test, such as `test` of vitest, jest or `node:test`. */
export type RegisterTest = (name: string, run: () => Promise<void>) => unknown;

/**
 * Registers one test for each thing that a store must do: the rules of counting on two stores at one place, updates that follow
 * each other, replicas in any order, four processes, and an engine that is slow, hangs, fails, was poisoned or loses everything.
 *
 * @remarks A store that is not shared, such as createLocalStore(), fails those with several stores at one place.
 * @example
 * ```ts
 * describeStore({ place: () => "a name of its own", open: () => createMemoryStore() }, test);
 * ```
 * @see docs/stores.md
 */
export function describeStore<Place>(harness: StoreHarness<Place>, test: RegisterTest): void {
  const cases: readonly StoreCase[] = [
    ...UPDATE_CASES,
    ...RULE_CASES,
    ...INTERLEAVING_CASES,
    ...PROCESS_CASES,
    ...FAILURE_CASES,
    ...(harness.poison ? POISON_CASES : []),
    ...(harness.clear ? LOSS_CASES : []),
  ];
  for (const one of cases) test(one.name, async () => one.run(harness));
}
