import { describe, expect, test } from "vitest";
import { describeError, firstOf } from "./failures.ts";

describe("a failure is one short line", () => {
  const property =
    'Property failed after 1 tests\n{ seed: 7, path: "0:1", endOnFailure: true }\nCounterexample: [-0]\nShrunk 1 time(s)';

  test.each([
    ["the message", { message: "expected 1 to be 2" }, "expected 1 to be 2"],
    ["without colors", { message: "\u001B[31mexpected\u001B[39m 1" }, "expected 1"],
    ["a long message", { message: "x".repeat(400) }, `${"x".repeat(300)}…`],
    [
      "a property with its seed, its counterexample and what failed",
      { message: property, cause: { message: "expected -0 to be +0" } },
      'Property failed after 1 tests { seed: 7, path: "0:1", endOnFailure: true } Counterexample: [-0] Shrunk 1 time(s) (expected -0 to be +0)',
    ],
  ])("%s", (_, error, expected) => {
    expect(describeError(error)).toBe(expected);
  });
});

test("the summary shows ten, and how many more there are", () => {
  const failures = Array.from({ length: 12 }, (_, index) => `test ${index}`);
  expect(firstOf(failures)).toEqual([...failures.slice(0, 10), "and 2 more"]);
  expect(firstOf(failures.slice(0, 10))).toEqual(failures.slice(0, 10));
});
