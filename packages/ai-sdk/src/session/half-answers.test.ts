import { serveWire, type WireReply, type WireServer } from "@toolcontract/wire";
import { tool } from "ai";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { describeVersions } from "../testing/every-sdk.ts";
import { importProviders } from "../testing/providers.ts";

const tools = {
  read: tool({
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => `notes of ${path}`,
  }),
};

const HALF = "Before you start, ";
const WHOLE: WireReply = { text: "turn it off." };
const CALL = { id: "c1", name: "read", input: '{"path":"a"}' };
/** Events of a stream up to its first words, or to the half of a call. */
const BEGUN = { openai: 2, anthropic: 3 } as const;

const servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => server.close()));
});

const MODES = ["generateText", "streamText"] as const;
const APIS = ["openai", "anthropic"] as const;
type Api = (typeof APIS)[number];

describeVersions(({ version, ai, session: { agentSession } }) => {
  /** Runs a session on one provider, whose script repeats its last reply. */
  async function play(
    api: Api,
    mode: (typeof MODES)[number],
    script: readonly WireReply[],
    maxTurns = 4,
  ) {
    const server = await serveWire(
      (_, index) => script[Math.min(index, script.length - 1)] ?? WHOLE,
    );
    servers.push(server);
    const { createAnthropic, createOpenAI } = await importProviders(version);
    const openai = createOpenAI({ baseURL: server.openaiUrl, apiKey: "none" });
    const anthropic = createAnthropic({ baseURL: `${server.anthropicUrl}/v1`, apiKey: "none" });
    const model = api === "openai" ? openai.chat("gpt-4o") : anthropic("claude-sonnet-4-5");
    const said: string[] = [];
    const session = agentSession<typeof tools>({
      targets: [{ model }],
      tools,
      maxTurns,
      sleep: async () => undefined,
      onEvent: (event) => event.type === "not-judged" && said.push(event.what),
    });
    const prompt = "What first?";
    const result =
      mode === "generateText"
        ? await session.run(async (given) => ai.generateText({ ...given, prompt }))
        : await session.run((given) =>
            ai.streamText({ ...given, prompt, onError: () => undefined }),
          );
    return { result, requests: server.requests, said };
  }

  test.each(APIS)("a stream that ends without a reason is never a success: %s", async (api) => {
    const half = { text: HALF, endAfter: BEGUN[api] };
    const { result, requests } = await play(api, "streamText", [half, WHOLE]);
    // Version 7 alone asks again for a stream that was passed on.
    if (version === 7) expect(result.finalReport?.content).toBe("turn it off.");
    else expect(result).toMatchObject({ success: false, error: /stream ended/ });
    expect(requests).toHaveLength(version === 7 ? 2 : 1);
    const always = await play(api, "streamText", [half]);
    expect(always.result).toMatchObject({
      success: false,
      error: expect.stringMatching(/the stream ended before|\(interrupted\)/) as unknown,
    });
  });

  test.each(APIS)("half a call in a stream that ends is asked for again: %s", async (api) => {
    const half = { calls: [CALL], delta: 4, endAfter: api === "openai" ? 3 : 4 };
    const { result } = await play(api, "streamText", [half]);
    expect(result).toMatchObject({ success: false, finalReport: { status: "failure" } });
    expect(result.accounting.filter(({ type }) => type === "tool")).toEqual([]);
  });

  test.each(
    MODES.flatMap((mode) => ["error", "network_error"].map((reason) => [mode, reason] as const)),
  )(
    "an answer that the provider ended with an error is never a success: %s, %s",
    async (mode, reason) => {
      const half: WireReply = { text: HALF, finishReason: reason };
      const { result } = await play("openai", mode, [half]);
      expect(result).toMatchObject({
        success: false,
        error: expect.stringContaining(`with an error (${reason})`) as unknown,
      });
      const then = await play("openai", "generateText", [half, WHOLE]);
      expect(then.result).toMatchObject({
        success: true,
        finalReport: { content: "turn it off." },
      });
      expect(then.requests).toHaveLength(2);
    },
  );

  test.each(MODES)("a paused answer goes on with what was said: %s", async (mode) => {
    const paused: WireReply = { text: HALF, finishReason: "pause_turn" };
    const { result, requests } = await play("anthropic", mode, [paused, WHOLE]);
    expect(result).toMatchObject({
      success: true,
      finalReport: { content: `${HALF}turn it off.` },
    });
    expect(requests).toHaveLength(2);
    expect(JSON.stringify(requests[1]?.body["messages"])).toContain(HALF.trim());
    const always = await play("anthropic", mode, [paused], 2);
    expect(always.result.success).toBe(false);
  });

  test.each(MODES)(
    "a limit that was spent without a word is said, and asked once: %s",
    async (mode) => {
      const spent: WireReply = {
        text: "",
        finishReason: "length",
        usage: { input: 50, output: 800 },
      };
      const { result, requests } = await play("openai", mode, [spent]);
      expect(requests).toHaveLength(1);
      expect(result).toMatchObject({
        success: false,
        error: expect.stringMatching(/output limit was spent.*max_output_tokens/) as unknown,
        accounting: [{ stopReason: "length", status: "failed" }],
      });
      expect(JSON.stringify(requests)).not.toContain("plain text responses");
    },
  );

  test.each(MODES)("a reason of tomorrow is accepted, and said once: %s", async (mode) => {
    const { result, said } = await play("openai", mode, [
      { text: "Whole.", finishReason: "halted" },
    ]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "Whole." } });
    expect(said).toEqual(["stop-reason"]);
  });
});
