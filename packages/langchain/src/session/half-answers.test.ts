import { ChatAnthropic } from "@langchain/anthropic";
import { ChatOpenAI } from "@langchain/openai";
import { serveWire, type WireReply, type WireServer } from "@toolcontract/wire";
import { createAgent } from "langchain";
import { afterEach, describe, expect, test } from "vitest";
import { agentSession } from "./index.ts";

const HALF = "Before you start, ";
const WHOLE: WireReply = { text: "turn it off." };
const CALL = { id: "c1", name: "read", input: '{"path":"a"}' };

const servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => server.close()));
});

const APIS = ["openai", "anthropic"] as const;

/** Runs a session on one provider, whose script repeats its last reply. */
async function play(
  api: (typeof APIS)[number],
  streaming: boolean,
  script: readonly WireReply[],
  maxTurns = 4,
) {
  const server = await serveWire((_, index) => script[Math.min(index, script.length - 1)] ?? WHOLE);
  servers.push(server);
  const common = { apiKey: "none", maxRetries: 0 };
  const model =
    api === "openai"
      ? new ChatOpenAI({ ...common, model: "gpt-4o", configuration: { baseURL: server.openaiUrl } })
      : new ChatAnthropic({
          ...common,
          model: "claude-sonnet-4-5",
          anthropicApiUrl: server.anthropicUrl,
        });
  const said: string[] = [];
  const session = agentSession({
    targets: [{ model }],
    maxTurns,
    // With times for the parts of an answer, LangChain streams inside.
    ...(streaming && { requestTimeout: { firstToken: 60_000 } }),
    sleep: async () => undefined,
    onEvent: (event) => event.type === "not-judged" && said.push(event.what),
  });
  const agent = createAgent({ model, tools: [], middleware: [session.middleware] });
  const messages = [{ role: "user" as const, content: "What first?" }];
  return { result: await session.run(agent, { messages }), requests: server.requests, said };
}

test.each(APIS)(
  "a stream that ends without a reason is an attempt that failed: %s",
  async (api) => {
    const half = { text: HALF, endAfter: api === "openai" ? 2 : 3 };
    const { result, requests } = await play(api, true, [half, WHOLE]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "turn it off." } });
    expect(requests).toHaveLength(2);
    const always = await play(api, true, [half]);
    expect(always.result).toMatchObject({
      success: false,
      error: expect.stringContaining("the stream ended before the answer did") as unknown,
    });
  },
);

test("half a call in a stream that ends is never run, and asked for again", async () => {
  const half = { calls: [CALL], delta: 4, endAfter: 3 };
  const { result } = await play("openai", true, [half, WHOLE]);
  expect(result).toMatchObject({ success: true, finalReport: { content: "turn it off." } });
});

describe.each([
  ["whole answers", false],
  ["streams", true],
])("in %s", (_, streaming) => {
  test.each(["error", "network_error"])("a provider's own failure: %s", async (reason) => {
    const half: WireReply = { text: HALF, finishReason: reason };
    const { result, requests } = await play("openai", streaming, [half, WHOLE]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "turn it off." } });
    expect(requests).toHaveLength(2);
    const always = await play("openai", streaming, [half]);
    expect(always.result).toMatchObject({
      success: false,
      error: expect.stringContaining(`with an error (${reason})`) as unknown,
    });
  });

  test("a paused answer goes on with what was said", async () => {
    const paused: WireReply = { text: HALF, finishReason: "pause_turn" };
    const { result, requests } = await play("anthropic", streaming, [paused, WHOLE]);
    expect(result).toMatchObject({
      success: true,
      finalReport: { content: `${HALF}turn it off.` },
    });
    expect(requests).toHaveLength(2);
    expect(JSON.stringify(requests[1]?.body["messages"])).toContain(HALF.trim());
    expect((await play("anthropic", streaming, [paused], 2)).result.success).toBe(false);
  });

  test("a limit that was spent without a word is said, and asked once", async () => {
    const spent: WireReply = {
      text: "",
      finishReason: "length",
      usage: { input: 50, output: 800 },
    };
    const { result, requests } = await play("openai", streaming, [spent]);
    expect(requests).toHaveLength(1);
    expect(result.error).toMatch(/output limit was spent/);
    expect(JSON.stringify(requests)).not.toContain("plain text responses");
  });

  test("a reason of tomorrow is accepted, and said once", async () => {
    const { result, said } = await play("openai", streaming, [
      { text: "Whole.", finishReason: "halted" },
    ]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "Whole." } });
    // With \`streaming\`, ChatOpenAI itself counts the tokens of an answer, with a table from the network, so it may have none.
    expect(said.filter((what) => what !== "usage")).toEqual(["stop-reason"]);
  });
});
