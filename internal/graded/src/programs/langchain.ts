import { DynamicStructuredTool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { toolContractMiddleware } from "@toolcontract/langchain";
import { createAgent } from "langchain";
import { z } from "zod";
import type { Graded, Kit, SchemaOf } from "../kit.ts";

export const bare: Graded = async (kit) =>
  ask(
    kit,
    toolsOf(kit, (schema) => schema),
  );

export const zod: Graded = async (kit) => ask(kit, toolsOf(kit, z.fromJSONSchema));

export const contract: Graded = async (kit) =>
  ask(
    kit,
    toolsOf(kit, (schema) => schema),
    [toolContractMiddleware({ logger: false })],
  );

function toolsOf({ tools, run }: Kit, schemaOf: SchemaOf): readonly DynamicStructuredTool[] {
  return tools.map(({ name, description, parameters }) => {
    const func = async (input: unknown) => run(name, input);
    const schema = schemaOf(parameters) as z.ZodObject;
    return new DynamicStructuredTool({ name, description, schema, func });
  });
}

async function ask(
  { baseUrl, prompt, isStream }: Kit,
  tools: readonly DynamicStructuredTool[],
  middleware: readonly ReturnType<typeof toolContractMiddleware>[] = [],
): Promise<void> {
  const model = new ChatOpenAI({
    model: "scripted",
    apiKey: "none",
    configuration: { baseURL: baseUrl },
  });
  const agent = createAgent({ model, tools: [...tools], middleware: [...middleware] });
  const input = { messages: [{ role: "user" as const, content: prompt }] };
  if (!isStream) return void (await agent.invoke(input, { recursionLimit: 60 }));
  // With `streaming` set on the model, it counts tokens by a table from the network.
  const parts = await agent.stream(input, { recursionLimit: 60, streamMode: "messages" });
  for await (const _ of parts);
}
