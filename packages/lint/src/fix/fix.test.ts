import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runLint } from "../command/index.ts";
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
])("%s", async (_, field, expected) => {
  const { code, text } = await fix([tool(field)], "\t");
  expect(text).toBe(`${JSON.stringify([tool(expected)], null, "\t")}\n`);
  expect(code).toBe(0);
});

test("what cannot be corrected for certain stays, and is still an error", async () => {
  const document = [tool({ type: "integer", default: "few" })];
  expect(await fix(document)).toEqual({ code: 1, text: `${JSON.stringify(document, null, 2)}\n` });
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
