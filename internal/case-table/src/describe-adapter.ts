import { describe, expect, test } from "vitest";
import type { CreateHarness } from "./harness.ts";
import { recordCase } from "./recording/index.ts";
import { type AdapterOptions, runCase, tableRows, unneededGaps } from "./run-case.ts";
import { type Share, shareOf } from "./whole.ts";

declare module "vitest" {
  interface TaskMeta {
    /** Which case runs in which host; `pnpm test` counts both. */
    conformance?: { readonly case: string; readonly host: string };
  }
}

/** Registers a test for every row that this run takes; each adapter runs the same table. */
export function describeAdapter(
  name: string,
  createHarness: CreateHarness,
  { share = "one style", ...options }: AdapterOptions & { readonly share?: Share },
): void {
  describe(`${name} keeps the contract`, () => {
    for (const row of shareOf(tableRows(options), name, share)) {
      const { theme, testCase, style, reasons } = row;
      test(`${testCase.name} [${style}]`, async (context) => {
        context.task.meta.conformance = { case: testCase.name, host: name };
        if (reasons.length > 0) return context.skip(reasons.join("; "));
        expect.hasAssertions();
        await recordCase({ host: name, theme, name: context.task.name }, async (recorder) =>
          runCase(expect, row, createHarness, options, recorder),
        );
      });
    }

    test("declares only gaps that a case needs, each with a reason", () => {
      expect(unneededGaps(options)).toEqual([]);
    });
  });
}
