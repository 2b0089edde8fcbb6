import { isWhole } from "@toolcontract/case-table/whole";
import { describe, expect, test } from "vitest";
import type { Check } from "./check.ts";
import { reasonFor } from "./known-failures.ts";
import { MATRIX, type Route, type Row, runClient } from "./matrix.ts";
import { badChecks } from "./outcome.ts";

type Run = readonly [subject: string, revision: Row["revision"], route: Route];

// The part that takes seconds; `pnpm test:conformance` runs everything, including the direct runs.
const NEWEST: readonly Run[] = [["server v2", "2026-07-28", "HTTP proxy"]];
const OTHERS: readonly Run[] = [
  ["server v2", "2026-07-28", "in process"],
  ["server v1", "2025-11-25", "HTTP proxy"],
  ["server v1", "2025-11-25", "in process"],
];

// The checks that a server of each revision passes, so that an empty run fails.
const PASSED = { "2025-11-25": 84, "2026-07-28": 152 };

function passed(checks: readonly Check[]): number {
  return checks.filter(({ status }) => status === "SUCCESS").length;
}

describe("the conformance suite finds nothing wrong", () => {
  test.each(isWhole ? [...NEWEST, ...OTHERS] : NEWEST)(
    "%s, %s, %s",
    async (subject, revision, route) => {
      const row = MATRIX.find((other) => other.subject === subject && other.revision === revision);
      const all = (await row?.through[route]?.()) ?? [];
      const checks = all.filter(({ key }) => row && reasonFor(row, key) === undefined);

      expect(badChecks(checks)).toEqual([]);
      expect(passed(checks)).toBe(PASSED[revision]);
    },
    60_000,
  );

  // Null for a boolean, rounds with inputs, headers from arguments.
  test("client v2, 2026-07-28, HTTP proxy", async () => {
    const scenarios = ["http-custom-headers", "sep-2322-client-request-state"];
    const checks = await runClient(["v2", "--through"], scenarios, "2026-07-28");

    expect(badChecks(checks)).toEqual([]);
    expect(passed(checks)).toBe(23);
  });
});
