import { ChatAnthropic } from "@langchain/anthropic";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import type { SessionLimits } from "@toolcontract/session";
import { serveWire, type WireReply, type WireScript, type WireServer } from "@toolcontract/wire";
import { createAgent } from "langchain";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { agentSession } from "./index.ts";

const read = tool(({ path }) => `notes of ${path}`, {
  name: "read",
  description: "Reads a file",
  schema: z.object({ path: z.string() }),
});

const READ: WireReply = { calls: [{ id: "c1", name: "read", input: '{"path":"a"}' }], delta: 4 };
const REPORT: WireReply = {
  calls: [
    { id: "r1", name: "agent__final_report", input: '{"format":"markdown","content":"# A"}' },
  ],
  usage: { input: 1_000, output: 50, cached: 800 },
};
const BUSY: WireReply = { status: 429, message: "slow down", headers: { "retry-after": "7" } };
const DOWN: WireReply = { status: 500, message: "out of order" };

// Dollars for a million tokens: input 3, read from a cache 0.30, written for five minutes 3.75 and for an hour 6, output 15.
const WRITTEN = { input: 1_800, output: 100, cached: 300, written: { minutes: 600, hour: 400 } };
const WRITTEN_USD = (500 * 3 + 300 * 0.3 + 600 * 3.75 + 400 * 6 + 100 * 15) / 1_000_000;
// Input 2.50, heard 32, output 10, spoken 64.
const SPOKEN = { input: 1_000, output: 100, audio: { heard: 400, spoken: 50 } };
const SPOKEN_USD = (600 * 2.5 + 400 * 32 + 50 * 10 + 50 * 64) / 1_000_000;

const servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => server.close()));
});

describe.each([
  ["whole answers", false],
  ["streams", true],
])("on the wires of both providers, in %s", (_, streaming) => {
  /** Runs a session on OpenAI and then Anthropic, both played by one server. */
  async function play(
    script: WireScript,
    limits: SessionLimits = {},
    model = "gpt-4o",
  ): Promise<{
    readonly result: Awaited<ReturnType<ReturnType<typeof agentSession>["run"]>>;
    readonly server: WireServer;
    readonly waits: readonly number[];
  }> {
    const server = await serveWire(script);
    servers.push(server);
    const common = { apiKey: "none", streaming };
    const openai = new ChatOpenAI({
      ...common,
      model,
      configuration: { baseURL: server.openaiUrl },
    });
    const anthropic = new ChatAnthropic({
      ...common,
      model: "claude-sonnet-4-5",
      anthropicApiUrl: server.anthropicUrl,
    });
    const waits: number[] = [];
    const session = agentSession({
      targets: [{ model: openai }, { model: anthropic }],
      sleep: async (milliseconds) => void waits.push(milliseconds),
      ...limits,
    });
    const agent = createAgent({ model: openai, tools: [read], middleware: [session.middleware] });
    const messages = [{ role: "user" as const, content: "What is in my notes?" }];
    return { result: await session.run(agent, { messages }), server, waits };
  }

  test("what is written to a cache and what is spoken have their own prices", async () => {
    const script = [BUSY, { ...REPORT, usage: WRITTEN }];
    // With `streaming`, ChatOpenAI counts by itself, and hears nothing.
    const spoken = streaming ? [] : [{ ...READ, usage: SPOKEN }];
    const { result } = await play([...spoken, ...script], { clock: () => 0 }, "gpt-audio");
    const priced = result.accounting.filter(
      ({ type, status }) => type === "llm" && status === "ok",
    );
    expect(priced).toMatchObject([
      ...spoken.map(() => ({ model: "gpt-audio", costUsd: expect.closeTo(SPOKEN_USD, 10) })),
      { model: "claude-sonnet-4-5", costUsd: expect.closeTo(WRITTEN_USD, 10) },
    ]);
  });

  test("a rate limit, an error and a report", async () => {
    // With `streaming`, ChatOpenAI itself counts the tokens of an answer, with a table from the network, so it has none.
    const script = [BUSY, READ, DOWN, DOWN, REPORT];
    const { result, server, waits } = await play(script, { clock: () => 0 });
    expect(server.requests.map(({ api }) => api)).toEqual([
      "openai",
      "anthropic",
      // OpenAI still wants to be left alone, until its turn comes.
      "anthropic",
      "openai",
      "anthropic",
    ]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "# A" } });
    expect(waits).toEqual([7_000]);
    expect(result.accounting).toMatchObject([
      { type: "llm", model: "gpt-4o", status: "failed", tokens: { totalTokens: 0 } },
      { type: "llm", model: "claude-sonnet-4-5", status: "ok" },
      { type: "tool", command: "read", status: "ok" },
      { type: "llm", model: "claude-sonnet-4-5", status: "failed" },
      { type: "llm", model: "gpt-4o", status: "failed" },
      {
        type: "llm",
        model: "claude-sonnet-4-5",
        status: "ok",
        tokens: { inputTokens: 1_000, outputTokens: 50, cachedTokens: 800, totalTokens: 1_050 },
        // 200 tokens at 3, 800 at 0.30, 50 at 15 dollars for a million.
        costUsd: expect.closeTo(0.001_59, 10),
      },
      { type: "tool", command: "agent__final_report", status: "ok" },
    ]);
  });

  test("a refused key ends the run at once", async () => {
    const { result, server } = await play([{ status: 401, message: "no such key" }]);
    expect(server.requests).toHaveLength(1);
    expect(result).toMatchObject({ success: false, error: expect.stringContaining("no such key") });
    expect(result.finalReport).toBeUndefined();
  });

  test("a connection that breaks before the answer", async () => {
    const { result, server } = await play([{ text: "Par", cutAfter: 0 }, REPORT]);
    expect(server.requests.map(({ api }) => api)).toEqual(["openai", "anthropic"]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "# A" } });
  });

  test("a connection that breaks within the answer is not a report", async () => {
    const cut: WireReply = { text: "The capital is Paris", delta: 3, cutAfter: streaming ? 4 : 1 };
    const { result } = await play(() => cut);
    expect(result.success).toBe(false);
    expect(result.finalReport?.status).toBe("failure");
    expect(result.accounting.map(({ status }) => status)).not.toContain("ok");
  });

  test("the last turn offers the report alone", async () => {
    const { server, result } = await play([DOWN, READ, DOWN, REPORT], { maxTurns: 2 });
    expect(server.requests.at(-1)?.body["tools"]).toMatchObject([{ name: "agent__final_report" }]);
    expect(result.success).toBe(true);
  });
});
