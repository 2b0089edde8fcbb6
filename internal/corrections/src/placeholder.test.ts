import { expect, test } from "vitest";
import { placeholderFor, placeholdersIn } from "./placeholder.ts";

const NONE = { types: [], keys: [] };

test.each([
  ["a name", "path", ["path"]],
  ["a quote and a backslash", '"\\', ['\\"\\\\']],
  ["brackets and a colon", "<a>: b", ["<a>: b"]],
  ["a long name", "a".repeat(100), ["a".repeat(64)]],
])("a placeholder is found by %s", (_, name, expected) => {
  expect(placeholdersIn(JSON.stringify({ a: [placeholderFor(name, NONE)] }))).toEqual(expected);
});

test.each([
  ["no text", ""],
  ["a text about one", '{"a":"write <path: the model fills this in> here"}'],
  ["a text that quotes one", JSON.stringify({ a: '"<path: the model fills this in>"' })],
])("there is none in %s", (_, json) => {
  expect(placeholdersIn(json)).toEqual([]);
});

test("each name is found once, and a few of many", () => {
  const names = Array.from({ length: 100 }, (_, index) => `field_${index % 50}`);
  const found = placeholdersIn(JSON.stringify(names.map((name) => placeholderFor(name, NONE))));
  expect(found).toEqual(names.slice(0, 20));
});
