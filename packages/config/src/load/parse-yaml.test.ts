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
  }, 5_000);
  await expectLinearCost((size) => {
    const repeated = `{${"a: 1, ".repeat(size)}}`;
    return () => expect(parseYaml(repeated).problems).toHaveLength(1);
  }, 2_500);
});
