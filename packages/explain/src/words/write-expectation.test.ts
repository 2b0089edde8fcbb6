import { describe, expect, test } from "vitest";
import type { Expectation, Hint } from "../shared/index.ts";
import { writeBriefly, writeExpectation } from "./write-expectation.ts";
import { writeHint } from "./write-hint.ts";

const string = { kind: "string", length: {} } as const;
const number = { kind: "number", type: "number", limits: {} } as const;

function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `f${index}`);
}

function inWords(text: string): Expectation {
  return { kind: "words", text };
}

describe("an expectation in words", () => {
  test.each<[expected: Expectation, words: string, brief?: string]>([
    [{ kind: "one-json-object" }, "one JSON object"],
    [{ kind: "complete-json" }, "complete JSON"],
    [{ kind: "shallower" }, "fewer levels of nesting"],
    [{ kind: "words", text: "w" }, "w"],
    [{ kind: "variant", name: "v" }, "v"],
    [{ kind: "absent" }, "nothing here"],
    [
      { kind: "values", values: names(12), brief: true },
      'one of "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11"',
      'one of "f0", "f1", "f2" and 9 more',
    ],
    [
      { kind: "values", values: names(13), brief: true },
      'one of "f0", "f1", "f2", "f3", "f4" and 8 more',
      'one of "f0", "f1", "f2" and 10 more',
    ],
    [{ kind: "values", values: names(4) }, 'one of "f0", "f1", "f2", "f3"'],
    [
      { kind: "values", values: names(5) },
      'one of "f0", "f1", "f2", "f3", "f4"',
      'one of "f0", "f1", "f2" and 2 more',
    ],
    [{ kind: "holding", of: number }, "string that holds a number"],
    [
      { kind: "holding", of: { kind: "number", type: "integer", limits: {} } },
      "string that holds an integer",
    ],
    [{ kind: "holding", of: { kind: "values", values: [1, 2] } }, "string that holds one of 1, 2"],
    [{ kind: "holding", of: { kind: "type", type: "boolean" } }, "string that holds a boolean"],
    [{ kind: "holding", of: { kind: "array", count: {} } }, "string that holds an array"],
    [{ kind: "tagged", tag: "kind", values: ["a", "b"] }, 'object with kind one of "a", "b"'],
    [{ kind: "size", limits: { min: 1 } }, "object, at least 1 field"],
    [{ kind: "size", limits: { max: 1 } }, "object, at most 1 field"],
    [{ kind: "size", limits: { max: 2 } }, "object, at most 2 fields"],
    [{ kind: "size", limits: { min: 2, max: 3 } }, "object, at least 2 fields"],
    [{ kind: "fields", names: ["a", "b"], patterns: [] }, "only a, b"],
    [{ kind: "fields", names: [], patterns: ["^x"] }, "only names matching ^x"],
    [{ kind: "fields", names: ["a"], patterns: ["^x", "^y"] }, "only a and names matching ^x, ^y"],
    [{ kind: "fields", names: [], patterns: [] }, "no fields"],
    [
      { kind: "fields", names: names(13), patterns: [], brief: true },
      "only f0, f1, f2, f3, f4 and 8 more",
      "only f0, f1, f2 and 10 more",
    ],
    [
      { kind: "fields", names: names(5), patterns: [] },
      "only f0, f1, f2, f3, f4",
      "only f0, f1, f2 and 2 more",
    ],
    [{ kind: "fields", names: ["of"], patterns: [] }, 'only "of"'],
    [{ kind: "field-names", of: string }, "field names: string"],
    [{ kind: "not-all", names: ["a", "b"] }, "not all of a, b"],
    [{ kind: "only-one", names: ["a", "b"] }, "only one of a, b"],
    [{ kind: "tools", names: [] }, "no tool at all"],
    [{ kind: "tools", names: ["a"] }, '"a"'],
    [
      { kind: "tools", names: names(10) },
      'one of "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9"',
    ],
    [
      { kind: "tools", names: names(11) },
      'one of "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9" and 1 more',
    ],
    [{ kind: "not", of: number }, "anything but number"],
    [{ kind: "branch", missing: ["a", "b c"] }, 'object with a, "b c"'],
    [{ kind: "containing", min: 1, of: number }, "array with at least 1 item that is number"],
    [
      { kind: "containing", min: 1, max: 2, of: number },
      "array with from 1 to 2 items that are number",
    ],
    [{ kind: "distinct", equal: [0, 2] }, "items all different (items 0 and 2 are equal)"],
    [{ kind: "counted", of: string, count: { min: 2 } }, "string, at least 2 items"],
    [
      { kind: "counted", of: { kind: "array", count: { min: 1 } }, count: { min: 2 } },
      "array, at least 1 item",
    ],
    [
      { kind: "counted", of: { kind: "array", count: {} }, count: { min: 2 } },
      "array, at least 2 items",
    ],
    [
      { kind: "tuple", items: [number, number], count: { min: 2, max: 2 } },
      "array [number, number]",
    ],
    [
      { kind: "tuple", items: [number, number], count: { min: 1, max: 2 } },
      "array [number, number], from 1 to 2 items",
    ],
    [{ kind: "tuple", items: [number, number], count: {} }, "array [number, number]"],
    [{ kind: "either", of: [string, number], more: 2 }, "string or number or 2 others"],
    [{ kind: "either", of: [string, number], more: 0 }, "string or number"],
    [{ kind: "branches", of: names(6).map(inWords) }, "f0 or f1 or f2 or f3 or f4 or f5"],
    [
      { kind: "branches", of: names(7).map(inWords) },
      "f0 or f1 or f2 or f3 or f4 or f5 or 1 other",
    ],
    [
      { kind: "branches", of: [{ kind: "string", length: { max: 3 } }, number] },
      "string, at most 3 characters or number",
    ],
    [
      { kind: "branches", of: [{ kind: "string", length: { max: 3 } }, number], plainFirst: true },
      "number or string, at most 3 characters",
    ],
    [{ kind: "branches", of: [number, number] }, "number"],
    [
      { kind: "branches", of: [{ kind: "values", values: names(5) }, number] },
      'one of "f0", "f1", "f2", "f3", "f4" or number',
      'one of "f0", "f1", "f2" and 2 more or number',
    ],
    [
      { kind: "array", items: { kind: "values", values: names(5) }, count: {} },
      'array of one of "f0", "f1", "f2", "f3", "f4"',
      'array of one of "f0", "f1", "f2" and 2 more',
    ],
    [
      { kind: "array", items: { kind: "values", values: names(5) }, count: { min: 1 } },
      'array of one of "f0", "f1", "f2", "f3", "f4", at least 1 item',
    ],
    [{ kind: "object", fields: [] }, "object"],
    [
      { kind: "object", fields: names(5).map((name) => ({ name })) },
      "object with f0, f1, f2, f3, f4",
      "object with f0, f1, f2 and 2 more",
    ],
    [{ kind: "object", fields: [{ name: "a", only: { value: "x" } }] }, 'object with a "x"'],
    [{ kind: "map", values: { kind: "anything" } }, "object"],
    [{ kind: "map", values: number }, "object of number"],
    [{ kind: "all", of: [number] }, "number"],
    [
      {
        kind: "all",
        of: [
          { kind: "number", type: "number", limits: { min: 1 } },
          { kind: "number", type: "number", limits: { max: 9 } },
        ],
      },
      "number at least 1 and at most 9",
    ],
    [
      {
        kind: "all",
        of: [
          { kind: "number", type: "number", limits: { min: 1 } },
          { kind: "number", type: "number", limits: {}, multipleOf: 5 },
        ],
      },
      "number at least 1 and a multiple of 5",
    ],
    [
      {
        kind: "all",
        of: [
          { kind: "number", type: "number", limits: { min: 1 } },
          { kind: "number", type: "integer", limits: { max: 9 } },
        ],
      },
      "number at least 1 and integer at most 9",
    ],
    [
      { kind: "all", of: [number, { kind: "number", type: "number", limits: { max: 9 } }] },
      "number and number at most 9",
    ],
    [
      {
        kind: "all",
        of: [
          { kind: "string", length: { min: 1 } },
          { kind: "string", length: { max: 9 } },
        ],
      },
      "string, at least 1 character and at most 9 characters",
    ],
    [
      {
        kind: "all",
        of: [
          { kind: "string", length: { min: 1 } },
          { kind: "string", length: {}, pattern: "^a" },
        ],
      },
      "string, at least 1 character and matching ^a",
    ],
    [
      {
        kind: "all",
        of: [
          { kind: "string", length: { min: 3 }, pattern: "^a" },
          { kind: "string", length: {}, pattern: "z$" },
        ],
      },
      "string, at least 3 characters, matching ^a and matching z$",
    ],
    [
      {
        kind: "all",
        of: [
          { kind: "string", length: { min: 3 }, pattern: "^a" },
          { kind: "string", length: {}, pattern: "^a" },
        ],
      },
      "string, at least 3 characters matching ^a",
    ],
    [
      {
        kind: "all",
        of: [
          { kind: "string", length: { min: 2 }, format: "uuid" },
          { kind: "string", length: {}, pattern: "^a" },
        ],
      },
      "uuid string, at least 2 characters and matching ^a",
    ],
    [
      {
        kind: "all",
        of: [
          { kind: "string", length: { min: 2 }, format: "email" },
          { kind: "string", length: {}, pattern: "^a" },
        ],
      },
      'email string such as "ana@example.com", at least 2 characters and string matching ^a',
    ],
    [
      { kind: "all", of: [string, { kind: "string", length: {}, pattern: "^a" }] },
      "string and string matching ^a",
    ],
    [
      {
        kind: "all",
        of: [
          { kind: "array", count: { min: 1 } },
          { kind: "array", count: { max: 2 } },
        ],
      },
      "array, at least 1 item and at most 2 items",
    ],
    [
      {
        kind: "all",
        of: [
          { kind: "array", items: number, count: { min: 1 } },
          { kind: "array", count: { max: 2 } },
        ],
      },
      "array of number, at least 1 item and array, at most 2 items",
    ],
    [
      {
        kind: "all",
        of: [
          { kind: "size", limits: { min: 1 } },
          { kind: "size", limits: { max: 2 } },
        ],
      },
      "object, at least 1 field and at most 2 fields",
    ],
    [
      {
        kind: "all",
        of: [
          { kind: "all", of: [{ kind: "number", type: "number", limits: { min: 1 } }] },
          { kind: "number", type: "number", limits: { max: 2 } },
        ],
      },
      "number at least 1 and at most 2",
    ],
    [
      {
        kind: "all",
        of: [
          { kind: "number", type: "number", limits: { min: 1 } },
          { kind: "number", type: "number", limits: { min: 1 } },
        ],
      },
      "number at least 1",
    ],
    [{ kind: "all", of: names(6).map(inWords) }, "f0 and f1 and f2 and f3"],
    [
      {
        kind: "all",
        of: [
          { kind: "type", type: "boolean" },
          { kind: "type", type: "null" },
        ],
      },
      "boolean and null",
    ],
    [{ kind: "string", length: {}, pattern: "^a", flags: "i" }, "string matching /^a/i"],
    [{ kind: "string", length: { min: 1 }, format: "uuid" }, "uuid string"],
    [
      { kind: "string", length: { min: 1, max: 5 }, format: "uuid" },
      "uuid string, from 1 to 5 characters",
    ],
    [
      { kind: "string", length: { min: 1 }, format: "x" },
      "string in x format, at least 1 character",
    ],
  ])("%j: %s", (expected, words, brief = words) => {
    expect([writeExpectation(expected), writeBriefly(expected)]).toEqual([words, brief]);
  });
});

test.each<[hint: Hint, words: string]>([
  [{ kind: "leave-out" }, "leave it out"],
  [{ kind: "no-option" }, "no such option: if the call needs it, ask the user"],
  [{ kind: "did-you-mean", name: "a" }, 'did you mean "a"?'],
  [{ kind: "use", value: { a: 1 } }, 'use {"a":1}'],
  [{ kind: "unquote", literal: "5" }, "send 5 without quotes"],
  [{ kind: "unstringify", type: "array" }, "send the array itself, not a JSON string"],
  [{ kind: "unwrap-array" }, "send the array itself, without an object around it"],
  [{ kind: "unwrap-object" }, "send the object itself, without an array around it"],
  [{ kind: "wrap-in-array" }, "put it in an array"],
  [{ kind: "send-array", value: ["a", 1] }, 'send an array, such as ["a", 1]'],
  [{ kind: "rename-to", name: "a" }, 'rename it to "a"'],
  [{ kind: "rename", from: "a", to: "b" }, 'rename "a" to "b"'],
  [{ kind: "lift" }, "send its fields one level up"],
  [{ kind: "lift", from: "a" }, 'send the fields of "a" one level up'],
  [{ kind: "move-into", name: "a" }, 'move it into "a"'],
  [{ kind: "move-into", name: "a", isOfItems: true }, 'move it into an item of "a"'],
  [{ kind: "lift-items" }, "send the fields of each item one level up, one call for each"],
  [{ kind: "move-up" }, "move it one level up"],
  [{ kind: "add-zone" }, 'add the time zone, such as "Z"'],
  [{ kind: "use-real-date" }, "use a date that exists"],
  [{ kind: "one-by-one" }, "one value only: call the tool once for each"],
  [{ kind: "not-schema" }, "send a value, not its schema"],
  [
    { kind: "json", rule: "strict" },
    "write it as strict JSON: names and strings in double quotes, a colon after each name, matching brackets",
  ],
  [{ kind: "json", rule: "bracket", brackets: "[}" }, '"}" does not close "["'],
  [{ kind: "json", rule: "bracket", brackets: "[" }, "close each bracket with its own kind"],
  [{ kind: "send-shorter" }, "send shorter arguments, or split the work into several calls"],
  [{ kind: "send-whole" }, "send the JSON to its end, or less in one call if your output was cut"],
  [{ kind: "words", text: "w" }, "w"],
  [{ kind: "json", rule: "one-object" }, "send one JSON object and nothing else"],
  [{ kind: "json", rule: "only-json" }, "send only the JSON object"],
  [
    { kind: "json", rule: "value" },
    "write each value as JSON: a string in double quotes, a number, true, false, null, an object or an array",
  ],
  [{ kind: "json", rule: "calculation" }, "write the result of a calculation"],
  [{ kind: "json", rule: "double-quotes" }, "put strings in double quotes"],
  [
    { kind: "json", rule: "quote" },
    String.raw`write a double quote inside a string as in "say \"hi\""`,
  ],
  [{ kind: "json", rule: "backslash" }, "write a backslash inside a string as \\\\"],
])("the hint %j: %s", (hint, words) => {
  expect(writeHint(hint)).toBe(words);
});
