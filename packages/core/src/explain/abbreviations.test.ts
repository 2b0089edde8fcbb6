import { expect, test } from "vitest";
import { longForm } from "./abbreviations.ts";

test.each([
  ["msg", "message"],
  ["lng", "longitude"],
  ["message", "message"],
  ["constructor", "constructor"],
])("%s is %s", (word, long) => {
  expect(longForm(word)).toBe(long);
});
