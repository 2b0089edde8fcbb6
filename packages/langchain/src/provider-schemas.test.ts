import { ChatAnthropic } from "@langchain/anthropic";
import { ChatOpenAI } from "@langchain/openai";
import {
  FITS_NO_VARIANT,
  FITS_VARIANT,
  REFUSED_SCHEMA,
  topOf,
  WRITTEN,
} from "@toolcontract/case-table/refused-schema";
import { createAgent, HumanMessage } from "langchain";
import { describe, expect, test } from "vitest";
import { toolContractMiddleware, wrapTool } from "./index.ts";
import { type FakeBody, fakeFetch } from "./testing/fake-fetch.ts";
import { loadLab } from "./testing/langchain.ts";
import { spied } from "./testing/tools.ts";

const lab = await loadLab("newest");
const quiet = { logger: false } as const;

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const calls = [FITS_NO_VARIANT, FITS_VARIANT].map((args, index) => ({
  id: `call_${index}`,
  type: "function",
  function: { name: "get_weather", arguments: args },
}));
const chat = (message: object): FakeBody => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "gpt-4o",
  choices: [
    { index: 0, finish_reason: "stop", message: { role: "assistant", content: "", ...message } },
  ],
  usage,
});
const blocks = (content: readonly object[], stop_reason: string): FakeBody => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-4-5",
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});

/** A client of a provider, the answers that it gets, and the schema in the request that it sends. */
const CLIENTS = {
  openai: {
    model: (fetch: typeof globalThis.fetch) =>
      new ChatOpenAI({ model: "gpt-4o", apiKey: "none", maxRetries: 0, configuration: { fetch } }),
    answers: [chat({ tool_calls: calls }), chat({ content: "Done." })],
    schemaIn: (tool: unknown) =>
      (tool as { readonly function: { readonly parameters: object } }).function.parameters,
  },
  anthropic: {
    model: (fetch: typeof globalThis.fetch) =>
      new ChatAnthropic({
        model: "claude-sonnet-4-5",
        apiKey: "none",
        maxRetries: 0,
        clientOptions: { fetch },
      }),
    answers: [
      blocks(
        calls.map(({ id, function: { name, arguments: args } }) => ({
          type: "tool_use",
          id,
          name,
          input: JSON.parse(args) as object,
        })),
        "tool_use",
      ),
      blocks([{ type: "text", text: "Done." }], "end_turn"),
    ],
    schemaIn: (tool: unknown) => (tool as { readonly input_schema: object }).input_schema,
  },
} as const;

describe.each(["openai", "anthropic"] as const)("the client of %s", (name) => {
  const { model, answers, schemaIn } = CLIENTS[name];

  test("is sent the schema as it takes it, and the tool's own judges", async () => {
    const { tool, runs } = spied(lab, "get_weather", REFUSED_SCHEMA);
    const { fetch, bodies } = fakeFetch(answers);
    const middleware = [toolContractMiddleware({ ...quiet, provider: name })];
    const agent = createAgent({ model: model(fetch), tools: [tool], middleware });
    await agent.invoke({ messages: [new HumanMessage("Go.")] });
    const [sent] = bodies[0]!["tools"] as readonly unknown[];
    expect(sent).toMatchObject(
      name === "openai"
        ? { function: { name: "get_weather", description: "A tool." } }
        : { name: "get_weather", description: "A tool." },
    );
    expect(topOf(schemaIn(sent))).toEqual(WRITTEN);
    expect(runs).toEqual([{ city: "Oslo" }]);
    expect(bodies).toHaveLength(2);
  });

  test("a wrapped tool is bound with the schema, and its own judges", async () => {
    const { tool, runs } = spied(lab, "get_weather", REFUSED_SCHEMA);
    const wrapped = wrapTool(tool, { ...quiet, provider: name });
    const { fetch, bodies } = fakeFetch(answers);
    await model(fetch).bindTools([wrapped]).invoke("Go.");
    const [sent] = bodies[0]!["tools"] as readonly unknown[];
    expect(topOf(schemaIn(sent))).toEqual(WRITTEN);
    const asCall = (args: object) => ({
      type: "tool_call" as const,
      id: "a",
      name: "get_weather",
      args,
    });
    const { content } = (await wrapped.invoke(asCall({}))) as { readonly content: string };
    expect(content).toContain("(VAL-");
    await wrapped.invoke(asCall({ city: "Oslo" }));
    expect(runs).toEqual([{ city: "Oslo" }]);
  });
});
