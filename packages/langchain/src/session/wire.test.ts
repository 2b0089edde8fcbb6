import { ChatAnthropic } from "@langchain/anthropic";
import { ChatOpenAI } from "@langchain/openai";
import { serveWire, type WireScript, type WireServer } from "@toolcontract/wire";
import { createAgent, HumanMessage, tool } from "langchain";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { type AgentSessionOptions, agentSession } from "./index.ts";

const servers: WireServer[] = [];
async function serve(script: WireScript): Promise<WireServer> {
  const server = await serveWire(script);
  servers.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => server.close()));
});

// Both classes retry by themselves, six times unless told otherwise.
const openai = (server: WireServer) =>
  new ChatOpenAI({
    model: "gpt-5",
    apiKey: "k",
    configuration: { baseURL: server.openaiUrl },
  });
const anthropic = (server: WireServer) =>
  new ChatAnthropic({
    model: "claude-opus-4-5",
    apiKey: "k",
    // The class of OpenAI would fetch a tokenizer from the network for it.
    streaming: true,
    anthropicApiUrl: server.anthropicUrl,
  });

const read = tool(({ path }) => `read ${path}`, {
  name: "read",
  description: "Reads a file.",
  schema: z.object({ path: z.string() }),
});

async function run(targets: AgentSessionOptions["targets"], options: object = {}) {
  const waits: number[] = [];
  const session = agentSession({
    targets,
    maxTurns: 4,
    sleep: async (milliseconds: number) => void waits.push(milliseconds),
    ...options,
  });
  const [{ model }] = targets;
  const agent = createAgent({ model, tools: [read], middleware: [session.middleware] });
  const result = await session.run(agent, { messages: [new HumanMessage("What is in a?")] });
  return { result, waits };
}

const CALL = { id: "call_1", name: "read", input: '{"path":"a"}' };
const REPORT = {
  id: "call_2",
  name: "agent__final_report",
  input: '{"format":"markdown","content":"Notes."}',
};

test("a report through both wires", async () => {
  for (const target of [openai, anthropic]) {
    const server = await serve([
      { calls: [CALL], usage: { input: 1_000, output: 20, cached: 800 } },
      { calls: [REPORT], usage: { input: 1_100, output: 30 } },
    ]);
    const { result } = await run([{ model: target(server) }]);
    expect(result.error).toBeUndefined();
    expect(result).toMatchObject({ success: true, finalReport: { content: "Notes." } });
    expect(server.requests).toHaveLength(2);
    expect(result.accounting).toMatchObject([
      {
        provider: target === openai ? "openai" : "anthropic",
        model: target === openai ? "gpt-5" : "claude-opus-4-5",
        tokens: { inputTokens: 1_000, outputTokens: 20, cachedTokens: 800 },
      },
      { command: "read", status: "ok" },
      { tokens: { inputTokens: 1_100, outputTokens: 30 } },
      { command: "agent__final_report" },
    ]);
  }
});

test("rate limits, broken answers and errors go round the targets, one request for each attempt", async () => {
  const a = await serve([
    { status: 429, message: "slow down", headers: { "retry-after": "7" } },
    { status: 500, message: "out of order" },
    { calls: [REPORT] },
  ]);
  const b = await serve([
    { text: "half of", cutAfter: 1 },
    { status: 529, message: "busy" },
  ]);
  const { result, waits } = await run([{ model: openai(a) }, { model: anthropic(b) }], {
    maxRetries: 5,
  });
  expect(result).toMatchObject({ success: true, finalReport: { content: "Notes." } });
  expect([a.requests.length, b.requests.length]).toEqual([3, 2]);
  expect(waits[0]).toBe(7_000);
  expect(
    result.accounting.map((entry) => entry.type === "llm" && [entry.provider, entry.status]),
  ).toEqual([
    ["openai", "failed"],
    ["anthropic", "failed"],
    ["openai", "failed"],
    ["anthropic", "failed"],
    ["openai", "ok"],
    false,
  ]);
});

test.each([
  ["a wrong key", { status: 401, message: "no such key" }],
  ["a spent budget", { status: 429, message: "no budget", code: "insufficient_quota" }],
])("%s ends the run after one request", async (_, error) => {
  const a = await serve([error]);
  const b = await serve([{ text: "never" }]);
  const { result } = await run([{ model: openai(a) }, { model: anthropic(b) }]);
  expect(result.success).toBe(false);
  expect(result.error).toContain(error.message);
  expect(result.finalReport).toBeUndefined();
  expect([a.requests.length, b.requests.length]).toEqual([1, 0]);
});

test("the last turn offers the report alone on both wires", async () => {
  for (const target of [openai, anthropic]) {
    const server = await serve(() => ({ calls: [CALL] }));
    const { result } = await run([{ model: target(server) }], { maxTurns: 2 });
    expect(server.requests).toHaveLength(2);
    const names = JSON.stringify(server.requests[1]?.body["tools"]);
    expect(names).toContain("agent__final_report");
    expect(names).not.toContain("Reads a file.");
    expect(result).toMatchObject({ finalReport: { metadata: { reason: "max_turns_exhausted" } } });
  }
});
