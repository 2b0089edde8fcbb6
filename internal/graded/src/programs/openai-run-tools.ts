import OpenAI from "openai";
import { createContract } from "@toolcontract/core";
import type { Graded, Kit } from "../kit.ts";

/** With `parse: JSON.parse`, as the SDK's documentation has it. */
export const bare: Graded = async (kit) => {
  const { tools, run } = kit;
  return ask(
    kit,
    tools.map(({ name, description, parameters }) => ({
      type: "function" as const,
      function: {
        name,
        description,
        parameters,
        parse: JSON.parse as (input: string) => object,
        function: async (input: object) => run(name, input),
      },
    })),
  );
};

/** As docs/openai-run-tools.md has it. */
export const contract: Graded = async (kit) => {
  const { tools, run } = kit;
  const own = createContract({ logger: false });
  return ask(
    kit,
    tools.map(({ name, description, parameters }) => ({
      type: "function" as const,
      function: {
        name,
        description,
        parameters,
        async function(text: string) {
          const call = { id: crypto.randomUUID(), name, arguments: text };
          const tool = { name, inputSchema: parameters };
          const execute = async (input: unknown) => run(name, input);
          const context = { tool, conversationId: "conversation-1", execute };
          return (await own.handle(call, context)).result.content;
        },
      },
    })),
  );
};

type Tools = Body["tools"];
type Body = Parameters<OpenAI["chat"]["completions"]["runTools"]>[0];

async function ask({ baseUrl, prompt, isStream }: Kit, tools: readonly object[]): Promise<void> {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: "none" });
  const body = {
    model: "scripted",
    messages: [{ role: "user" as const, content: prompt }],
    tools: tools as Tools,
  };
  const options = { maxChatCompletions: 20 };
  if (isStream) await client.chat.completions.runTools({ ...body, stream: true }, options).done();
  else await client.chat.completions.runTools(body, options).done();
}
