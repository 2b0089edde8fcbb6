import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { parseRejection } from "@toolcontract/core";
import { generateText, type LanguageModel, tool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { steps } from "./testing/every-sdk.ts";
import { withContract } from "./with-contract.ts";

const tools = {
  find: tool({
    description: "Finds a record",
    inputSchema: z.object({ id: z.int() }),
    strict: true,
    execute: async () => "found",
  }),
};
const INPUT = { id: "seven" };

type Body = Readonly<Record<string, unknown>>;
type Fetch = typeof globalThis.fetch;

/** Answers every request with the next body, and keeps what was sent. */
function provider(answers: readonly Body[]): { readonly fetch: Fetch; readonly sent: Body[] } {
  const sent: Body[] = [];
  const fetch: Fetch = async (_, init) => {
    const body = answers[sent.length];
    sent.push(JSON.parse(init?.body as string) as Body);
    return Response.json(body);
  };
  return { fetch, sent };
}

async function converse(model: LanguageModel): Promise<void> {
  const guarded = withContract({ tools, logger: () => undefined, stopWhen: steps(2) });
  await generateText({ model, prompt: "Find it", ...guarded });
}

const usage = {
  input_tokens: 1,
  output_tokens: 1,
  prompt_tokens: 1,
  completion_tokens: 1,
  total_tokens: 2,
};
const message = { id: "msg_1", type: "message", role: "assistant", model: "m", usage };
const anthropicAnswers = [
  {
    ...message,
    stop_reason: "tool_use",
    content: [{ type: "tool_use", id: "toolu_1", name: "find", input: INPUT }],
  },
  { ...message, stop_reason: "end_turn", content: [{ type: "text", text: "sorry" }] },
];
const chat = (choice: Body, finish_reason: string) => ({
  id: "chat_1",
  object: "chat.completion",
  created: 1,
  model: "m",
  usage,
  choices: [{ index: 0, finish_reason, message: { role: "assistant", content: null, ...choice } }],
});
const openaiChatAnswers = [
  chat(
    {
      tool_calls: [
        {
          id: "call_1",
          type: "function",
          function: { name: "find", arguments: JSON.stringify(INPUT) },
        },
      ],
    },
    "tool_calls",
  ),
  chat({ content: "sorry" }, "stop"),
];
const response = {
  id: "resp_1",
  object: "response",
  created_at: 1,
  model: "m",
  usage: { input_tokens: 1, output_tokens: 1 },
};
const openaiResponsesAnswers = [
  {
    ...response,
    output: [
      {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "find",
        arguments: JSON.stringify(INPUT),
        status: "completed",
      },
    ],
  },
  {
    ...response,
    output: [
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "sorry", annotations: [] }],
      },
    ],
  },
];

describe("on the wire", () => {
  test("Anthropic gets the text with is_error, and the tool's own schema", async () => {
    const { fetch, sent } = provider(anthropicAnswers);
    await converse(createAnthropic({ apiKey: "none", fetch })("claude-sonnet-4-5"));
    const messages = sent[1]!["messages"] as readonly { content: readonly Body[] }[];
    const result = messages.at(-1)!.content[0]!;
    expect(result).toMatchObject({ type: "tool_result", tool_use_id: "toolu_1", is_error: true });
    expect(parseRejection(result["content"])).toMatchObject({
      attempt: 1,
      errors: [{ fieldPath: "/id" }],
    });
    expect(messages.at(-2)!.content).toMatchObject([{ type: "tool_use", input: INPUT }]);
    expect(sent[0]!["tools"]).toMatchObject([
      {
        name: "find",
        description: "Finds a record",
        input_schema: { additionalProperties: false, required: ["id"] },
      },
    ]);
  });

  test("trap 8: OpenAI chat gets the text inside of JSON", async () => {
    const { fetch, sent } = provider(openaiChatAnswers);
    await converse(createOpenAI({ apiKey: "none", fetch }).chat("gpt-5"));
    const messages = sent[1]!["messages"] as readonly Body[];
    const result = messages.at(-1)!;
    expect(result).toMatchObject({ role: "tool", tool_call_id: "call_1" });
    const { error } = JSON.parse(String(result["content"])) as Body;
    expect(parseRejection(error)).toMatchObject({ attempt: 1, errors: [{ fieldPath: "/id" }] });
    // Every line break becomes an escape, so lines stay few and short.
    for (const line of String(error).split("\n")) expect(line.length).toBeLessThan(120);
    expect(sent[0]!["tools"]).toMatchObject([{ function: { name: "find", strict: true } }]);
  });

  test("trap 8: OpenAI responses gets the text inside of JSON", async () => {
    const { fetch, sent } = provider(openaiResponsesAnswers);
    await converse(createOpenAI({ apiKey: "none", fetch }).responses("gpt-5"));
    const input = sent[1]!["input"] as readonly Body[];
    const result = input.find((item) => item["type"] === "function_call_output")!;
    expect(result).toMatchObject({ call_id: "call_1" });
    const { error } = JSON.parse(String(result["output"])) as Body;
    expect(parseRejection(error)).toMatchObject({ attempt: 1 });
  });

  test("a tool that the provider defines and the application runs is guarded, and declared as ever", async () => {
    const use = { type: "tool_use", id: "toolu_1", name: "bash", input: { command: 7 } };
    const answers = [{ ...anthropicAnswers[0], content: [use] }, anthropicAnswers[1]!];
    const { fetch, sent } = provider(answers);
    const anthropic = createAnthropic({ apiKey: "none", fetch });
    const bash = anthropic.tools.bash_20250124({ execute: async () => "never" });
    const options = { tools: { bash }, logger: () => undefined, stopWhen: steps(2) };
    const model = anthropic("claude-sonnet-4-5");
    await generateText({ model, prompt: "List", ...withContract(options) });
    expect(sent[0]!["tools"]).toEqual([{ name: "bash", type: "bash_20250124" }]);
    const messages = sent[1]!["messages"] as readonly { content: readonly Body[] }[];
    const result = messages.at(-1)!.content[0]!;
    expect(result).toMatchObject({ type: "tool_result", is_error: true });
    expect(parseRejection(result["content"])).toMatchObject({
      errors: [{ fieldPath: "/command" }],
    });
  });

  test("the provider is sent byte for byte the same tools as without the contract", async () => {
    for (const guarded of [{ tools }, withContract({ tools })]) {
      const { fetch, sent } = provider([anthropicAnswers[1]!]);
      const model = createAnthropic({ apiKey: "none", fetch })("claude-sonnet-4-5");
      await generateText({ model, prompt: "Find it", ...guarded });
      expect(JSON.stringify(sent[0])).toMatchInlineSnapshot(
        `"{"model":"claude-sonnet-4-5","max_tokens":64000,"messages":[{"role":"user","content":[{"type":"text","text":"Find it"}]}],"tools":[{"name":"find","description":"Finds a record","input_schema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"id":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}},"required":["id"],"additionalProperties":false},"strict":true}],"tool_choice":{"type":"auto"}}"`,
      );
    }
  });
});
