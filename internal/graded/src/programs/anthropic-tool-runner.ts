import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import type { BetaToolRunner } from "@anthropic-ai/sdk/lib/tools/BetaToolRunner";
import { createContract, toAnthropic } from "@toolcontract/core";
import { z } from "zod";
import type { Graded, Kit } from "../kit.ts";

type Runner = Parameters<Anthropic["beta"]["messages"]["toolRunner"]>[0];

export const bare: Graded = async (kit) =>
  ask(
    kit,
    kit.tools.map(({ name, description, parameters }) => {
      const inputSchema = parameters as { type: "object" };
      return betaTool({
        name,
        description,
        inputSchema,
        run: async (input) => kit.run(name, input),
      });
    }),
  );

export const zod: Graded = async (kit) =>
  ask(
    kit,
    kit.tools.map(({ name, description, parameters }) => {
      const inputSchema = z.fromJSONSchema(parameters) as z.ZodObject;
      return betaZodTool({
        name,
        description,
        inputSchema,
        run: async (input) => kit.run(name, input),
      });
    }),
  );

/** As docs/anthropic-tool-runner.md has it. */
export const contract: Graded = async (kit) => {
  const own = createContract({ logger: false });
  const tools = kit.tools.map(({ name, parameters: inputSchema }) => ({ name, inputSchema }));
  const declared = kit.tools.map(({ name, description, parameters: input_schema }) => {
    return { type: "custom", name, description, input_schema };
  });
  const runner = runnerOf(kit, declared);
  for await (const reply of runner) {
    const texts = new Map<string, string>();
    if ("finalMessage" in reply) {
      let id = "";
      for await (const event of reply) {
        if (event.type === "content_block_start" && event.content_block.type === "tool_use")
          ({ id } = event.content_block);
        if (event.type === "content_block_delta" && event.delta.type === "input_json_delta")
          texts.set(id, (texts.get(id) ?? "") + event.delta.partial_json);
      }
    }
    const message = "finalMessage" in reply ? await reply.finalMessage() : reply;
    const uses = message.content.filter((block) => block.type === "tool_use");
    if (uses.length === 0) continue;
    const calls = uses.map(({ id, name, input }) => {
      const rawText = texts.get(id);
      return { id, name, arguments: input, ...(rawText && { rawText }) };
    });
    const handled = await own.handleTurn(calls, {
      tools,
      conversationId: "conversation-1",
      finishReason: message.stop_reason ?? "tool_use",
      execute: async (args: unknown, { call }) => kit.run(call.name, args),
    });
    runner.pushMessages(
      { role: "assistant", content: message.content },
      { role: "user", content: handled.map(({ result }) => toAnthropic(result)) },
    );
  }
};

function runnerOf(
  { baseUrl, prompt, isStream }: Kit,
  tools: readonly object[],
): BetaToolRunner<boolean> {
  const client = new Anthropic({ baseURL: baseUrl.replace(/\/v1$/, ""), apiKey: "none" });
  return client.beta.messages.toolRunner({
    model: "scripted",
    max_tokens: 1_000,
    max_iterations: 20,
    messages: [{ role: "user", content: prompt }],
    tools: tools as Runner["tools"],
    stream: isStream,
  } as Runner);
}

async function ask(kit: Kit, tools: readonly object[]): Promise<void> {
  for await (const message of runnerOf(kit, tools)) {
    if ("finalMessage" in message) await message.finalMessage();
  }
}
