import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { addServer } from "../testing/messages.ts";
import { script } from "../testing/proxy-process.ts";
import { runMain } from "../testing/run-main.ts";
import { reportOf } from "./index.ts";

const object = { type: "object" } as const;

/** The report on a server with these tools. */
function report(tools: readonly unknown[], off: readonly string[] = []): string {
  return reportOf(
    { server: "shop 1.0", tools },
    { contract: {}, isOff: (name) => off.includes(name) },
  );
}

describe("the report", () => {
  test("has a line for each tool", () => {
    const tools = [
      { name: "add", description: "Adds", inputSchema: object },
      { name: "remove", description: "Removes", inputSchema: object },
    ];
    expect(report(tools, ["remove"])).toBe(
      "shop 1.0 was reached: 2 tools, 1 guarded\n  add: guarded\n  remove: not guarded; --tool turns it off\n",
    );
  });

  test.each<[string, object, RegExp]>([
    ["no schema", {}, /odd: not guarded; it has no input schema\n/],
    ["an empty description", { description: "", inputSchema: object }, /it has no description\n/],
    ["an empty name", { name: "", inputSchema: object }, /\(no name\): not guarded; a tool must/],
    [
      "a schema of nothing that exists",
      { inputSchema: { ...object, properties: 7 } },
      /properties|compile/,
    ],
    ["another type", { inputSchema: { type: "string" } }, /has no "type": "object"/],
    [
      "an unknown dialect",
      { inputSchema: { ...object, $schema: "urn:none" } },
      /odd: not guarded; its schema is of an unknown dialect\n/,
    ],
    [
      "a broken keyword",
      { inputSchema: { ...object, required: ["a"], properties: { a: { type: "strng" } } } },
      /left out at \/properties\/a/,
    ],
  ])("names %s", (_, tool, words) => {
    expect(report([{ name: "odd", description: "Odd", ...tool }])).toMatch(words);
  });

  test("names twins, missing names and descriptions, and hides control characters", () => {
    const twin = { name: "twin\u{1B}[2J", description: "Twin", inputSchema: object };
    const text = report([
      twin,
      twin,
      { inputSchema: object },
      { name: "bare", inputSchema: object },
    ]);
    expect(text.match(/not guarded; it is listed twice/g)).toHaveLength(2);
    expect(text).toContain("(no name): not guarded; a tool must have a name");
    expect(text).toContain("bare: guarded; it has no description");
    expect(text).not.toContain("\u{1B}");
  });
});

test("a tool that --tool names and the server does not list is named", () => {
  const tools = [{ name: "add", description: "Adds", inputSchema: object }];
  const options = { contract: {}, isOff: () => false, named: ["ad\u{1B}", "add"] };
  expect(reportOf({ server: "shop", tools }, options)).toContain(
    String.raw`  ad\u001b: --tool names it, and the server does not list it`,
  );
});

describe("--check", () => {
  test("prints the settings in effect, where each comes from, and no credential", async () => {
    const flags = ["--check", "--mode=audit", "--tool", "sub=off"];
    const env = { TOOLCONTRACT_CONFIG: "off", TOOLCONTRACT_MAX_ATTEMPTS: "7" };
    const { output } = await runMain([...flags, ...script(addServer())], env);
    expect(output).toContain("Settings:\n  mode: audit (--mode)\n  soft: assist (default)\n");
    expect(output).toContain("  max-attempts: 7 (TOOLCONTRACT_MAX_ATTEMPTS)\n");
    expect(output).toContain("  sub: --tool names it, and the server does not list it\n");
    const url = "http://user:pass@127.0.0.1:2/mcp";
    const http = ["--check", "--upstream", url, "--header", "X-Key: hunter2"];
    const other = await runMain(http);
    expect(other.output).toContain("  header: (set) (--header)\n");
    expect(other.output + other.errors).not.toMatch(/hunter2|pass@/);
  });

  test("refuses options that would keep the proxy from starting", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolcontract-check-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "config.yml");
    writeFileSync(file, "tools:\n  validation:\n    max_calls_per_turn: 3\n");
    const env = { TOOLCONTRACT_CONFIG: file };
    const flags = ["--mode=assist", ...script(addServer())];
    const checked = await runMain(["--check", ...flags], env);
    const started = await runMain(flags, env);
    expect([checked.code, checked.errors]).toEqual([started.code, started.errors]);
    expect(checked.code).not.toBe(0);
    expect(checked.errors).toContain("maxCallsPerTurn");
  });

  test("names the flag that waits longer", async () => {
    const slow = createServer().listen(0, "127.0.0.1");
    await once(slow, "listening");
    onTestFinished(() => {
      slow.closeAllConnections();
      slow.close();
    });
    const { port } = slow.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/mcp`;
    const { errors } = await runMain(["--check", "--list-timeout=50ms", "--upstream", url]);
    expect(errors).toMatch(/did not answer initialize within 0.05 s; --list-timeout waits longer/);
  });

  test("waits for a command that has to be installed first", async () => {
    const source = `setTimeout(() => { ${addServer()} }, 300);`;
    const { code } = await runMain(["--check", "--list-timeout=200ms", ...script(source)]);
    expect(code).toBe(0);
  });

  test("names every tool of a server on stdio and ends with 0", async () => {
    const { code, output } = await runMain(["--check", ...script(addServer())]);
    expect(code).toBe(0);
    expect(output).toMatch(/was reached: 1 tools, 1 guarded\n {2}add: guarded/);
  });

  test.each<[string, readonly string[], RegExp]>([
    ["that does not exist", ["--", "no-such-command"], /command not found/],
    ["that ends", script("process.exit(7)"), /ended with exit code 7/],
    [
      "that ends before it answers",
      script("process.stdin.once('data', () => process.exit(7))"),
      /ended with exit code 7 before it answered initialize/,
    ],
    ["that cannot be reached", ["--upstream", "http://127.0.0.1:2/mcp"], /ECONNREFUSED/],
  ])("a server %s is said so, with exit code 3", async (_, args, words) => {
    const { code, errors } = await runMain(["--check", ...args]);
    expect(code).toBe(3);
    expect(errors).toMatch(words);
  });
});

test("names of a server write no line of the report, and have an end", () => {
  const tools = ["a\n::error::b\u2028\u009b2J", "n".repeat(100_000)].map((name) => ({
    name,
    inputSchema: { type: "object" },
  }));
  const lines = reportOf(
    { server: "s\nwas reached: 9 tools", tools },
    { contract: {}, isOff: () => false },
  ).split("\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toBe(String.raw`s\nwas reached: 9 tools was reached: 2 tools, 2 guarded`);
  expect(lines[1]).toMatch(/^ {2}a\\n::error::b\\u2028\\u009b2J: guarded/);
  expect(lines[2]?.length).toBeLessThan(300);
});
