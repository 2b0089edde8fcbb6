import {
  type AdapterHarness,
  type AdapterOptions,
  type ConformanceCase,
  runCase,
  type SeenEscalation,
  tableRows,
  unneededGaps,
} from "@toolcontract/case-table/run-case";
import { parseRejection } from "@toolcontract/core";
import type { Runner } from "./runner.ts";

/** The table's own observers; a harness passes them to its contract's options. */
export interface Observers {
  /** The contract's logger. */
  readonly logger: (fields: object, message: string) => void;
  /** The contract's `onEscalation`. */
  readonly onEscalation: (escalation: SeenEscalation) => void;
}

/** Sets up a host with the case's tools and options; the tools return `outputOf` the call. */
export type CreateHarness = (
  testCase: ConformanceCase,
  observers: Observers,
) => AdapterHarness | Promise<AdapterHarness>;

/**
 * What the table needs to know about an adapter besides its harness.
 *
 * @example
 * ```ts
 * const options: DescribeAdapterOptions = {};
 * ```
 * @see docs/writing-an-adapter.md
 */
export type DescribeAdapterOptions = Omit<AdapterOptions, "parseRejection">;

/** Registers one test for every case and style. */
export function describeCases(
  name: string,
  createHarness: CreateHarness,
  options: DescribeAdapterOptions,
  { describe, test, expect }: Runner,
): void {
  describe(`${name} keeps the contract`, () => {
    for (const row of tableRows(options)) {
      const { testCase, style, reasons } = row;
      test(
        `${testCase.name} [${style}]`,
        async () => runCase(expect, row, createHarness, { ...options, parseRejection }),
        reasons.length > 0 ? reasons.join("; ") : undefined,
      );
    }
    test("declares only gaps that a case needs, each with a reason", async () => {
      expect(unneededGaps(options)).toEqual([]);
    });
  });
}
