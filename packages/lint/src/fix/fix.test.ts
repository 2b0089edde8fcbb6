import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { explain } from "@toolcontract/explain";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { runLint } from "../command/index.ts";
import { findAll } from "../engine/index.ts";
import { readTools } from "../input/index.ts";
import type { Edit } from "../shared/index.ts";
import { fixText } from "./index.ts";

/** What `--fix` makes of a file, and the exit code. */
async function fix(document: unknown, indent: string | number = 2) {
  const cwd = mkdtempSync(join(tmpdir(), "toolcontract-lint-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const path = join(cwd, "tools.json");
  writeFileSync(path, `${JSON.stringify(document, null, indent)}\n`);
  const ignore = (): void => undefined;
  const code = await runLint(["tools.json", "--fix"], {
    cwd,
    env: {},
    print: ignore,
    warn: ignore,
  });
  return { code, text: readFileSync(path, "utf8") };
}

const tool = (field: object) => ({
  type: "function",
  function: {
    name: "t",
    description: "t",
    parameters: { type: "object", properties: { x: field } },
  },
});

test.each([
  [
    "the enum of an array belongs to its items",
    { type: "array", enum: ["a"], items: { type: "string" } },
    { type: "array", items: { type: "string", enum: ["a"] } },
  ],
  ["a default in quotes", { type: "boolean", default: "True" }, { type: "boolean", default: true }],
  [
    "a misspelt keyword keeps its place",
    { minLenght: 1, type: "string" },
    { minLength: 1, type: "string" },
  ],
  ["a misspelt type", { type: "int" }, { type: "integer" }],
  ["a letter of a type", { type: "boolen" }, { type: "boolean" }],
  ["types in one text", { type: "string|null" }, { type: ["string", "null"] }],
  ["types and a word", { type: "int or null" }, { type: ["integer", "null"] }],
  ["types with commas", { type: "string, number" }, { type: ["string", "number"] }],
])("%s", async (_, field, expected) => {
  const { code, text } = await fix([tool(field)], "\t");
  expect(text).toBe(`${JSON.stringify([tool(expected)], null, "\t")}\n`);
  expect(code).toBe(0);
});

test.each([
  ["a default that is a word", { type: "integer", default: "few" }],
  ["a list of a type", { type: "number[]" }],
  ["a plural, which may be a list", { type: "strings" }],
  ["a list of types of which one is unknown", { type: "string|nul" }],
  ["a longer word than a type", { type: "numberRange" }],
  ["a type that the rest contradicts", { type: "string|null", items: {} }],
])("%s stays, and is still an error", async (_, field) => {
  const document = [tool(field)];
  expect(await fix(document)).toEqual({ code: 1, text: `${JSON.stringify(document, null, 2)}\n` });
});

test("a keyword that is not nearly one stays", async () => {
  const document = [tool({ type: "string", enumNames: ["One", "Two"], maximumLen: 5 })];
  const { text } = await fix(document);
  expect(JSON.parse(text)).toEqual(document);
});

const NAMES: Readonly<Record<string, unknown>> = {
  string: "a",
  str: "a",
  number: 1.5,
  float: 1.5,
  integer: 1,
  int: 1,
  boolean: true,
  bool: false,
  null: null,
  none: null,
  object: {},
  dict: {},
  array: [],
  list: [],
};

test("after --fix, a field takes every type that its text names", () => {
  const name = fc.constantFrom(...Object.keys(NAMES));
  const separator = fc.constantFrom("|", " | ", ",", ", ", "/", " or ", ";", " ", "-", "&");
  const field = fc.record({
    names: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
    separator,
    end: fc.constantFrom("", "s", "[]", "?", "x"),
  });
  fc.assert(
    fc.property(field, ({ names, separator: between, end }) => {
      const type = names.join(between) + end;
      const tools = readTools([tool({ type })]);
      const [found] = findAll(tools, { grade: false });
      const edits = found?.findings.flatMap(({ edit }) => edit ?? []) ?? [];
      const text = fixText(JSON.stringify(tool({ type })), [{ pointer: "", edits }]);
      if (text === undefined) return;
      const [fixed] = readTools(JSON.parse(text));
      for (const one of names)
        expect(explain(fixed?.inputSchema ?? true, { x: NAMES[one] })).toEqual([]);
      // A list of the type, or more than these, may be meant.
      if (end !== "" && end !== "x") expect(type).toBe("nothing is certain of it");
    }),
    { numRuns: 300 },
  );
});

describe("a text keeps", () => {
  const edits = [{ kind: "set", pointer: "/a", value: 1 }] as const;
  const fixed = (text: string): string | undefined => fixText(text, [{ pointer: "", edits }]);
  test.each([
    ["its tabs", '{\n\t"a": 0\n}\n', '{\n\t"a": 1\n}\n'],
    ["its four spaces", '{\n    "a": 0\n}', '{\n    "a": 1\n}'],
    ["its indentation after Windows' ends of lines", '{\r\n   "a": 0\r\n}', '{\n   "a": 1\n}'],
    ["its one line", '{ "a": 0 }', '{"a":1}'],
    ["its end", '{"a":0}\n', '{\n  "a": 1\n}\n'],
    ["its indentation below an empty line", '\n{\n "a": 0 }', '{\n "a": 1\n}'],
  ])("%s", (_, text, expected) => {
    expect(fixed(text)).toBe(expected);
  });
});

describe("an edit", () => {
  test.each<[what: string, edit: Edit, pointer: string, expected: string | undefined]>([
    ["sets a member", { kind: "set", pointer: "/a/b", value: 2 }, "", '{"a":{"b":2,"c":[0]}}'],
    ["adds a member", { kind: "set", pointer: "/d", value: 2 }, "", '{"a":{"b":1,"c":[0]},"d":2}'],
    ["is one of the tool", { kind: "set", pointer: "/b", value: 2 }, "/a", '{"a":{"b":2,"c":[0]}}'],
    ["sets all of a tool", { kind: "set", pointer: "", value: 2 }, "/a", '{"a":2}'],
    ["sets an item", { kind: "set", pointer: "/a/c/0", value: 2 }, "", '{"a":{"b":1,"c":[2]}}'],
    [
      "sets a member named __proto__",
      { kind: "set", pointer: "/a/__proto__", value: 2 },
      "",
      '{"a":{"b":1,"c":[0],"__proto__":2}}',
    ],
    ["removes a member", { kind: "remove", pointer: "/a/b" }, "", '{"a":{"c":[0]}}'],
    [
      "renames a member in its place",
      { kind: "rename", pointer: "/a/b", key: "d" },
      "",
      '{"a":{"d":1,"c":[0]}}',
    ],
    ["removes nothing that is not there", { kind: "remove", pointer: "/a/d" }, "", undefined],
    [
      "renames nothing that is not there",
      { kind: "rename", pointer: "/a/d", key: "e" },
      "",
      undefined,
    ],
    [
      "renames nothing to a key that is there",
      { kind: "rename", pointer: "/a/b", key: "c" },
      "",
      undefined,
    ],
    ["sets nothing below a value", { kind: "set", pointer: "/a/b/d", value: 2 }, "", undefined],
    [
      "sets nothing below what is not there",
      { kind: "set", pointer: "/d/e/f", value: 2 },
      "",
      undefined,
    ],
    [
      "sets nothing in what all objects have",
      { kind: "set", pointer: "/toString/a", value: 2 },
      "",
      undefined,
    ],
  ])("%s", (_, edit, pointer, expected) => {
    const text = '{"a":{"b":1,"c":[0]}}';
    expect(fixText(text, [{ pointer, edits: [edit] }])).toBe(expected);
  });
});

test("what is written for Gemini stays, as its types are other words", async () => {
  const parameters = { type: "OBJECT", properties: { x: { type: "INT" } } };
  const document = { functionDeclarations: [{ name: "t", description: "t", parameters }] };
  expect(await fix(document)).toEqual({
    code: 1,
    text: `${JSON.stringify(document, null, 2)}\n`,
  });
});
