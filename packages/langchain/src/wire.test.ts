import { ChatAnthropic } from "@langchain/anthropic";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, HumanMessage } from "langchain";
import { describe, expect, test } from "vitest";
import { toolContractMiddleware } from "./index.ts";
import { type FakeBody, fakeFetch } from "./testing/fake-fetch.ts";
import { loadLab } from "./testing/langchain.ts";
import { spied } from "./testing/tools.ts";

const lab = await loadLab("newest");
const SCHEMA = {
  type: "object",
  properties: { to: { type: "string" }, text: { type: "string" } },
  required: ["to"],
};
const CUT = '{"to": "bob@example.com", "text": "sk-sec';
const LOOSE = "{to: 'bob', text: 'hi',}";

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const chat = (message: object, finish_reason = "stop"): FakeBody => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "gpt-4o",
  choices: [{ index: 0, finish_reason, message: { role: "assistant", content: "", ...message } }],
  usage,
});
const chatCall = (args: string): object => ({
  tool_calls: [{ id: "call_1", type: "function", function: { name: "send", arguments: args } }],
});
const responses = (output: readonly object[], more: object = {}): FakeBody => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: "completed",
  model: "gpt-4o",
  output,
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  ...more,
});
const item = (args: string): object => ({
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "send",
  arguments: args,
  status: "completed",
});
const said = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Done.", annotations: [] }],
};

interface Case {
  readonly args: string;
  readonly output_version?: "v1";
}

async function run(model: unknown): Promise<{ readonly runs: readonly unknown[] }> {
  const { tool, runs } = spied(lab, "send", SCHEMA);
  const middleware = [toolContractMiddleware({ logger: () => undefined })];
  const agent = createAgent({ model: model as never, tools: [tool], middleware });
  await agent.invoke({ messages: [new HumanMessage("Write to Bob.")] });
  return { runs };
}

const VERSIONS = [undefined, "v1"] as const;

describe("what providers are sent after a call that could not be parsed", () => {
  test.each(VERSIONS)("OpenAI chat, output version %s: a call and its answer", async (version) => {
    const { fetch, bodies } = fakeFetch([chat(chatCall(CUT)), chat({ content: "Done." })]);
    const { runs } = await run(
      openAI(fetch, { args: CUT, output_version: version } as Case, false),
    );
    expect(bodies[1]?.["messages"]).toMatchObject([
      { role: "user" },
      {
        role: "assistant",
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "send", arguments: "{}" } },
        ],
      },
      {
        role: "tool",
        tool_call_id: "call_1",
        content: expect.stringContaining("VAL-011") as string,
      },
    ]);
    expect(JSON.stringify(bodies[1])).not.toContain("sk-sec");
    expect(runs).toEqual([]);
  });

  test("OpenAI chat: repaired arguments run, and the history shows what ran", async () => {
    const { fetch, bodies } = fakeFetch([chat(chatCall(LOOSE)), chat({ content: "Done." })]);
    const { runs } = await run(openAI(fetch, { args: LOOSE }, false));
    expect(runs).toEqual([{ to: "bob", text: "hi" }]);
    expect(bodies[1]?.["messages"]).toMatchObject([
      { role: "user" },
      { tool_calls: [{ function: { arguments: '{"to":"bob","text":"hi"}' } }] },
      { role: "tool", tool_call_id: "call_1", content: "done" },
    ]);
  });

  test.each(VERSIONS)("OpenAI Responses, output version %s: both items", async (version) => {
    const cut = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    const { fetch, bodies } = fakeFetch([responses([item(CUT)], cut), responses([said])]);
    const { runs } = await run(openAI(fetch, { args: CUT, output_version: version } as Case, true));
    const input = bodies[1]?.["input"] as readonly { readonly type: string }[];
    expect(input.filter(({ type }) => type.startsWith("function_call"))).toMatchObject([
      { type: "function_call", call_id: "call_1", name: "send", arguments: "{}" },
      {
        type: "function_call_output",
        call_id: "call_1",
        output: expect.stringContaining("VAL-011") as string,
      },
    ]);
    expect(JSON.stringify(bodies[1])).not.toContain("sk-sec");
    expect(runs).toEqual([]);
  });

  test.each([true, false])(
    "OpenAI Responses, kept by the provider: %s: a repaired text runs",
    async (kept) => {
      const { fetch, bodies } = fakeFetch([responses([item(LOOSE)]), responses([said])]);
      const { runs } = await run(openAI(fetch, { args: LOOSE }, true, !kept));
      expect(runs).toEqual([{ to: "bob", text: "hi" }]);
      const input = bodies[1]?.["input"] as readonly { readonly type: string }[];
      expect(input.filter(({ type }) => type.startsWith("function_call"))).toMatchObject([
        { type: "function_call", call_id: "call_1", arguments: '{"to":"bob","text":"hi"}' },
        { type: "function_call_output", call_id: "call_1", output: "done" },
      ]);
    },
  );

  test.each(VERSIONS)("Anthropic, output version %s: both blocks", async (version) => {
    const { fetch, bodies } = fakeFetch([anthropic(CUT), anthropicText("Done.")]);
    const model = new ChatAnthropic({
      model: "claude-sonnet-4-5",
      apiKey: "key",
      streaming: true,
      clientOptions: { fetch, maxRetries: 0 },
      ...(version && { outputVersion: version }),
    });
    const { runs } = await run(model);
    expect(runs).toEqual([]);
    expect(bodies[1]?.["messages"]).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "toolu_1",
            content: expect.stringContaining("VAL-011") as string,
          },
        ],
      },
    ]);
    const [, assistant] = (bodies[1] ?? {})["messages"] as readonly {
      readonly content: readonly object[];
    }[];
    expect(assistant?.content.filter((block) => JSON.stringify(block).includes("tool"))).toEqual([
      { type: "tool_use", id: "toolu_1", name: "send", input: {} },
    ]);
    expect(JSON.stringify(bodies[1])).not.toContain("sk-sec");
  });
});

function openAI(
  fetch: typeof globalThis.fetch,
  { output_version }: Case,
  useResponsesApi: boolean,
  zdrEnabled = false,
): ChatOpenAI {
  return new ChatOpenAI({
    model: "gpt-4o",
    apiKey: "key",
    maxRetries: 0,
    useResponsesApi,
    zdrEnabled,
    configuration: { fetch },
    ...(output_version && { outputVersion: output_version }),
  });
}

function stream(blocks: readonly (readonly [string, object])[], stop_reason: string): FakeBody {
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  return [
    ["message_start", { type: "message_start", message }],
    ...blocks,
    [
      "message_delta",
      { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 2 } },
    ],
    ["message_stop", { type: "message_stop" }],
  ];
}

function anthropic(args: string): FakeBody {
  const content_block = { type: "tool_use", id: "toolu_1", name: "send", input: {} };
  const half = Math.floor(args.length / 2);
  const delta = (partial_json: string): readonly [string, object] => [
    "content_block_delta",
    { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json } },
  ];
  return stream(
    [
      ["content_block_start", { type: "content_block_start", index: 0, content_block }],
      delta(args.slice(0, half)),
      delta(args.slice(half)),
      ["content_block_stop", { type: "content_block_stop", index: 0 }],
    ],
    "max_tokens",
  );
}

function anthropicText(text: string): FakeBody {
  const content_block = { type: "text", text: "" };
  return stream(
    [
      ["content_block_start", { type: "content_block_start", index: 0, content_block }],
      [
        "content_block_delta",
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
      ],
      ["content_block_stop", { type: "content_block_stop", index: 0 }],
    ],
    "end_turn",
  );
}
