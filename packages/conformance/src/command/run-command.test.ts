import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { SCENARIOS } from "../scenarios/index.ts";
import { runCommand } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "conformance-command-"));
const loop = `node ${fileURLToPath(new URL("../testing/good-loop.ts", import.meta.url))}`;
const play = (command: string, ...more: readonly string[]): readonly string[] => {
  return ["--command", command, "--scenario", "wrong-types", ...more];
};

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function run(args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommand(args, {
    version: "1.2.3",
    print: (line) => void out.push(line),
    warn: (line) => void err.push(line),
  });
  return { code, out: out.join("\n"), err: err.join("\n") };
}

describe("the command line", () => {
  test.each([
    [[], 'pass the program to run: --command "node my-agent.mjs"'],
    [["--command", " "], "pass the program to run"],
    [["lsit"], "there is no command 'lsit'"],
    [["list", "all"], "'all' is one word too many"],
    [["--command", "true", "--api", "openai"], "--api takes openai-chat, openai-responses"],
    [["--command", "true", "--level", "5"], "--level takes L1, L2, L3, L4, L5"],
    [["--command", "true", "--scenario", "answer-prose"], "pass --level L5 with it"],
    [["--command", "true", "--timeout", "soon"], "--timeout takes a number above 0"],
    [["--command", "true", "--scenario", "prosa"], "there is no scenario 'prosa'"],
    [["--command", "true", "--expected-failures", join(folder, "no.yml")], "cannot be read"],
    [["--command", "true", "--comand", "x"], "--comand"],
  ])("%j is wrong usage", async (args, words) => {
    const { code, err } = await run(args);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });

  test("lists every scenario", async () => {
    const { code, out } = await run(["list"]);
    expect(code).toBe(0);
    expect(out.split("\n").map((line) => line.split(":")[0])).toEqual(
      SCENARIOS.map(({ id }) => id),
    );
  });

  test.each([
    [["--version"], "1.2.3"],
    [["--help"], "--expected-failures FILE"],
  ])("%j prints", async (args, words) => {
    const { code, out } = await run(args);
    expect(code).toBe(0);
    expect(out).toContain(words);
  });

  test("prints, writes and succeeds if everything passed", async () => {
    const [junit, badge] = [join(folder, "junit.xml"), join(folder, "badge.svg")];
    const { code, out } = await run(play(loop, "--junit", junit, "--badge", badge));
    expect(code).toBe(0);
    expect(out).toContain("ok   wrong-types (");
    expect(out).toMatch(/\n\d+ passed, 0 failed$/);
    expect(readFileSync(junit, "utf8")).toContain('failures="0"');
    expect(readFileSync(badge, "utf8")).toContain("L2 tells");
  });

  test("prints JSON of checks with an id, and fails if one failed", async () => {
    const { code, out } = await run(play(`${loop} says-no-limits`, "--json"));
    expect(code).toBe(1);
    const { checks } = JSON.parse(out) as { readonly checks: readonly object[] };
    expect(checks).toContainEqual({
      id: "wrong-types/says-allowed",
      level: "L2",
      scenario: "wrong-types",
      passed: false,
      message: expect.stringContaining('the answer does not say "string", "celsius"') as string,
    });
    expect(checks).toContainEqual({
      id: "wrong-types/survives",
      level: "L1",
      scenario: "wrong-types",
      passed: true,
      message: expect.stringContaining("never ends the run") as string,
    });
  });

  test.each([
    ["as expected", "- wrong-types/says-allowed", 0, ""],
    [
      "one of the list has passed",
      "- wrong-types/says-allowed\n- wrong-types/survives",
      1,
      "wrong-types/survives is expected to fail and does not",
    ],
    [
      "only what was not played is in the list too",
      "- wrong-types/says-allowed\n- prose/survives",
      0,
      "",
    ],
  ])("with expected failures: %s", async (name, list, code, words) => {
    const path = file(`${name}.yml`, list);
    const result = await run(play(`${loop} says-no-limits`, "--expected-failures", path));
    expect(result.code).toBe(code);
    expect(result.err.slice(0, words.length || 1)).toBe(words);
  });

  test("a stale list of expected failures is an error too", async () => {
    const path = file("stale.yml", "- wrong-types/says-allowed\n- nonsense/survives");
    const { code, err } = await run(play(loop, "--expected-failures", path));
    expect(code).toBe(1);
    expect(err).toContain("wrong-types/says-allowed is expected");
    expect(err).toContain("nonsense/survives is expected");
    expect(err).toContain("take it off the list");
  });

  test("says what the format cannot carry, and that no stream was asked for", async () => {
    const { code, err } = await run([
      "--command",
      "true",
      "--api",
      "anthropic",
      "--stream",
      "--scenario",
      "empty-id",
      "--scenario",
      "unicode",
    ]);
    expect(code).toBe(1);
    expect(err).toContain("No request asked for a stream");
    expect(err).toContain("anthropic cannot carry these, so they were not played: empty-id");
  });
});
