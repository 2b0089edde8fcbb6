// Toolcontract's own table, as tests of vitest: @toolcontract/conformance/vitest.
import { describeStore as registerStore, type StoreHarness } from "@toolcontract/stores/testing";
import { describe, expect, test } from "vitest";
import { type CreateHarness, describeCases, type DescribeAdapterOptions } from "./table/index.ts";

export type {
  AdapterHarness,
  CallReport,
  Capability,
  CaseCall,
  CaseOptions,
  CaseTool,
  CaseTurn,
  ConformanceCase,
} from "@toolcontract/case-table/run-case";
export type { CreateHarness, DescribeAdapterOptions, Observers } from "./table/index.ts";
export type { CountingJob, CountingResult, StoreHarness } from "@toolcontract/stores/testing";

/**
 * Registers one test of vitest for every case of Toolcontract's table, in both styles of the message.
 *
 * @param createHarness - Sets the adapter's framework up with a case's tools and options, and a scripted model.
 * @see docs/writing-an-adapter.md
 */
export function describeAdapter(
  name: string,
  createHarness: CreateHarness,
  options: DescribeAdapterOptions = {},
): void {
  describeCases(name, createHarness, options, {
    expect,
    describe,
    test: (title, run, skip) => {
      // oxlint-disable-next-line vitest/expect-expect, vitest/valid-title -- both are the table's
      test(title, async (context) => {
        if (skip !== undefined) return context.skip(skip);
        await run();
      });
    },
  });
}

/**
 * Registers one test of vitest for each thing that a store of attempts must do, such as keeping a count exact while several processes
 * change it.
 *
 * @param harness - Opens stores of yours at a new place, as several processes would.
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
