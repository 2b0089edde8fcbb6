import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { ToolError } from "@anthropic-ai/sdk/lib/tools/ToolError";
import { createContract } from "@toolcontract/core";
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
  const tools = kit.tools.map(({ name, description, parameters }) => ({
    type: "custom" as const,
    name,
    description,
    input_schema: parameters as { type: "object" },
    parse: (input: unknown) => input,
    async run(input: unknown, context?: { toolUse: { id: string } }) {
      const call = { id: context?.toolUse.id ?? "", name, arguments: input };
      const tool = { name, inputSchema: parameters };
      const execute = async (args: unknown) => kit.run(name, args);
      const { result } = await own.handle(call, {
        tool,
        conversationId: "conversation-1",
        execute,
      });
      if (result.isError) throw new ToolError(result.content);
      return result.content;
    },
  }));
  await ask(kit, tools);
};

async function ask({ baseUrl, prompt, isStream }: Kit, tools: readonly object[]): Promise<void> {
  const client = new Anthropic({ baseURL: baseUrl.replace(/\/v1$/, ""), apiKey: "none" });
  const runner = client.beta.messages.toolRunner({
    model: "scripted",
    max_tokens: 1_000,
    max_iterations: 20,
    messages: [{ role: "user", content: prompt }],
    tools: tools as Runner["tools"],
    stream: isStream,
  } as Runner);
  for await (const message of runner) {
    if ("finalMessage" in message) await message.finalMessage();
  }
}
