// Toolcontract's own table, as tests of vitest: @toolcontract/conformance/vitest.
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

/**
 * Registers one test of vitest for every case of Toolcontract's table, in both styles of the message.
 *
 * @param createHarness - Sets the adapter's framework up with a case's tools and options, and a scripted model.
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
