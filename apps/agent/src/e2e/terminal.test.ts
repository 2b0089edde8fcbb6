import { spawnSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, inject, test } from "vitest";
import type { AgentProcess } from "../testing/agent-process.ts";
import { calls, oneTarget, report } from "../testing/turns.ts";
import { createWorld, programIn, type World } from "../testing/world.ts";

// Node has no pseudo-terminal. `script` of util-linux runs a command on one; the `script` of macOS takes other options, and
// Windows has none.
const hasTerminal = String(spawnSync("script", ["--version"]).stdout).includes("util-linux");

/** Starts the command on a terminal; what is written to its stdin is typed. */
function startOnTerminal(
  { startProgram }: World,
  env: Readonly<Record<string, string>> = {},
): AgentProcess {
  const command = `'${process.execPath}' '${programIn(inject("command"))}' Do it`;
  return startProgram(
    "script",
    ["--quiet", "--flush", "--return", "--command", `stty cols 80; exec ${command}`, "/dev/null"],
    { TERM: "xterm-256color", ...env },
  );
}

describe.skipIf(!hasTerminal)("on a terminal", () => {
  test.concurrent("a line says what runs, tokens and cost, and the report is rendered", async (context) => {
    const world = await createWorld(context);
    const text = "# Notes\n\n- **one**: `two`\u001B[2J\n";
    const model = await world.serve([{ ...report(text), usage: { input: 1_000, output: 20 } }]);
    world.write("project/.agent/config.yml", {
      providers: { openai: { type: "openai", base_url: model.openaiUrl, api_key: "key" } },
      targets: [{ provider: "openai", model: "gpt-4o" }],
    });
    const { exitCode, stdout } = await startOnTerminal(world).ended;
    expect(exitCode).toBe(0);
    const shown = stripVTControlCharacters(stdout).replaceAll("\r\n", "\n");
    expect(shown).toMatch(/turn 1: asking the model · \d+ s/u);
    expect(shown).toMatch(/\d+ s · 1020 tokens · \$0\.\d{4}\n# Notes\n\n {2}\* one: two\n$/u);
    // It is bold, and what the model wrote does not clear the screen.
    expect(stdout).toContain("\u001B[1mone\u001B[22m");
    expect(stdout).not.toContain("\u001B[2J");
  });

  test.concurrent("there are no colours if nobody wants them", async (context) => {
    const world = await createWorld(context);
    const model = await world.serve([report("# Notes\n\n- **one**: `two`\n")]);
    world.write("project/.agent/config.yml", oneTarget(model));
    const { exitCode, stdout } = await startOnTerminal(world, { NO_COLOR: "1" }).ended;
    expect(exitCode).toBe(0);
    expect(stdout).toContain("  * one: two");
    // Colours, bold and underlined; not what moves the cursor.
    expect(stdout).not.toMatch(/\[[\d;]*m/u);
    expect(stdout).not.toContain("Warning");
  });

  test.concurrent("Ctrl-C ends the run, and does not reach the servers", async (context) => {
    const world = await createWorld(context);
    const { servers } = world;
    const model = await world.serve([{ ...calls(["echo", { text: "a" }]) }, "never"]);
    world.write(
      "project/.agent/config.yml",
      oneTarget(model, { mcp_servers: { a: servers.config({ name: "a", tools: ["echo"] }) } }),
    );
    const { child, ended, hasWritten } = startOnTerminal(world);
    await hasWritten("turn 2: asking the model");
    child.stdin?.write("\u0003");
    const { exitCode, stdout } = await ended;
    expect(exitCode).toBe(1);
    expect(stdout).toContain("toolcontract-agent: ");
    await servers.allEnded();
    expect(servers.eventsOf("a")).toContain("end of input");
    expect(servers.eventsOf("a")).not.toContain("SIGINT");
  });
});
