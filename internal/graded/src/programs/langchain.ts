import { DynamicStructuredTool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { toolContractMiddleware } from "@toolcontract/langchain";
import { createAgent, providerStrategy } from "langchain";
import { z } from "zod";
import type { Graded, Kit, SchemaOf } from "../kit.ts";

export const bare: Graded = async (kit) => ask(kit, (schema) => schema);

export const zod: Graded = async (kit) => ask(kit, z.fromJSONSchema);

export const contract: Graded = async (kit) =>
  ask(kit, (schema) => schema, [
    toolContractMiddleware({ logger: false, output: true, escalate: "drop-tool" }),
  ]);

function toolsOf({ tools, run }: Kit, schemaOf: SchemaOf): readonly DynamicStructuredTool[] {
  return tools.map(({ name, description, parameters }) => {
    const func = async (input: unknown) => run(name, input);
    const schema = schemaOf(parameters) as z.ZodObject;
    return new DynamicStructuredTool({ name, description, schema, func });
  });
}

async function ask(
  kit: Kit,
  schemaOf: SchemaOf,
  middleware: readonly ReturnType<typeof toolContractMiddleware>[] = [],
): Promise<void> {
  const { baseUrl, prompt, isStream, answer, answered } = kit;
  const model = new ChatOpenAI({
    model: "scripted",
    apiKey: "none",
    configuration: { baseURL: baseUrl },
  });
  const own = answer && (schemaOf({ title: "review", ...answer }) as z.ZodObject);
  const agent = createAgent({
    model,
    tools: [...toolsOf(kit, schemaOf)],
    middleware: [...middleware],
    ...(own && { responseFormat: providerStrategy(own) }),
  });
  const input = { messages: [{ role: "user" as const, content: prompt }] };
  const settings = { recursionLimit: 60 };
  if (!isStream) return answered(structuredIn(await agent.invoke(input, settings)));
  // With `streaming` set on the model, it counts tokens by a table from the network.
  const streamMode = ["messages" as const, "values" as const];
  const parts = await agent.stream(input, { ...settings, streamMode });
  let state: unknown;
  for await (const [mode, part] of parts) if (mode === "values") state = part;
  await answered(structuredIn(state));
}

function structuredIn(state: unknown): unknown {
  return (state as { readonly structuredResponse?: unknown } | undefined)?.structuredResponse;
}
