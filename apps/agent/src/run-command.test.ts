import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { HELP } from "./command-line.ts";
import { runCommand } from "./run-command.ts";

const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
const { version } = JSON.parse(manifest) as { readonly version: string };
const cwd = mkdtempSync(join(tmpdir(), "agent-command-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
writeFileSync(join(cwd, "wrong.yml"), "session: { max_turns: none }\n");
writeFileSync(
  join(cwd, "targets.yml"),
  "providers:\n  main: { type: openai, api_key: sk-secret-1234567890abcdef }\ntargets:\n  - { provider: main, model: small }\n",
);
const session = "{ expected_output_format: json, output_schema: { type: 12 } }";
writeFileSync(join(cwd, "schema.yml"), `session: ${session}\n`);
const ANSWER = JSON.stringify([{ text: "Done." }]);
writeFileSync(join(cwd, "script.json"), ANSWER);
writeFileSync(join(cwd, "fails.json"), JSON.stringify([{ error: { status: 401, message: "no" } }]));

const SCRIPTED = ["--script", join(cwd, "script.json")];

/** A configuration whose report has a schema. */
function withSchema(output_schema: unknown): string {
  const file = join(mkdtempSync(join(cwd, "schema-")), "agent.json");
  const format = { expected_output_format: "json", output_schema };
  writeFileSync(file, JSON.stringify({ session: format }));
  return file;
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly signal?: AbortSignal;
  readonly input?: string;
  readonly folder?: () => string;
  /** What is written to another stream than the default is not answered. */
  readonly stdout?: Writable;
}

async function run(
  args: readonly string[],
  {
    signal = new AbortController().signal,
    input = "",
    folder = () => cwd,
    stdout = new PassThrough(),
  }: RunOptions = {},
): Promise<Ran> {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  stdin.end(input);
  const written = Promise.all([stdout instanceof PassThrough ? text(stdout) : "", text(stderr)]);
  const env = { HOME: cwd, PATH: process.env["PATH"] };
  const code = await runCommand(args, {
    stdin,
    stdout,
    stderr,
    env,
    cwd: folder,
    program: cwd,
    signal,
  });
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { code, stdout: out, stderr: err };
}

describe("the command", () => {
  test.each([
    [
      "the report",
      ["--script", "script.json", "Hi"],
      "",
      { code: 0, stdout: "Done.\n", stderr: "" },
    ],
    ["its help", ["--help"], "", { code: 0, stdout: `${HELP}\n`, stderr: "" }],
    ["its version", ["--version"], "", { code: 0, stdout: `${version}\n`, stderr: "" }],
    [
      "the answer to what is piped in",
      ["--script", "script.json"],
      "Hi",
      { code: 0, stdout: "Done.\n" },
    ],
    [
      "no report if the key is wrong",
      ["--script", "fails.json", "Hi"],
      "",
      { code: 1, stdout: "" },
    ],
    ["no report without a prompt", ["--script", "script.json"], " ", { code: 4, stdout: "" }],
    ["no report without a target", ["Hi"], "", { code: 4, stdout: "" }],
    ["no report of a wrong configuration", ["--config", "wrong.yml", "Hi"], "", { code: 4 }],
    ["no report of a wrong command line", ["--provder", "a"], "", { code: 4, stdout: "" }],
    ["what it would use", ["--script", "script.json", "--dry-run"], "", { code: 0 }],
  ])("prints %s", async (_, args, input, expected) => {
    const given = args.map((word) => (/\.(?:json|yml)$/.test(word) ? join(cwd, word) : word));
    expect(await run(given, { input })).toMatchObject(expected);
  });

  test.each([
    [0, ["--script", "script.json", "Hi"]],
    [1, ["--script", "fails.json", "Hi"]],
    [4, ["--config", "wrong.yml", "Hi"]],
    [4, ["--nonsense"]],
    [5, ["--config", "schema.yml", "--script", "script.json", "Hi"]],
    [4, ["Hi"]],
    [4, ["--accounting", "missing/a.jsonl", "Hi"]],
  ])("ends with %i and a whole result as JSON: %j", async (code, args) => {
    const given = args.map((word) => (/\.(?:jsonl?|yml)$/.test(word) ? join(cwd, word) : word));
    const ran = await run(["--output", "json", ...given]);
    const result = JSON.parse(ran.stdout) as Readonly<Record<string, unknown>>;
    expect(ran.code).toBe(code);
    expect(result).toMatchObject({ success: code === 0, accounting: expect.any(Array) });
    expect(result).toHaveProperty("conversation");
    expect(result).not.toHaveProperty("value");
    expect(typeof result["error"]).toBe(code === 0 ? "undefined" : "string");
  });

  test.each<readonly [what: string, schema: unknown]>([
    ["a type that is not one", { type: 12 }],
    ["a reference to nowhere", { $ref: "#/nowhere" }],
    ["a reference to itself", { $ref: "#" }],
    ["a document elsewhere", { $ref: "https://example.com/report.json" }],
    ["a dialect that nobody knows", { $schema: "https://example.com/draft-99", type: "object" }],
    ["a list where fields are named", { properties: ["title"] }],
    ["text where schemas are listed", { allOf: "title" }],
    ["branches of which none can be used", { anyOf: [{ type: 12 }] }],
    ["a list of no values", { enum: [] }],
    ["fields of which none can be used", { properties: { text: { minLength: "x" } } }],
  ])("ends with 5 for a report's schema that is %s", async (_, output_schema) => {
    const ran = await run(["--config", withSchema(output_schema), ...SCRIPTED, "Hi"]);
    expect([ran.code, ran.stderr]).toEqual([
      5,
      expect.stringContaining("session.output_schema: nothing of this schema can be used"),
    ]);
  });

  test("reads around a part of a report's schema that cannot be used, and says so", async () => {
    const schema = { type: "array", items: { properties: { text: { minLength: "x" } } } };
    const ran = await run(["--config", withSchema(schema), ...SCRIPTED, "Hi"]);
    expect(ran.code).not.toBe(5);
    expect(ran.stderr).toMatch(/minLength is ignored/);
  });

  test("that is stopped before it begins says so, whatever else is wrong", async () => {
    const signal = AbortSignal.abort(new Error("received SIGINT"));
    const ran = await run(["--script", join(cwd, "script.json"), "Hi"], { signal });
    expect(ran).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "toolcontract-agent: The run was aborted: received SIGINT\n",
    });
  });

  test("applies the guardrails of its configuration", async () => {
    const rule = '{ name: closed, deny: "true", tools: [list_directory], message: not on Sundays }';
    writeFileSync(join(cwd, "rules.yml"), `tools: { guardrails: { rules: [${rule}] } }\n`);
    const config = ["--config", join(cwd, "rules.yml")];
    const ran = await run([...config, "--provider", "scripted", "--output", "json", "Hi"]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain("Guardrail failed for tool 'list_directory'");
    expect(ran.stdout).toContain("not on Sundays");
  });

  test.each([
    [
      "without effects",
      "budgets: {}",
      "rules.yml:4:36 /tools/guardrails/rules/0/stage (invalid-policy)",
    ],
    [
      "without the effect of a server's tool",
      "effects: { read_file: none }",
      "guardrail 'closed' runs at commit for every tool, and 'read_text_file', ",
    ],
  ])("refuses a guardrail at commit %s", async (_, more, words) => {
    const rule = '{ name: closed, stage: commit, deny: "true", message: not on Sundays }';
    const yaml = `tools:\n  guardrails:\n    ${more}\n    rules: [${rule}]\n`;
    writeFileSync(join(cwd, "rules.yml"), yaml);
    const config = ["--config", join(cwd, "rules.yml")];
    const ran = await run([...config, "--provider", "scripted", "Hi"]);
    expect(ran).toMatchObject({ code: 4, stdout: "" });
    expect(ran.stderr).toContain(words);
  });

  test("refuses keys that nobody would read, and says what was meant", async () => {
    writeFileSync(join(cwd, "keys.yml"), "sesion: {}\nmax_turns: 3\n");
    const config = ["--config", join(cwd, "keys.yml")];
    const ran = await run([...config, "--script", join(cwd, "script.json"), "Hi"]);
    expect(ran).toMatchObject({ code: 4, stdout: "" });
    expect(ran.stderr).toContain(`/sesion (VAL-005): Unknown field 'sesion'
  Hint: rename it to "session"`);
    expect(ran.stderr).toContain(`/max_turns (VAL-005): Unknown field 'max_turns'
  Hint: move it below session`);
  });

  test.each(["text", "json"])("fails if its result cannot be written: %s", async (format) => {
    const full = new Writable({
      write: (_chunk, _encoding, done) =>
        done(Object.assign(new Error("no space left"), { code: "ENOSPC" })),
    });
    full.on("error", () => undefined);
    const args = ["--script", join(cwd, "script.json"), "--output", format, "Hi"];
    const ran = await run(args, { stdout: full });
    expect([ran.code, ran.stderr]).toEqual([
      1,
      "toolcontract-agent: the result cannot be written to stdout (ENOSPC)\n",
    ]);
  });

  test("whose folder is gone has a result", async () => {
    const gone = (): string => {
      throw Object.assign(new Error("ENOENT: no such file or directory, uv_cwd"), {
        code: "ENOENT",
      });
    };
    const ran = await run(["Hi"], { folder: gone });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("internal error (Error): ENOENT");
  });

  test("shows no key", async () => {
    const config = ["--config", join(cwd, "targets.yml")];
    const ran = await run([...config, "--provider", "other", "--output", "json", "Hi"]);
    expect(ran.code).toBe(4);
    expect(`${ran.stdout}${ran.stderr}`).not.toContain("sk-secret");
  });
});
