import { expect, test } from "vitest";
import { readFix } from "./correct-call.ts";

test("what an author says of a field is no advice", () => {
  const words =
    "Type mismatch: expected string\nExpected: string (A unique id; use 5 if it is missing)";
  expect(readFix({ pointer: "/id", words })).toEqual({ kind: "convert" });
});
