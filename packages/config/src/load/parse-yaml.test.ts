import { expectLinearCost } from "@toolcontract/case-table/cost";
import { describe, expect, test } from "vitest";
import { isAlias, parseDocument } from "yaml";
import { parseYaml } from "./parse-yaml.ts";
import { TOOLS_FORMAT } from "../format/index.ts";
import { readTree } from "./read-tree.ts";

const below = (text: string): unknown => {
  const parsed = parseYaml(text);
  expect(parsed.problems).toEqual([]);
  return readTree(parsed, { format: TOOLS_FORMAT, readString: (_, value) => value }).value;
};
const tree = (value: string): string => `tools: { validation: ${value} }`;

describe("aliases resolve as the parser itself resolves them", () => {
  test.each([
    ["the last anchor of a name", `[&a 1, *a , &a 2, *a , *a ]`, [1, 1, 2, 2, 2]],
    ["a mapping", `[&a { x: &b [1] }, *a , *b ]`, [{ x: [1] }, { x: [1] }, [1]]],
    ["a name without an anchor", `[*none ]`, [null]],
    ["an anchor that comes later", `[*a , &a 1]`, [null, 1]],
  ])("%s", (_, value, expected) => {
    expect(below(tree(value))).toEqual({ tools: { validation: expected } });
    const document = parseDocument(value);
    const [alias] = (document.contents as unknown as { items: unknown[] }).items.filter(isAlias);
    if (JSON.stringify(expected).includes("null")) expect(alias?.resolve(document)).toBeUndefined();
    else expect(document.toJS()).toEqual(expected);
  });
});

test("repeated keys are found within one mapping only, of any type", () => {
  const { problems } = parseYaml(`a: { a: 1, 1: 1, "1": 1 }\nb: { x: 1,\n  x: 2 }\n? [q]\n: 1\n`);
  expect(problems).toMatchObject([{ line: 3, column: 3 }]);
});

test("a file four times as long takes about four times the time", async () => {
  await expectLinearCost((size) => {
    const items = `[${"1, ".repeat(size)}1]`;
    const aliases = `b: &a 1\nbig: ${items}\n${tree(`[${"*a , ".repeat(size / 10)}1]`)}`;
    return () => below(aliases);
  }, 1_000);
  await expectLinearCost((size) => {
    const repeated = `{${"a: 1, ".repeat(size)}}`;
    return () => expect(parseYaml(repeated).problems).toHaveLength(1);
  }, 1_000);
});

test.each<[text: string, place: string, message: string, hint?: string]>([
  [
    "a: *",
    "1:4",
    "Invalid alias or anchor",
    "a string that begins with * or &: put quotes around the string",
  ],
  ["%YAML 9\n---\n", "1:7", "Invalid directive"],
  [
    String.raw`a: "\q"`,
    "1:5",
    "Unknown escape in a double-quoted string",
    String.raw`use single quotes, or write \\ for \ `.trimEnd(),
  ],
  ["a:\n  b: 1\n c: 2", "3:1", "Wrong indentation, or a bracket that is not closed"],
  [
    "a: @x",
    "1:4",
    "An unquoted string can't begin with this character",
    "put quotes around the string",
  ],
  [
    "a: b: c",
    "1:4",
    "A mapping can't begin here",
    "check the indentation, or put quotes around a string that contains a colon",
  ],
  ["[a:\n- b]", "2:1", "Block lines can't be inside brackets"],
  ["a: 1\na: 2", "2:1", "This key appears twice in one mapping", "keep one of them"],
  [`${"k".repeat(1_025)}: 1`, "1:1", "A key is too long"],
  ['a: "x', "1:6", "A closing quote, a bracket, a comma or a space is missing"],
  [
    "a\nb: 1",
    "1:1",
    "A key and its colon must be on one line",
    "check the indentation, or put a colon and a space after the key",
  ],
  [
    "a: 1\n---\nb: 1",
    "2:1",
    "The file contains more than one document",
    "remove the line --- and what follows it",
  ],
  ["a:\n\t- b", "2:1", "A tab can't indent", "indent with spaces"],
  [
    "a: }",
    "1:4",
    "Unexpected text",
    'check quotes, brackets and indentation; inside { } and [ ] write "${NAME}" in quotes',
  ],
  ["a: &x &y z", "1:7", "Invalid YAML"],
])("%j is a problem at %s: %s", (text, place, message, hint) => {
  const [problem] = parseYaml(text).problems;
  expect(`${problem?.line}:${problem?.column}`).toBe(place);
  expect(problem?.message).toBe(message);
  expect(problem?.hint).toBe(hint);
});

test("one problem of a line is reported, and twenty of a file, from the top", () => {
  expect(parseYaml("a: } }").problems).toHaveLength(1);
  const { problems } = parseYaml("a: 1\n".repeat(25));
  expect(problems.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, at) => at + 2));
});

test("brackets that are nested too deeply are said to be", () => {
  const messages = parseYaml("[".repeat(20_000)).problems.map(({ message }) => message);
  expect(messages).toContain("The file is nested too deeply");
});
