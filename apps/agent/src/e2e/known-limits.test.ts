import { readFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { calls, oneTarget, report } from "../testing/turns.ts";
import { createWorld } from "../testing/world.ts";

const FILE = "project/.agent/config.yml";
const OWN = { pa: { type: "openai-compatible", base_url: "", api_key: "k12345678" } };

test.each([[[]], [["--dry-run"]]])(
  "dollars that nobody can count are an error before the first request: %j",
  async (flags) => {
    const world = await createWorld({ onTestFinished });
    const model = await world.serve([report("# Done")]);
    const providers = { pa: { ...OWN.pa, base_url: model.openaiUrl } };
    world.write(FILE, {
      session: { max_cost: 0.02 },
      providers,
      targets: [{ provider: "pa", model: "house-model-v3" }],
    });
    const ended = await world.run([...flags, "Do it"]);
    expect(ended.exitCode).toBe(4);
    expect(ended.stderr).toContain("the price of pa/house-model-v3 is unknown");
    expect(model.requests).toHaveLength(0);
  },
);

test.concurrent("a target with a price of its own has its limit in dollars", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve([{ ...report("# Done"), usage: { input: 1_000, output: 100 } }]);
  world.write(FILE, {
    session: { max_cost: 5 },
    providers: { pa: { ...OWN.pa, type: "openai", base_url: model.openaiUrl } },
    targets: [{ provider: "pa", model: "house-model-v3", price: { input: 2, output: 10 } }],
  });
  const ended = await world.run(["--output", "json", "Do it"]);
  expect(ended.exitCode).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ accounting: [{ costUsd: 0.003 }, {}] });
});

test.concurrent("a wait that is too long is said, with the option", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve(() => ({
    status: 429,
    message: "busy",
    headers: { "retry-after": "1800" },
  }));
  world.write(FILE, oneTarget(model));
  const ended = await world.run(["Do it"]);
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr).toContain(
    "it asks for 1800 s, more than max_rate_limit_wait; no attempt is left",
  );
});

test.concurrent("a body that ends in the middle is not an answer", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve(() => ({ text: "Before you start, ", endAfter: 2 }));
  world.write(FILE, oneTarget(model, { session: { max_retries: 2 } }));
  const ended = await world.run(["Do it"]);
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr).toMatch(/m: .*(?:ended|interrupted)/iu);
});

test.concurrent("a refused call has a line, with what was wrong, in each output", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve([
    calls(["echo", {}]),
    calls(["echo", { text: "a" }]),
    report("# Done"),
  ]);
  const echo = world.servers.config({ name: "a", tools: ["echo"] });
  world.write(FILE, oneTarget(model, { mcp_servers: { a: echo } }));
  const trace = `${world.folder}/trace.jsonl`;
  const ended = await world.run(["--verbose", "--output", "jsonl", "--trace", trace, "Do it"]);
  expect(ended.exitCode).toBe(0);
  expect(ended.stderr).toContain(
    "echo refused (attempt 1 of 3): /text required field missing (VAL-001)",
  );
  const refused = {
    type: "call-refused",
    tool: "echo",
    attempt: 1,
    maxAttempts: 3,
    errors: [{ path: "/text", code: "VAL-001" }],
  };
  for (const lines of [ended.stdout, readFileSync(trace, "utf8")]) {
    const events = lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(events.filter(({ type }) => type === "call-refused")).toMatchObject([refused]);
  }
  await world.servers.allEnded();
});

test.concurrent("a process that is killed has lost no line of its accounting", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve([
    calls(["echo", { text: "a" }]),
    calls(["echo", { text: "b" }]),
    "never",
  ]);
  const echo = world.servers.config({ name: "a", tools: ["echo"] });
  world.write(FILE, oneTarget(model, { mcp_servers: { a: echo } }));
  const file = `${world.folder}/entries.jsonl`;
  const running = world.start(["--accounting", file, "Do it"]);
  await vi.waitUntil(() => model.requests.length === 3, { timeout: 60_000, interval: 50 });
  running.child.kill("SIGKILL");
  await running.ended;
  const types = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types).toEqual(["llm", "tool", "llm", "tool"]);
});
