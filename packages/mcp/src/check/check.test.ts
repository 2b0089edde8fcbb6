import { describe, expect, test } from "vitest";
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

describe("--check", () => {
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
