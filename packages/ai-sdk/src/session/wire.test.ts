import { serveWire, type WireReply, type WireScript, type WireServer } from "@toolcontract/wire";
import type { SessionLimits } from "@toolcontract/session";
import { xml } from "@toolcontract/session/xml";
import { tool } from "ai";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { describeVersions } from "../testing/every-sdk.ts";
import { importProviders } from "../testing/providers.ts";
import type { Sdk } from "../testing/sdk.ts";
import type { AgentSession, SessionResult } from "./index.ts";

const tools = {
  read: tool({
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => `notes of ${path}`,
  }),
};

const READ: WireReply = { calls: [{ id: "c1", name: "read", input: '{"path":"a"}' }], delta: 4 };
const REPORT: WireReply = {
  calls: [
    { id: "r1", name: "agent__final_report", input: '{"format":"markdown","content":"# A"}' },
  ],
  usage: { input: 1_000, output: 50, cached: 800 },
};
const BUSY: WireReply = { status: 429, message: "slow down", headers: { "retry-after": "7" } };

// Dollars for a million tokens: input 3, read from a cache 0.30, written for five minutes 3.75 and for an hour 6, output 15.
const WRITTEN = { input: 1_800, output: 100, cached: 300, written: { minutes: 600, hour: 400 } };
const WRITTEN_USD = (500 * 3 + 300 * 0.3 + 600 * 3.75 + 400 * 6 + 100 * 15) / 1_000_000;

const servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => server.close()));
});

const MODES = ["generateText", "streamText"] as const;

/** Runs a session on OpenAI and then Anthropic, both played by one server. */
async function play(
  { version, ai, session: { agentSession } }: Sdk,
  mode: (typeof MODES)[number],
  script: WireScript,
  options: SessionLimits = {},
): Promise<{
  readonly result: SessionResult<unknown>;
  readonly server: WireServer;
  readonly waits: readonly number[];
}> {
  const server = await serveWire(script);
  servers.push(server);
  const { createAnthropic, createOpenAI } = await importProviders(version);
  const openai = createOpenAI({ baseURL: server.openaiUrl, apiKey: "none" });
  const anthropic = createAnthropic({ baseURL: `${server.anthropicUrl}/v1`, apiKey: "none" });
  const waits: number[] = [];
  const session: AgentSession<typeof tools> = agentSession({
    targets: [{ model: openai.chat("gpt-4o") }, { model: anthropic("claude-sonnet-4-5") }],
    tools,
    sleep: async (milliseconds) => void waits.push(milliseconds),
    ...options,
  });
  const prompt = "What is in my notes?";
  const result =
    mode === "generateText"
      ? await session.run(async (given) => ai.generateText({ ...given, prompt }))
      : await session.run((given) => ai.streamText({ ...given, prompt, onError: () => undefined }));
  return { result, server, waits };
}

describeVersions((sdk) => {
  test.each(MODES)("the wires of both providers, with a rate limit: %s", async (mode) => {
    const script = [BUSY, READ, { status: 500, message: "out of order" }, REPORT];
    const { result, server, waits } = await play(sdk, mode, script, { clock: () => 0 });
    expect(result).toMatchObject({ success: true, finalReport: { content: "# A" } });
    expect(server.requests.map(({ api }) => api)).toEqual([
      "openai",
      "anthropic",
      // OpenAI still wants to be left alone, until its turn comes.
      "anthropic",
      "openai",
    ]);
    expect(waits).toEqual([7_000]);
    expect(result.accounting).toMatchObject([
      { type: "llm", model: "gpt-4o", status: "failed", tokens: { totalTokens: 0 } },
      { type: "llm", model: "claude-sonnet-4-5", status: "ok" },
      { type: "tool", command: "read", status: "ok" },
      { type: "llm", model: "claude-sonnet-4-5", status: "failed" },
      {
        type: "llm",
        model: "gpt-4o",
        status: "ok",
        tokens: { inputTokens: 1_000, outputTokens: 50, cachedTokens: 800, totalTokens: 1_050 },
        // 200 tokens at 2.50, 800 at 1.25, 50 at 10 dollars for a million.
        costUsd: expect.closeTo(0.002, 10),
      },
      { type: "tool", command: "agent__final_report", status: "ok" },
    ]);
  });

  test.each(MODES)("what is written to a cache has its own price: %s", async (mode) => {
    const script = [BUSY, { ...REPORT, usage: WRITTEN }];
    const { result } = await play(sdk, mode, script, { clock: () => 0 });
    expect(result.accounting).toMatchObject([
      { model: "gpt-4o", status: "failed" },
      { model: "claude-sonnet-4-5", costUsd: expect.closeTo(WRITTEN_USD, 10) },
      { type: "tool" },
    ]);
  });

  test.each(MODES)("a refused key ends the run at once: %s", async (mode) => {
    const { result, server } = await play(sdk, mode, [{ status: 401, message: "no such key" }]);
    expect(server.requests).toHaveLength(1);
    expect(result).toMatchObject({ success: false, error: expect.stringContaining("no such key") });
    expect(result.finalReport).toBeUndefined();
  });

  test.each(MODES)("a connection that breaks before the answer: %s", async (mode) => {
    const { result, server } = await play(sdk, mode, [{ text: "Par", cutAfter: 0 }, REPORT]);
    expect(server.requests.map(({ api }) => api)).toEqual(["openai", "anthropic"]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "# A" } });
  });

  test.each(MODES)(
    "a connection that breaks within the answer is not a report: %s",
    async (mode) => {
      const cut: WireReply = { text: "The capital is Paris", delta: 3, cutAfter: 4 };
      const { result } = await play(sdk, mode, [cut, cut, cut, cut]);
      expect(result.success).toBe(false);
      expect(result.finalReport?.status).toBe("failure");
      expect(result.accounting.map(({ status }) => status)).not.toContain("ok");
    },
  );

  test.each(MODES)("the last turn offers the report alone: %s", async (mode) => {
    const { server, result } = await play(sdk, mode, [READ, REPORT], { maxTurns: 2 });
    const [, last] = server.requests;
    expect(last?.body["tools"]).toMatchObject([{ function: { name: "agent__final_report" } }]);
    expect(result.success).toBe(true);
  });

  test.each(MODES)("calls and the report in tags, on both wires: %s", async (mode) => {
    const answers: readonly ((nonce: string) => WireReply)[] = [
      (nonce) => ({
        text: `I look. <ai-agent-${nonce}-0001 tool="read">{"path":"a"}</ai-agent-${nonce}-0001>`,
        delta: 3,
      }),
      () => ({ status: 500, message: "out of order" }),
      (nonce) => ({
        text: `<ai-agent-${nonce}-FINAL tool="agent__final_report" format="markdown"># A`,
        delta: 3,
      }),
    ];
    const script: WireScript = ({ body }, index) => {
      const [, nonce = ""] = /<ai-agent-([0-9a-f]{8})-/.exec(JSON.stringify(body)) ?? [];
      return answers[index]?.(nonce) ?? { text: "end of the script" };
    };
    const { result, server } = await play(sdk, mode, script, { transport: xml });
    expect(result).toMatchObject({ success: true, finalReport: { content: "# A" } });
    const [first, , last] = server.requests;
    expect(last?.api).toBe("anthropic");
    for (const { body } of server.requests) {
      expect(body["tools"]).toBeUndefined();
      expect(body["tool_choice"]).toBeUndefined();
    }
    expect(rolesOf(first?.body)).toEqual(["user", "user"]);
    // This provider's messages alternate.
    expect(rolesOf(last?.body)).toEqual(["user", "assistant", "user"]);
    expect(JSON.stringify(last?.body)).toContain("notes of a");
    expect(result.accounting).toMatchObject([
      { type: "llm", model: "gpt-4o", status: "ok" },
      { command: "read", status: "ok", source: "xml" },
      { type: "llm", model: "gpt-4o", status: "failed" },
      { type: "llm", model: "claude-sonnet-4-5", status: "ok" },
      { command: "agent__final_report_xml", status: "ok", source: "xml" },
    ]);
  });
});

function rolesOf(body: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const messages = (body?.["messages"] ?? []) as readonly { readonly role: string }[];
  return messages.map(({ role }) => role);
}
