// Toolcontract's own table, as tests of vitest: @toolcontract/conformance/vitest.
import { describeStore as registerStore, type StoreHarness } from "@toolcontract/stores/testing";
import { describe, expect, test } from "vitest";
import type { SessionHost } from "@toolcontract/case-table/run-session";
import {
  type CreateHarness,
  describeCases,
  type DescribeAdapterOptions,
  describeSessionRows,
  type Runner,
} from "./table/index.ts";

export type * from "./author-types.ts";

const RUNNER: Runner = {
  expect,
  describe,
  test: (title, run, skip) => {
    // oxlint-disable-next-line vitest/expect-expect, vitest/valid-title -- both are the table's
    test(title, async (context) => {
      if (skip !== undefined) return context.skip(skip);
      await run();
    });
  },
};

/**
 * Registers one test of vitest for every case of Toolcontract's table, in both styles of the message.
 *
 * @param createHarness - Sets the adapter's framework up with a case's tools and options, and a scripted model.
 * @example
 * ```ts
 * describeAdapter("my adapter", createHarness);
 * ```
 * @see docs/writing-an-adapter.md
 */
export function describeAdapter(
  name: string,
  createHarness: CreateHarness,
  options: DescribeAdapterOptions = {},
): void {
  describeCases(name, createHarness, options, RUNNER);
}

/**
 * Registers one test of vitest for every row of the table of sessions: what the models of a run answer, and all that must come of it.
 *
 * @param host - Makes a session of yours with a row's limits, models and tools, and says what it cannot do.
 * @example
 * ```ts
 * describeSession("my session", sessionHost);
 * ```
 * @see docs/writing-an-adapter.md
 */
export function describeSession(name: string, host: SessionHost): void {
  describeSessionRows(name, host, RUNNER);
}

/**
 * Registers one test of vitest for each thing that a store of attempts must do, such as keeping a count exact while several processes
 * change it.
 *
 * @param harness - Opens stores of yours at a new place, as several processes would.
 * @example
 * ```ts
 * describeStore("my store", { place: () => "a name of its own", open: () => createMemoryStore() });
 * ```
 * @see docs/stores.md
 */
export function describeStore<Place>(name: string, harness: StoreHarness<Place>): void {
  // oxlint-disable-next-line vitest/valid-title -- it is the author's
  describe(name, () => {
    registerStore(harness, (title, run) => {
      // oxlint-disable-next-line vitest/expect-expect, vitest/valid-title -- both are the cases'
      test(title, run);
    });
  });
}
