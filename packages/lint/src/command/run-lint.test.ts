import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { rulePage } from "../pages/index.ts";
import { RULES } from "../rules/index.ts";
import { type LintSettings, runLint } from "./index.ts";

/** Runs a command line in a folder with these files; their values are written as JSON. */
async function run(
  args: readonly string[],
  files: Readonly<Record<string, unknown>> = {},
  settings: LintSettings = {},
) {
  const cwd = mkdtempSync(join(tmpdir(), "toolcontract-lint-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [name, value] of Object.entries(files)) {
    writeFileSync(join(cwd, name), typeof value === "string" ? value : JSON.stringify(value));
  }
  const out: string[] = [];
  const errors: string[] = [];
  const code = await runLint(args, {
    cwd,
    env: {},
    settings,
    print: (line) => void out.push(line),
    warn: (line) => void errors.push(line),
  });
  return { code, out: out.join("\n"), errors: errors.join("\n") };
}

const tool = (field: object) => ({
  name: "search",
  description: "Searches.",
  inputSchema: {
    type: "object",
    properties: { sort: { description: "The order.", ...field } },
    additionalProperties: false,
  },
});
const clean = { tools: [tool({ type: ["string", "null"], enum: ["asc", "desc", null] })] };
const wrong = { tools: [tool({ type: "array", items: {}, enum: ["asc", "desc"] })] };
const doubtful = { tools: [tool({ type: ["string", "null"], description: "One of: asc, desc" })] };

const HOLDS_NONE =
  "holds no tools: pass the tools/list of an MCP server, the tools of a request, or a JSON Schema.";

test.each<[what: string, name: string, text: string, errors: string]>([
  ["not JSON", "a.json", "{", "a.json is not JSON."],
  ["JSON without tools", "a.json", "{}", `a.json ${HOLDS_NONE}`],
  ["JSON with comments and without tools", "a.json", "{} // none", `a.json ${HOLDS_NONE}`],
  [
    "JSON that is nested too deeply",
    "a.json",
    `[{"name":"a","inputSchema":${'{"properties":{"a":'.repeat(6_000)}{}${"}}".repeat(6_000)}}]`,
    "a.json is nested more than 500 levels deep.",
  ],
  ["JSON with a byte order mark", "a.json", `\uFEFF${JSON.stringify(clean)}`, ""],
  ["JSON with comments", "a.json", `// mine\n${JSON.stringify(clean)}`, ""],
  [
    "a module without tools",
    "a.mjs",
    "export const a = 1;",
    "a.mjs exports no tools whose schemas can be read as JSON Schema.",
  ],
  ["a module that fails", "a.cjs", "throw new TypeError()", "a.cjs cannot be loaded (TypeError)."],
  [
    "a module that imports nothing",
    "a.mjs",
    'import "./none.mjs";',
    "a.mjs cannot be loaded (ERR_MODULE_NOT_FOUND).",
  ],
])("what is said of %s", async (_, name, text, errors) => {
  expect(await run([name], { [name]: text })).toMatchObject({
    code: errors === "" ? 0 : 2,
    errors: errors && `toolcontract lint: ${errors}`,
  });
});

test("what cannot be read does not keep the rest from being reported", async () => {
  const { code, out, errors } = await run(["none.json", "a.json"], { "a.json": clean });
  expect({ code, errors }).toEqual({
    code: 2,
    errors: "toolcontract lint: none.json cannot be read (ENOENT).",
  });
  expect(out).toMatch(/^a\.json\n {2}search/);
});

test.each([
  ["terminal", /^a\.json\n {2}search/],
  ["json", /^\{\n {2}"findings": \[/],
  ["sarif", /^\{\n {2}"\$schema": "https:\/\/json\.schemastore\.org\/sarif-2\.1\.0\.json"/],
  ["markdown", /^## a\.json\n\n### search: /],
  ["github", /^::error file=a\.json,line=1,col=\d+,title=no-value-passes::search: /],
])("--format %s", async (format, start) => {
  expect((await run(["a.json", "--format", format], { "a.json": wrong })).out).toMatch(start);
});

describe("exit codes", () => {
  test.each([
    ["nothing is wrong", ["a.json"], { "a.json": clean }, 0],
    ["warnings alone", ["a.json"], { "a.json": doubtful }, 0],
    ["as many warnings as allowed", ["a.json", "--max-warnings", "1"], { "a.json": doubtful }, 0],
    ["too many warnings", ["a.json", "--max-warnings", "0"], { "a.json": doubtful }, 1],
    ["an error", ["a.json"], { "a.json": wrong }, 1],
    ["an error in one of two", ["a.json", "b.json"], { "a.json": clean, "b.json": wrong }, 1],
    [
      "an error that is turned off",
      ["a.json", "--rule", "no-value-passes=off"],
      { "a.json": wrong },
      0,
    ],
    ["a file that is not there", ["none.json"], {}, 2],
    ["a file that is not JSON", ["a.json"], { "a.json": "{" }, 2],
    ["a file without tools", ["a.json"], { "a.json": { name: "a" } }, 2],
    ["an option that is not there", ["--formt", "json"], {}, 2],
    ["nothing to lint", [], {}, 2],
    ["help", ["--help"], {}, 0],
  ])("%s", async (_, args, files, code) => {
    expect(await run(args, files)).toMatchObject({ code });
  });
});

test("the JSON has the findings and the grades", async () => {
  const { out } = await run(["a.json", "--format", "json", "--rule", "provider-refuses=off"], {
    "a.json": wrong,
  });
  expect(JSON.parse(out)).toEqual({
    findings: [
      {
        rule: "no-value-passes",
        severity: "error",
        tool: "search",
        path: "/inputSchema/properties/sort",
        message: 'No value passes: type is "array", but every value of enum is a string',
        fix: "move enum into items",
      },
      {
        rule: "null-refused",
        severity: "info",
        tool: "search",
        path: "/inputSchema",
        message: "An optional field refuses null: sort",
        fix: "allow null, or drop it before validating: dropNulls of the contract",
      },
    ],
    tools: [{ name: "search", grade: "F", share: 0, tokens: 47 }],
  });
});

test("people read one line a finding, by tool", async () => {
  const { out } = await run(["a.json", "--rule", "provider-refuses=off"], { "a.json": wrong });
  expect(out).toBe(
    [
      "a.json",
      "  search  F 0 %, about 47 tokens",
      '    error    /inputSchema/properties/sort: No value passes: type is "array", but every value of enum is a string; move enum into items  no-value-passes',
      "    note     /inputSchema: An optional field refuses null: sort  null-refused",
      "",
      "1 error, 0 warnings and 1 note in 1 tool, about 47 tokens of every request",
      "A grade is the share of mistaken calls, as models really make them, that come back with the fix named.",
    ].join("\n"),
  );
});

test("a note of many tools is written once, with their count", async () => {
  const tools = Array.from({ length: 5 }, (_, index) => ({
    ...tool({ type: "string" }),
    name: `find_${"abcde"[index] ?? ""}${index * 7}`,
  }));
  const { out } = await run(["a.json", "--rule", "provider-refuses=off"], { "a.json": { tools } });
  const lines = out.split("\n").filter((line) => line.includes("null-refused"));
  expect(lines).toEqual([
    "  note     in 5 tools (find_a0, find_b7 and 3 more): Models fill optional fields with null, and the schema refuses it.  null-refused",
  ]);
});

test("what foreign tools say cannot change the terminal", async () => {
  const name = "a\u001B[31m\nerror";
  const { out } = await run(["a.json"], { "a.json": [{ ...tool({ type: "int" }), name }] });
  expect(out).not.toContain("\u001B");
  expect(out.split("\n")[1]).toMatch(/^ {2}a.*error {2}[A-F] /);
});

test.each([
  [["a.json", "--format", "jsn"], "there is no format 'jsn'. Did you mean 'json'?"],
  [["--formt", "json"], "there is no option '--formt'. Did you mean '--format'?"],
  [
    ["--why", "no-value-pases"],
    "there is no rule 'no-value-pases'. Did you mean 'no-value-passes'?",
  ],
  [["a.json", "--rule", "slow-pattern"], "--rule takes <name>=off, error, warning or info."],
  [["a.json", "--max-warnings", "few"], "--max-warnings must be a whole number."],
  [["a.json"], "a.json cannot be read (ENOENT)."],
  [[], "name what to lint: a JSON file, --url <address>, or -- <command> of an MCP server."],
])("%j is answered with what to do", async (args, message) => {
  expect(await run(args)).toEqual({ code: 2, out: "", errors: `toolcontract lint: ${message}` });
});

test("--proof shows what a model would read about the calls that models make wrong", async () => {
  const { out } = await run(["a.json", "--proof"], { "a.json": clean });
  expect(out).toContain(
    'call     a value outside the enum, /sort: {"sort":"ASC"}\n             - /sort (VAL-008): "ASC"; expected one of "asc", "desc", null; use "asc"',
  );
});

test("--ask sends a file nothing, and says so", async () => {
  expect(await run(["a.json", "--ask"], { "a.json": clean })).toMatchObject({
    code: 0,
    errors: "toolcontract lint: a.json is not a server, so --ask sends it nothing.",
  });
});

test("--why prints the page of a rule", async () => {
  expect(await run(["--why", "list-in-string"])).toEqual({
    code: 0,
    out: rulePage("list-in-string").trimEnd(),
    errors: "",
  });
});

test("--fix leaves a module alone, and says so", async () => {
  const text = `export const a = { inputSchema: ${JSON.stringify(wrong.tools[0])} };`;
  const { errors } = await run(["a.mjs", "--fix"], { "a.mjs": text });
  expect(errors).toBe("toolcontract lint: a.mjs is not a JSON file, so --fix leaves it alone.");
});

test("--badge writes the grade of all tools into a file of the folder", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "toolcontract-lint-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  await run(["a.json", "--badge", join(cwd, "badge.svg")], { "a.json": wrong });
  expect(readFileSync(join(cwd, "badge.svg"), "utf8")).toContain("<title>tools: F</title>");
});

test("a badge that cannot be written is a failure", async () => {
  expect(await run(["a.json", "--badge", "none/badge.svg"], { "a.json": clean })).toMatchObject({
    code: 2,
    errors: "toolcontract lint: failed (ENOENT).",
  });
});

test("settings may limit tokens and nesting", async () => {
  const rulesWith = async (settings: LintSettings): Promise<readonly string[]> => {
    const { out } = await run(["a.json", "--format", "json"], { "a.json": clean }, settings);
    const { findings } = JSON.parse(out) as { readonly findings: readonly { rule: string }[] };
    return findings.map(({ rule }) => rule).filter((rule) => /token|nesting/.test(rule));
  };
  expect(await rulesWith({})).toEqual([]);
  expect(await rulesWith({ maxToolTokens: 1 })).toEqual(["token-cost"]);
  expect(await rulesWith({ maxListTokens: 1 })).toEqual(["token-cost"]);
  expect(await rulesWith({ maxDepth: 0 })).toEqual(["deep-nesting"]);
});

test("--help names every rule", async () => {
  const { out } = await run(["--help"]);
  expect(RULES.filter(({ name }) => !out.includes(`  ${name} `))).toEqual([]);
});

test("settings hold unless the command line says otherwise", async () => {
  const settings: LintSettings = { maxWarnings: 0, rules: { "no-value-passes": "off" } };
  expect(await run(["a.json"], { "a.json": doubtful }, settings)).toMatchObject({ code: 1 });
  expect(
    await run(["a.json", "--max-warnings", "5"], { "a.json": doubtful }, settings),
  ).toMatchObject({ code: 0 });
  expect(
    await run(["a.json", "--rule", "no-value-passes=error"], { "a.json": wrong }, settings),
  ).toMatchObject({ code: 1 });
});

test.each([
  [{ code: "EPIPE" }, "toolcontract lint: failed (EPIPE)."],
  [{}, "toolcontract lint: failed (a bug of the linter)."],
])("an unexpected failure with %j is reported without its message", async (members, expected) => {
  const errors: string[] = [];
  const code = await runLint(["--help"], {
    cwd: ".",
    env: {},
    settings: {},
    print: () => {
      throw Object.assign(new Error("a value"), members);
    },
    warn: (line) => void errors.push(line),
  });
  expect([code, ...errors]).toEqual([2, expected]);
});

describe("--calls", () => {
  const search = {
    name: "search",
    description: "Searches.",
    inputSchema: {
      type: "object",
      properties: {
        sort: { type: "string", description: "One of: created, updated", enum: ["created"] },
        labels: { type: "array", items: { type: "string" } },
        limit: { type: "integer", description: "How many to return." },
      },
      required: ["sort"],
    },
  };
  const entry = (path: string, code: string): string =>
    JSON.stringify({ tool_name: "search", retry_attempt: 1, errors: [{ path, code }] });
  const files = {
    "a.json": JSON.stringify({ tools: [search] }),
    "calls.log": [
      entry("/labels/0", "VAL-002"),
      entry("/labels/1", "VAL-002"),
      entry("/limit", "VAL-002"),
      entry("", "VAL-011"),
      JSON.stringify({ tool_name: "other", retry_attempt: 1, errors: [] }),
    ].join("\n"),
  };

  test("names the fields that models get wrong, and what to change", async () => {
    const { code, out } = await run(["a.json", "--calls", "calls.log"], files);
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      "search  labels[]  2 lost: 2 refused, 0 recovered  VAL-002 type mismatch",
      "  describe the field, with an example of a value",
      "search  limit  1 lost: 1 refused, 0 recovered  VAL-002 type mismatch",
      "  say its type in the description, with an example of a value",
      "search  (arguments)  1 lost: 1 refused, 0 recovered  VAL-011 arguments cut off",
      "  make the arguments smaller, or raise the model's limit of output tokens",
    ]);
  });

  test("advises what a rule found there", async () => {
    const wrongType = {
      ...search.inputSchema.properties,
      limit: { type: "array", items: {}, enum: ["a"] },
    };
    const tools = [{ ...search, inputSchema: { type: "object", properties: wrongType } }];
    const { out } = await run(["a.json", "--calls", "calls.log", "--format", "json"], {
      ...files,
      "a.json": JSON.stringify({ tools }),
    });
    const { calls } = JSON.parse(out) as { readonly calls: readonly object[] };
    expect(calls).toContainEqual({
      tool: "search",
      field: "/limit",
      code: "VAL-002",
      refused: 1,
      recovered: 0,
      lost: 1,
      advice: "move enum into items",
    });
  });

  test("writes a table, and says if nothing was refused", async () => {
    const { out } = await run(["a.json", "--calls", "calls.log", "--format", "markdown"], files);
    expect(out).toContain(String.raw`| search | labels\[\] | 2 | 2 | 0 |`);
    const empty = { ...files, "calls.log": "" };
    expect((await run(["a.json", "--calls", "calls.log"], empty)).out).toBe(
      "The log has no refused call of these tools.",
    );
  });

  test("a log that cannot be read is said by name", async () => {
    const { code, errors } = await run(["a.json", "--calls", "none.log"], files);
    expect(code).toBe(2);
    expect(errors).toMatch(/^toolcontract lint: --calls: .*none\.log cannot be read \(ENOENT\)\.$/);
  });
});

test("names of servers write no line of their own on stderr, and have an end", async () => {
  const name = "x\n::error title=Owned::it is\n\u001b[2J\u009b2J\u202e";
  const files = {
    ".mcp.json": {
      mcpServers: { [name]: { url: "no address" }, ["n".repeat(100_000)]: { url: "none" } },
    },
  };
  const { code, errors } = await run([".mcp.json"], files);
  expect(code).toBe(2);
  expect(errors.split("\n")).toEqual([
    String.raw`toolcontract lint: .mcp.json: x\n::error title=Owned::it is\n\u001b[2J\u009b2J\u202e cannot be listed: its address is not a URL.`,
    `toolcontract lint: .mcp.json: ${"n".repeat(61)}... cannot be listed: its address is not a URL.`,
  ]);
});

test.each(["json", "sarif", "github", "terminal", "markdown"])(
  "a %s report has no character that a terminal obeys",
  async (format) => {
    const hostile = {
      ...tool({ type: "strin", title: "\u009b2J" }),
      name: "a\u001b[2J\u009b2J\u0085\u202e",
    };
    const { out } = await run(["a.json", "--format", format], { "a.json": { tools: [hostile] } });
    expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Zl}/u);
  },
);
