import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runLint } from "../command/index.ts";

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
