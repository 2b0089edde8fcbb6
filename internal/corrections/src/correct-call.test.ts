import { expect, test } from "vitest";
import { readFix } from "./correct-call.ts";

const WORDS: readonly (readonly [style: string, words: string])[] = [
  [
    "standard",
    "Type mismatch: expected string\nExpected: string (A unique id; use 5 if it is missing)",
  ],
  ["compact", 'expected string (A unique id, "a; b", use 5 if it is missing)'],
  ["compact, after a message", "Type mismatch; expected string (A unique id)"],
  ["compact, with a usual value", 'expected integer, usually "1; 2" (A unique id)'],
];

test.each(WORDS)("what an author says of a field is not advice: %s", (_, words) => {
  expect(readFix({ pointer: "/id", words })).toEqual({ kind: "convert" });
});

test("a hint after it is", () => {
  const words = "expected array of string (All of them are unique); put it in an array";
  expect(readFix({ pointer: "/ids", words })).toEqual({ kind: "wrap" });
});
