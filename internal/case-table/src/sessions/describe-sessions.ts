import { describe, expect, test } from "vitest";
import { recordCase } from "../recording/index.ts";
import { type Share, shareOf } from "../whole.ts";
import { runSession, type SessionHost, sessionRows, unneededSessionGaps } from "./run-session.ts";

/** Registers a test for every row that this run takes; each host of a session runs the same table. */
export function describeSessions(
  name: string,
  {
    share = "every style",
    ...host
  }: SessionHost & {
    /** How many of the rows it runs; all by default. */
    readonly share?: Share;
  },
): void {
  describe(`${name} keeps sessions within their limits`, () => {
    for (const row of shareOf(sessionRows(host), name, share)) {
      const { theme, testCase, reasons } = row;
      test(`${testCase.name} [${testCase.clause}]`, async (context) => {
        context.task.meta.conformance = { case: `session: ${testCase.name}`, host: name };
        if (reasons.length > 0) return context.skip(reasons.join("; "));
        expect.hasAssertions();
        const place = { host: name, theme: `session-${theme}`, name: context.task.name };
        await recordCase(place, async (recorder) => runSession(expect, row, host, recorder));
      });
    }

    test("declares only gaps that a row needs, each with a reason", () => {
      expect(unneededSessionGaps(host)).toEqual([]);
    });
  });
}
