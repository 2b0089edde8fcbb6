import { expect, test } from "vitest";
import {
  readCount,
  readEntries,
  readLength,
  readLine,
  readMember,
  readThrown,
} from "./read-foreign.ts";

const hostile = {
  get message(): string {
    throw new Error("no");
  },
};

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable([1, 2], {});
  revoke();
  return proxy;
}

test("members and items are read of anything, and nothing throws", () => {
  for (const source of [undefined, null, 5, hostile, revoked()]) {
    expect(readMember(source, "message")).toBeUndefined();
    expect(readEntries(source, 3)).toEqual([]);
    expect(readLength(source)).toBe(0);
  }
  expect(readMember({ a: 1 }, "a")).toBe(1);
  expect(readLength([1, 2])).toBe(2);
  expect(readEntries([1, 2, 3], 2)).toEqual([1, 2]);
  expect(readEntries([1, 2, 3], 2, 1)).toEqual([2, 3]);
  expect(readEntries([1, 2, 3], 2, 2)).toEqual([3]);
});

test.each<[thrown: unknown, text: string]>([
  ["lost", "lost"],
  [7, "7"],
  [7n, "7"],
  [new Error("lost"), "lost"],
  [{ error: "lost" }, "lost"],
  [{ reason: { message: "lost" } }, "lost"],
  [{ message: " ", reason: "lost" }, "lost"],
  [new TypeError(" "), "TypeError"],
  [new Error(""), ""],
  [{ name: 5 }, ""],
  [undefined, ""],
])("what was thrown, %o, says %j", (thrown, text) => {
  expect(readThrown(thrown)).toBe(text);
});

test("what throws when it is read says nothing", () => {
  expect(readThrown(hostile)).toBe("");
});

test.each<[value: unknown, line: string | undefined]>([
  [" a\nb ", String.raw`a\nb`],
  [5, "5"],
  ["  ", undefined],
  [true, undefined],
])("%j as a line is %j", (value, line) => {
  expect(readLine(value, 10)).toBe(line);
});

test.each<[value: unknown, count: number]>([
  [3, 3],
  [3.9, 3],
  [-1, 0],
  [1e9, 999_999],
  [Number.POSITIVE_INFINITY, 999_999],
  [Number.NaN, 42],
  ["3", 42],
])("%j as a count is %d", (value, count) => {
  expect(readCount(value, 42)).toBe(count);
});
