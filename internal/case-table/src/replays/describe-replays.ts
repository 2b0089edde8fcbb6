import { describe, expect, test } from "vitest";
import { gapsBeyond } from "../gaps.ts";
import { entryCases } from "./cases/entries.ts";
import { outcomeCases } from "./cases/outcomes.ts";
import { placeCases } from "./cases/places.ts";
import { openWorld } from "./replay-world.ts";
import type { ReplayKit } from "./replays-kit.ts";

const CASES = [...outcomeCases, ...entryCases, ...placeCases];
const NEEDS = CASES.flatMap(({ needs }) => needs);

/** Registers the table of calls that come again for one host. */
export function describeReplays<Contract, Request>(
  name: string,
  kit: ReplayKit<Contract, Request>,
): void {
  const { cannot = {} } = kit;
  describe(`${name} when calls come again`, () => {
    for (const { clause, name: what, needs, run } of CASES) {
      test(`[${clause}] ${what}`, async ({ skip }) => {
        const reasons = needs.flatMap((need) => cannot[need] ?? []);
        if (reasons.length > 0) return skip(reasons.join("; "));
        expect.hasAssertions();
        await run(openWorld(kit));
      });
    }

    test("declares only limits that a case needs, each with a reason", () => {
      expect(gapsBeyond(NEEDS, cannot)).toEqual([]);
    });
  });
}
