import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectLinearCost } from "@toolcontract/case-table/cost";
import { explain } from "@toolcontract/explain";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { runLint } from "../command/index.ts";
import { findAll } from "../engine/index.ts";
import { readTools } from "../input/index.ts";
import type { Edit } from "../shared/index.ts";
import { fixText } from "./index.ts";

test("--fix keeps the mark at the beginning of a file", async () => {
  const { text } = await fixFile(`\uFEFF[{"name":"a","inputSchema":{"type":"strin"}}]`);
  expect(text).toBe(`\uFEFF[{"name":"a","inputSchema":{"type":"string"}}]`);
});

test("--fix leaves a file that is not UTF-8, and says so", async () => {
  const before = Buffer.from(
    '[{"name":"a","title":"\u00e9","inputSchema":{"type":"strin"}}]',
    "latin1",
  );
  const { bytes, errors } = await fixFile(before);
  expect(bytes).toEqual(before);
  expect(errors).toBe("toolcontract lint: tools.json is not UTF-8, so --fix leaves it alone.");
});

test("--fix takes no default off its quotes that a number cannot hold", async () => {
  const document = [tool({ type: "integer", default: "12345678901234567890" })];
  expect(await fix(document)).toEqual({ code: 1, text: `${JSON.stringify(document, null, 2)}\n` });
});

test("the time for many edits grows with the file", async () => {
  await expectLinearCost((count) => {
    const fields = Array.from(
      { length: count },
      (_, index) => `"f${index}": { "enum": [1], "minLenght": 1 }`,
    );
    const edits = fields.flatMap((_, index): readonly Edit[] => [
      { kind: "move", pointer: `/f${index}/enum`, into: "items" },
      { kind: "rename", pointer: `/f${index}/minLenght`, key: "minLength" },
    ]);
    const text = `{ ${fields.join(", ")} }`;
    return () => fixText(text, [{ pointer: "", edits }]);
  }, 500);
});

/** What `--fix` makes of a file, and the exit code. */
async function fix(document: unknown, indent: string | number = 2) {
  const { code, text } = await fixFile(`${JSON.stringify(document, null, indent)}\n`);
  return { code, text };
}

async function fixFile(content: string | Buffer) {
  const cwd = mkdtempSync(join(tmpdir(), "toolcontract-lint-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const path = join(cwd, "tools.json");
  writeFileSync(path, content);
  const errors: string[] = [];
  const code = await runLint(["tools.json", "--fix"], {
    cwd,
    env: {},
    print: () => undefined,
    warn: (line) => errors.push(line),
  });
  const bytes = readFileSync(path);
  return { code, bytes, text: bytes.toString("utf8"), errors: errors.join("\n") };
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
  expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify([tool(expected)]));
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
    ["Windows' ends of lines", '{\r\n   "a": 0\r\n}', '{\r\n   "a": 1\r\n}'],
    ["its blanks", '\n{ "a" :0,  "b":[ ]}', '\n{ "a" :1,  "b":[ ]}'],
    ["its comments", '{ // one\n"a": /* two */ 0, }', '{ // one\n"a": /* two */ 1, }'],
    ["long numbers", '{"b":12345678901234567890,"a":0}', '{"b":12345678901234567890,"a":1}'],
    ["numbers above all", '{"b":1e400,"c":1.0,"a":0}', '{"b":1e400,"c":1.0,"a":1}'],
    ["members that occur twice", '{"b":1,"b":2,"a":0}', '{"b":1,"b":2,"a":1}'],
    ["escapes", String.raw`{"b":"\u0041\/","a":0}`, String.raw`{"b":"\u0041\/","a":1}`],
  ])("%s", (_, text, expected) => {
    expect(fixed(text)).toBe(expected);
  });

  test.each<[what: string, text: string, edit: Edit, expected: string | undefined]>([
    [
      "the layout of its members for a new one",
      '{\r\n\t"b" : 1\r\n}',
      { kind: "set", pointer: "/c", value: 2 },
      '{\r\n\t"b" : 1,\r\n\t"c" : 2\r\n}',
    ],
    [
      "a member that occurs twice and would have to change",
      '{"b":1,"b":2}',
      { kind: "rename", pointer: "/b", key: "c" },
      undefined,
    ],
    [
      "what is read of an object that occurs twice",
      '{"b":{"c":1},"b":{"c":1}}',
      { kind: "rename", pointer: "/b/c", key: "d" },
      '{"b":{"c":1},"b":{"d":1}}',
    ],
    [
      "a moved value as it is written",
      '{"enum": [1.0, 12345678901234567890], "items": {"type": "number"}}',
      { kind: "move", pointer: "/enum", into: "items" },
      '{"items": {"type": "number","enum": [1.0, 12345678901234567890]}}',
    ],
    [
      "a moved value that needs an object",
      '{"enum": [1.0]}',
      { kind: "move", pointer: "/enum", into: "items" },
      '{"items": { "enum": [1.0] }}',
    ],
    [
      "a member beside that is not an object",
      '{"enum": [1.0], "items": []}',
      { kind: "move", pointer: "/enum", into: "items" },
      undefined,
    ],
  ])("%s", (_, text, edit, expected) => {
    expect(fixText(text, [{ pointer: "", edits: [edit] }])).toBe(expected);
  });

  test("what lies between members that all go", () => {
    const removals = ["a", "b", "c", "d"].map((name): Edit => ({
      kind: "remove",
      pointer: `/${name}`,
    }));
    const text = '{ "a": 1, "b": 2, "x": 0, "c": 3, "d": 4 }';
    expect(fixText(text, [{ pointer: "", edits: removals }])).toBe('{ "x": 0 }');
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
