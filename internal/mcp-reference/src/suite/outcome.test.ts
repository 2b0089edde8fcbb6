import { describe, expect, test } from "vitest";
import type { Check, Status } from "./check.ts";
import { badChecks, lostChecks, tally } from "./outcome.ts";

function checks(...statuses: readonly (readonly [key: string, status: Status])[]): Check[] {
  return statuses.map(([key, status]) => ({ key, status }));
}

describe("a check is lost", () => {
  test.each<{ name: string; direct: Check[]; through: Check[]; lost: string[] }>([
    {
      name: "when it passes directly and fails through",
      direct: checks(["a", "SUCCESS"], ["b", "SUCCESS"]),
      through: checks(["a", "FAILURE"], ["b", "SUCCESS"]),
      lost: ["a"],
    },
    {
      name: "when it becomes a warning",
      direct: checks(["a", "SUCCESS"]),
      through: checks(["a", "WARNING"]),
      lost: ["a"],
    },
    {
      name: "when it is skipped through, or never comes",
      direct: checks(["a", "SUCCESS"], ["b", "SUCCESS"]),
      through: checks(["a", "SKIPPED"]),
      lost: ["a", "b"],
    },
    {
      name: "when one of its occurrences fails",
      direct: checks(["a", "SUCCESS"], ["a", "SUCCESS"]),
      through: checks(["a", "FAILURE"], ["a", "SUCCESS"]),
      lost: ["a"],
    },
    {
      name: "when it exists only through, and fails",
      direct: checks(["a", "SUCCESS"]),
      through: checks(["a", "SUCCESS"], ["the scenario stopped", "FAILURE"]),
      lost: ["the scenario stopped"],
    },
    {
      name: "but not when it fails directly too",
      direct: checks(["a", "FAILURE"], ["b", "INFO"]),
      through: checks(["a", "FAILURE"]),
      lost: [],
    },
    {
      name: "but not when it passes through only",
      direct: checks(["a", "FAILURE"]),
      through: checks(["a", "SUCCESS"]),
      lost: [],
    },
  ])("$name", ({ direct, through, lost }) => {
    expect(lostChecks(direct, through)).toEqual(lost);
  });
});

test("failures and warnings are bad, each check once", () => {
  const run = checks(["a", "FAILURE"], ["a", "SUCCESS"], ["b", "WARNING"], ["c", "SUCCESS"]);

  expect(badChecks(run)).toEqual(["a", "b"]);
  expect(tally(run)).toBe("2/1");
});
