import { createOpenAI } from "@ai-sdk/openai";
import { withContract } from "@toolcontract/ai-sdk";
import { type Contract, createContract } from "@toolcontract/core";
import type { Graded, Kit } from "@toolcontract/graded/kit";
import { Agent, createTool, type Tool } from "@voltagent/core";
import { z } from "zod";

// As on docs/voltagent.md:

type SdkTools = Parameters<typeof withContract>[0]["tools"];

/** VoltAgent's tools with the contract, and the options for `generateText` and `streamText` of its agents. */
export function guard(tools: readonly Tool[], contract: Contract) {
  const given = tools.map(({ name, description, parameters: inputSchema, execute }) => {
    return [name, { description, inputSchema, execute }] as const;
  });
  const { tools: sdkTools, ...callOptions } = withContract({
    contract,
    tools: Object.fromEntries(given) as SdkTools,
  });
  const own = tools.map((tool) => {
    const { inputSchema, execute } = sdkTools[tool.name] as unknown as SdkTool;
    return createTool({
      ...tool,
      parameters: inputSchema,
      execute: async (input: unknown, context) => {
        const { callId: toolCallId, messages } = context?.toolContext ?? {};
        return execute(input, { ...context, toolCallId, messages });
      },
    });
  });
  // VoltAgent passes on to the AI SDK what it does not know itself.
  return { tools: own as Tool[], callOptions: callOptions as object };
}

interface SdkTool {
  readonly inputSchema: z.ZodObject;
  readonly execute: (input: unknown, options: object) => Promise<unknown>;
}

// Until here.

/** Tools by zod, the only kind that there is. */
export const zod: Graded = async (kit) => ask(kit, { tools: toolsOf(kit), callOptions: {} });

export const contract: Graded = async (kit) =>
  ask(kit, guard(toolsOf(kit), createContract({ logger: false })));

function toolsOf({ tools, run }: Kit): Tool[] {
  return tools.map(({ name, description, parameters }) =>
    createTool({
      name,
      description,
      parameters: z.fromJSONSchema(parameters) as z.ZodObject,
      execute: async (input: unknown) => run(name, input),
    }),
  );
}

async function ask(
  { baseUrl, prompt, isStream }: Kit,
  { tools, callOptions }: ReturnType<typeof guard>,
): Promise<void> {
  const agent = new Agent({
    name: "graded",
    instructions: "Help.",
    model: createOpenAI({ baseURL: baseUrl, apiKey: "none" }).chat("scripted"),
    maxSteps: 20,
    tools,
  });
  if (isStream) await (await agent.streamText(prompt, callOptions)).text;
  else await agent.generateText(prompt, callOptions);
}
