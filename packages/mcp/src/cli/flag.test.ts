import { expect, test } from "vitest";
import { type FlagKind, pairOf, parseFlag } from "./flag.ts";

const onOff: FlagKind = { type: "switch" };
const choice: FlagKind = { type: "choice", choices: ["a", "b"] };
const count: FlagKind = { type: "integer", from: 2, to: 9 };
const time: FlagKind = { type: "duration" };
const size: FlagKind = { type: "size" };
const bytes: FlagKind = { type: "size", bytes: true };
const any: FlagKind = { type: "string" };
const url: FlagKind = { type: "string", pattern: /^redis:/ };

test.each<[FlagKind, string, unknown]>([
  [onOff, "on", true],
  [onOff, "true", true],
  [onOff, "off", false],
  [onOff, "false", false],
  [onOff, "yes", undefined],
  [choice, "b", "b"],
  [choice, "c", undefined],
  [count, "2", 2],
  [count, "9", 9],
  [count, "1", undefined],
  [count, "10", undefined],
  [count, "+3", undefined],
  [time, "0", 0],
  [time, "5", undefined],
  [time, "250ms", 250],
  [time, "1.5s", 1_500],
  [time, "2M", 120_000],
  [time, "3h", 10_800_000],
  [time, "5d", undefined],
  // The longest time that a timer accepts.
  [time, "2147483.647s", 2_147_483_647],
  [time, "2147483.648s", undefined],
  [size, "10b", 10],
  [size, "1.5kb", 1_536],
  [size, "2mb", 2_097_152],
  [size, "10", undefined],
  [bytes, "10", 10],
  [bytes, "10kb", 10_240],
  [any, "x", "x"],
  [any, "", undefined],
  [url, "redis://a", "redis://a"],
  [url, "http://a", undefined],
])("%j of %j is %j", (kind, text, value) => {
  expect(parseFlag(kind, text)).toBe(value);
});

test.each([
  ["browser=2", ["browser", "2"]],
  ["a=b=off", ["a=b", "off"]],
])("the two sides of %s", (text, sides) => {
  expect(pairOf(text)).toEqual(sides);
});
