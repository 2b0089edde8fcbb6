import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { resultOf, toolTexts } from "../testing/result-of.ts";
import { calls, oneTarget, report } from "../testing/turns.ts";
import { createWorld } from "../testing/world.ts";

const FILE = "project/.agent/config.yml";

test.concurrent("a report in JSON is all that a pipe reads, and the accounting file gets the entries of each run", async (context) => {
  const world = await createWorld(context);
  const sum = { total: 3, parts: [1, 2] };
  const answer = calls(["agent__final_report", { format: "json", content_json: sum }]);
  const model = await world.serve([answer, calls(["echo", { text: "a" }]), answer]);
  world.write(
    FILE,
    oneTarget(model, {
      session: { expected_output_format: "json" },
      mcp_servers: { a: world.servers.config({ name: "a", tools: ["echo"] }) },
    }),
  );
  const entriesFile = `${world.folder}/project/entries.jsonl`;
  const piped = await world.run(["--accounting", entriesFile, "Do it"]);
  expect(piped).toMatchObject({ exitCode: 0, stderr: "" });
  expect(piped.stdout).toBe(`${JSON.stringify(sum, null, 2)}\n`);

  const { accounting } = resultOf(
    await world.run(["--output", "json", "--accounting", entriesFile, "Do it"]),
  );
  const file = readFileSync(entriesFile, "utf8");
  const entries = file
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(entries).toHaveLength(2 + accounting.length);
  expect(entries.slice(2)).toEqual(accounting);
});

test.concurrent("a run that failed prints its synthetic report, and the reason on stderr, without the key of the environment", async (context) => {
  const world = await createWorld(context);
  const key = "gateway-key-of-ana-7731";
  const model = await world.serve(() => ({ status: 500, message: `down for ${key}` }));
  world.write(FILE, {
    session: { max_retries: 1 },
    providers: { pa: { type: "openai", base_url: model.openaiUrl } },
    targets: [{ provider: "pa", model: "m" }],
  });
  expect(await world.runProcess(["Do it"], { env: { OPENAI_API_KEY: key } })).toEqual({
    exitCode: 1,
    stdout:
      "The run ended without a final report: all attempts of a turn failed. down for [redacted]\n",
    stderr:
      "toolcontract-agent: m: 500 down for [redacted]; no attempt is left\ntoolcontract-agent: down for [redacted]\n",
  });
  expect(model.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${key}`]);
});

test.concurrent("--dry-run starts the servers and lists what a run would use, and asks no model", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve([]);
  const { servers } = world;
  world.write(
    FILE,
    oneTarget(model, {
      mcp_servers: {
        a: servers.config({ name: "a", tools: ["echo", "hang"] }),
        b: servers.config({ name: "b", tools: ["echo"] }),
      },
      queues: { slow: { concurrent: 2 } },
    }),
  );
  const { child, ended } = world.start(["--dry-run"]);
  expect(await ended).toEqual({
    exitCode: 0,
    stdout: [
      "Configuration:",
      `  ${world.folder}/${FILE}`,
      "Targets:",
      "  pa/m: no key",
      "MCP servers:",
      "  a: 2 tools",
      "  b: 1 tool",
      "Limits:",
      "  max_turns: 20 (default)",
      "  max_retries: 3 (default)",
      '  request_timeout: {"firstToken":300000,"silence":300000,"total":600000} (default)',
      "  tool_timeout: 60000 (default)",
      "  tool_response_max_bytes: 65536 (default)",
      "  expected_output_format: markdown (default)",
      "  plain_text: nudge (default)",
      "  report_as: call (default)",
      "  unverified: ask (default)",
      "  transport: native (default)",
      "  rate_limit_wait: same-target (default)",
      "  max_rate_limit_wait: 60000 (default)",
      "  context_window of m: none (unknown)",
      "Queues:",
      "  slow: 2 at once",
      "",
    ].join("\n"),
    stderr: "",
  });
  child.stdin?.end();
  expect(model.requests).toEqual([]);
  await servers.allEnded();
});

test.concurrent("--provider scripted plays the recording of the package, without a configuration, and leaves nothing behind", async (context) => {
  const world = await createWorld(context);
  const ended = await world.runProcess(["--provider", "scripted", "--output", "json", "Sum it up"]);
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  const result = resultOf(ended);
  const { finalReport, conversation } = result;
  expect(finalReport?.content).toContain("# The week in short");
  expect(conversation[0]).toEqual({ role: "user", content: "Sum it up" });
  // The recorded model's mistake, and the contract's answer.
  expect(toolTexts(result)[1]).toContain("Required field 'paths' is missing");
  expect(world.temporary()).toEqual([]);
});

test.concurrent("--script plays a script of the user's own, with the servers of the configuration", async (context) => {
  const world = await createWorld(context);
  const { servers } = world;
  world.write("project/.agent/config.yml", {
    mcp_servers: { a: servers.config({ name: "a", tools: ["echo"] }) },
  });
  const script = world.write("project/script.json", [
    { error: { status: 429, message: "slow down", retryAfter: 0 } },
    {
      calls: [{ name: "echo", arguments: { text: "hi" } }],
      usage: { inputTokens: 5, outputTokens: 1 },
    },
    { text: "Echoed.", usage: { inputTokens: 9, outputTokens: 1 } },
    { text: "Echoed, and done.", usage: { inputTokens: 9, outputTokens: 1 } },
  ]);
  expect(await world.run(["--script", script, "Do it"])).toEqual({
    exitCode: 0,
    stdout: "Echoed, and done.\n",
    stderr: [
      "toolcontract-agent: script: 429 slow down; trying again (2 of 3)",
      "toolcontract-agent: script: the answer is plain text while tools are offered; trying again (2 of 3)",
      "toolcontract-agent: the model called no tool and no report: its text was taken for the report",
      "",
    ].join("\n"),
  });
  expect(servers.eventsOf("a")).toContain("initialize");
  await servers.allEnded();
});

test.concurrent("a reader that leaves early, as head does, does not stop the run, and no server is left", async (context) => {
  const world = await createWorld(context);
  const { servers } = world;
  const model = await world.serve([calls(["echo", { text: "a" }]), report("Nobody reads it")]);
  // There is a warning to write, too.
  const a = servers.config({ name: "a", tools: ["echo", "odd"] });
  world.write(FILE, oneTarget(model, { mcp_servers: { a } }));
  const { child, ended } = world.start(["--accounting", "entries.jsonl", "Do it"]);
  child.stdin?.end();
  child.stdout?.destroy();
  child.stderr?.destroy();
  expect((await ended).exitCode).toBe(0);
  const entries = readFileSync(`${world.folder}/project/entries.jsonl`, "utf8");
  expect(entries.split("\n")).toHaveLength(5);
  await servers.allEnded();
});
