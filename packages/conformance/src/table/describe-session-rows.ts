import {
  runSession,
  type SessionHost,
  sessionRows,
  unneededSessionGaps,
} from "@toolcontract/case-table/run-session";
import type { Runner } from "./runner.ts";

/** Registers one test for every row of the table of sessions. */
export function describeSessionRows(
  name: string,
  host: SessionHost,
  { describe, test, expect }: Runner,
): void {
  describe(`${name} keeps sessions within their limits`, () => {
    for (const row of sessionRows(host)) {
      const { testCase, reasons } = row;
      test(
        `${testCase.name} [${testCase.clause}]`,
        async () => runSession(expect, row, host),
        reasons.length > 0 ? reasons.join("; ") : undefined,
      );
    }
    test("declares only gaps that a row needs, each with a reason", async () => {
      expect(unneededSessionGaps(host)).toEqual([]);
    });
  });
}
