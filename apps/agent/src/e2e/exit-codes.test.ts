import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { closedUrl, serveStatus } from "../testing/http-server.ts";
import { expectAccounting, resultOf } from "../testing/result-of.ts";
import { calls, oneTarget, report } from "../testing/turns.ts";
import { createWorld } from "../testing/world.ts";

const FILE = "project/.agent/config.yml";
const JSON_OUTPUT = ["--output", "json"];

describe("0", () => {
  test.concurrent("the model reports by the tool", async (context) => {
    const world = await createWorld(context);
    const model = await world.serve([report("# Done")]);
    world.write(FILE, oneTarget(model));
    const ended = await world.runProcess([...JSON_OUTPUT, "Do it"]);
    expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
    const result = resultOf(ended);
    expect(result.finalReport).toMatchObject({ format: "markdown", content: "# Done" });
    expectAccounting(result, "pa ok", "agent__final_report ok");
  });

  test.concurrent("the model reports by text, and what the contract reads around in a schema is a warning", async (context) => {
    const world = await createWorld(context);
    const model = await world.serve([{ text: "It is." }, { text: "All is done." }]);
    const odd = world.servers.config({ name: "odd", tools: ["odd"] });
    world.write(FILE, oneTarget(model, { mcp_servers: { odd } }));
    const ended = await world.run([...JSON_OUTPUT, "Do it"]);
    expect(ended).toMatchObject({
      exitCode: 0,
      stderr:
        'toolcontract-agent: odd: the schema of tool "odd": /properties/text/pattern is ignored, because it is not a regular expression of JavaScript\n' +
        "toolcontract-agent: m: the answer is plain text while tools are offered; trying again (2 of 3)\n" +
        "toolcontract-agent: the model called no tool and no report: its text was taken for the report\n",
    });
    expect(resultOf(ended).finalReport).toMatchObject({ content: "All is done." });
    await world.servers.allEnded();
  });
});

describe("1", () => {
  test.concurrent("every attempt of a turn fails", async (context) => {
    const world = await createWorld(context);
    const model = await world.serve(() => ({ status: 503, message: "overloaded" }));
    world.write(FILE, oneTarget(model, { session: { max_retries: 2 } }));
    const ended = await world.run([...JSON_OUTPUT, "Do it"]);
    expect(ended.exitCode).toBe(1);
    const result = resultOf(ended);
    expect(result.error).toContain("overloaded");
    expect(result.finalReport?.metadata).toEqual({ reason: "attempts_exhausted" });
    expectAccounting(result, "pa failed: overloaded", "pa failed: overloaded");
    expect(model.requests).toHaveLength(2);
  });

  test.concurrent("a key that is refused ends the run at once, and is not shown even if the provider repeats it", async (context) => {
    const world = await createWorld(context);
    const key = "gateway-key-of-ana-7731";
    const model = await world.serve(() => ({
      status: 401,
      message: `Incorrect API key provided: ${key}. You can find your API key at https://example.com.`,
    }));
    world.write("project/.agent/.env", `KEY=${key}\n`);
    world.write(FILE, {
      providers: { pa: { type: "openai", base_url: model.openaiUrl, api_key: "${KEY}" } },
      targets: [{ provider: "pa", model: "m" }],
    });
    const accounting = `${world.folder}/accounting.jsonl`;
    const ended = await world.run([...JSON_OUTPUT, "--accounting", accounting, "Do it"]);
    expect(ended.exitCode).toBe(1);
    const { success, error, finalReport } = resultOf(ended);
    expect([success, finalReport]).toEqual([false, undefined]);
    expect(error).toContain("Incorrect API key provided");
    expect(model.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${key}`]);
    const outputs = [ended.stdout, ended.stderr, readFileSync(accounting, "utf8")].join("\n");
    expect(outputs).not.toContain(key.slice(-12));
  });

  test.concurrent("no report within the turns", async (context) => {
    const world = await createWorld(context);
    const model = await world.serve(() => calls(["echo", { text: "again" }]));
    const echo = world.servers.config({ name: "a", tools: ["echo"] });
    world.write(FILE, oneTarget(model, { session: { max_turns: 2 }, mcp_servers: { a: echo } }));
    const ended = await world.run([...JSON_OUTPUT, "Do it"]);
    expect(ended.exitCode).toBe(1);
    expect(resultOf(ended).finalReport).toMatchObject({
      status: "failure",
      metadata: { reason: "max_turns_exhausted" },
    });
    expect(model.requests).toHaveLength(2);
    await world.servers.allEnded();
  });
});

test.concurrent("3: servers that do not start, all of them named, each with its reason and its last lines", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve([]);
  const locked = await serveStatus(401);
  world.onEnd(locked.close);
  world.write(
    FILE,
    oneTarget(model, {
      mcp_servers: {
        missing: { command: "toolcontract-no-such-command" },
        brief: {
          command: process.execPath,
          args: ["-e", "console.error('no licence\\nbye'); process.exit(9)"],
        },
        closed: { url: await closedUrl() },
        locked: { url: locked.url, headers: { Authorization: "Bearer ${TOKEN}" } },
        well: world.servers.config({ name: "well", tools: ["echo"] }),
      },
    }),
  );
  const env = { TOKEN: "token-of-ana-7731" };
  const ended = await world.run([...JSON_OUTPUT, "Do it"], { env });
  expect(ended).toMatchObject({ exitCode: 3, stderr: "" });
  expect(locked.headers[0]?.authorization).toBe("Bearer token-of-ana-7731");
  expect(resultOf(ended).error?.split("\n")).toEqual([
    'MCP server "missing" did not start: command "toolcontract-no-such-command" was not found.',
    'MCP server "brief" did not start: it exited with code 9. Its last lines:',
    "  no licence",
    "  bye",
    'MCP server "closed" did not start: connection refused.',
    'MCP server "locked" did not start: HTTP 401 Unauthorized.',
  ]);
  expect(model.requests).toEqual([]);
  await world.servers.allEnded();
});

const TARGET = {
  providers: { pa: { type: "openai-compatible", base_url: "http://127.0.0.1:1/v1" } },
  targets: [{ provider: "pa", model: "m" }],
};
const SERVER = { url: "http://127.0.0.1:1/mcp" };

/** What is wrong before anything starts. */
interface WrongCase {
  readonly name: string;
  readonly args?: readonly string[];
  readonly config?: string | object;
  /** For paths that are relative to the working directory of a process. */
  readonly isProcess?: true;
  /** What the error says. */
  readonly error: readonly string[];
}

const WRONG: readonly WrongCase[] = [
  {
    name: "an unknown option",
    args: ["--confg", "agent.yml", "Do it"],
    error: ["There is no option --confg. Did you mean --config?"],
  },
  { name: "no prompt", args: [], config: TARGET, error: ["There is no prompt"] },
  {
    name: "no target",
    config: {},
    error: ["No model is configured", "--provider scripted"],
  },
  {
    name: "a variable that is not set anywhere",
    config: { ...TARGET, providers: { pa: { ...TARGET.providers.pa, api_key: "${NO_KEY}" } } },
    error: ["/providers/pa/api_key (missing-variable)", "NO_KEY", "cwd layer"],
  },
  {
    name: "a variable of a header that is not set anywhere",
    config: { ...TARGET, mcp_servers: { web: { ...SERVER, headers: { A: "${NO_TOKEN}" } } } },
    error: ["/mcp_servers/web/headers/A (missing-variable)", "NO_TOKEN", "cwd layer"],
  },
  {
    name: "a fault in the front matter of a prompt",
    args: ["ask.md"],
    config: TARGET,
    error: ["ask.md:3:14 /session/max_turns", "Invalid configuration (1 error)"],
  },
  {
    name: "a queue that is not defined",
    config: { ...TARGET, mcp_servers: { web: { ...SERVER, queue: "fast" } } },
    error: [".agent/config.yml:1:", "/mcp_servers/web/queue", 'There is no queue "fast"'],
  },
  {
    name: "an accounting file that cannot be written",
    args: ["--accounting", "nowhere/a.jsonl", "Do it"],
    isProcess: true,
    config: TARGET,
    error: ["--accounting nowhere/a.jsonl cannot be written (ENOENT)."],
  },
  {
    name: "an invalid script",
    args: ["--script", "../script.json", "Do it"],
    isProcess: true,
    error: ["The script ../script.json is invalid:", "• /0/calls/0"],
  },
];

describe("4, before anything starts", () => {
  test.concurrent.for(WRONG)(
    "$name",
    async ({ args = ["Do it"], config, isProcess, error }, context) => {
      const world = await createWorld(context);
      world.write("script.json", [{ calls: [{ arguments: {} }] }]);
      world.write("project/ask.md", "---\nsession:\n  max_turns: none\n---\nDo it\n");
      if (config !== undefined) world.write(FILE, config);
      const run = isProcess ? world.runProcess : world.run;
      const ended = await run([...JSON_OUTPUT, ...args]);
      expect(ended).toMatchObject({ exitCode: 4, stderr: "" });
      const result = resultOf(ended);
      for (const part of error) expect(result.error).toContain(part);
    },
  );

  test.concurrent("a configuration with ten faults: all of them, each with its line", async (context) => {
    const world = await createWorld(context);
    world.write(FILE, TEN_FAULTS);
    const { exitCode, stdout, stderr } = await world.run(["Do it"]);
    expect([exitCode, stdout]).toEqual([4, ""]);
    const bullets = [...stderr.matchAll(/^• (\S+?):(\d+):\d+ (\S+) /gmu)];
    expect(stderr).toContain("Invalid configuration (10 errors)");
    expect(bullets.map(([, file, line, path]) => `${file}:${line} ${path}`)).toEqual([
      ".agent/config.yml:2 /session/max_turns",
      ".agent/config.yml:3 /session/max_retrys",
      ".agent/config.yml:4 /session/transport",
      ".agent/config.yml:6 /providers/main",
      ".agent/config.yml:7 /providers/other/type",
      ".agent/config.yml:9 /targets/0/provider",
      ".agent/config.yml:10 /targets/1/model",
      ".agent/config.yml:12 /mcp_servers/files/queue",
      ".agent/config.yml:13 /mcp_servers/web",
      ".agent/config.yml:14 /queues/default/concurrent",
    ]);
  });
});

const TEN_FAULTS = `session:
  max_turns: 0
  max_retrys: 3
  transport: pigeon
providers:
  main: { type: openai-compatible }
  other: { type: ollama }
targets:
  - { provider: mian, model: small }
  - { provider: main }
mcp_servers:
  files: { command: npx, queue: fast }
  web: { tool_timeout: 5 }
queues: { default: { concurrent: 0 } }
`;

test.concurrent("5: a tool's schema of which nothing can be used", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve([]);
  const broken = world.servers.config({ name: "a", tools: ["echo", "broken"] });
  world.write(FILE, oneTarget(model, { mcp_servers: { a: broken } }));
  const ended = await world.run([...JSON_OUTPUT, "Do it"]);
  expect(ended.exitCode).toBe(5);
  expect(resultOf(ended).error).toBe(
    'MCP server "a": nothing of the schema of tool "broken" can be used.',
  );
  expect(model.requests).toEqual([]);
  await world.servers.allEnded();
});
