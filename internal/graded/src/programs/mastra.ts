import { createOpenAI } from "@ai-sdk/openai";
import { Agent, type AgentConfig } from "@mastra/core/agent";
import { Mastra } from "@mastra/core";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { withContract } from "@toolcontract/mastra";
import { z } from "zod";
import type { Graded, Kit, SchemaOf } from "../kit.ts";

/** Tools by JSON Schema. */
export const bare: Graded = async (kit) =>
  ask(
    kit,
    configOf(kit, (schema) => schema),
    (schema) => schema,
  );

export const zod: Graded = async (kit) =>
  ask(kit, configOf(kit, z.fromJSONSchema), z.fromJSONSchema);

export const contract: Graded = async (kit) =>
  ask(
    kit,
    withContract(
      configOf(kit, (schema) => schema),
      { logger: false, output: true },
    ),
    (schema) => schema,
  );

function configOf({ baseUrl, tools, run }: Kit, schemaOf: SchemaOf): AgentConfig {
  const made = tools.map(({ name, description, parameters, needsApproval = false }) => [
    name,
    createTool({
      id: name,
      description,
      inputSchema: schemaOf(parameters) as z.ZodObject,
      requireApproval: needsApproval,
      execute: async (input) => run(name, input),
    }),
  ]);
  return {
    id: "graded",
    name: "graded",
    instructions: "Help.",
    model: createOpenAI({ baseURL: baseUrl, apiKey: "none" }).chat(
      "scripted",
    ) as unknown as AgentConfig["model"],
    tools: Object.fromEntries(made) as NonNullable<AgentConfig["tools"]>,
  };
}

/** Runs the agent, and asks the person whenever it waits for one. */
async function ask(kit: Kit, config: AgentConfig, schemaOf: SchemaOf): Promise<void> {
  const graded = new Agent(config);
  const mastra = new Mastra({ agents: { graded }, storage: new InMemoryStore(), logger: false });
  const agent = mastra.getAgent("graded");
  const schema = kit.answer && (schemaOf(kit.answer) as z.ZodObject);
  const options = {
    maxSteps: 20,
    ...(schema && { structuredOutput: { schema } }),
    // Its types are those of a run with an answer or of one without.
  } as { readonly maxSteps: number; readonly structuredOutput: { readonly schema: z.ZodObject } };
  if (!kit.isStream && kit.tools.every(({ needsApproval }) => needsApproval !== true)) {
    const { object } = await agent.generate(kit.prompt, options);
    return schema && kit.answered(object);
  }
  let output = await agent.stream(kit.prompt, options);
  const { runId } = output;
  for (;;) {
    const asked: { readonly toolCallId: string }[] = [];
    for await (const chunk of output.fullStream) {
      if (chunk.type !== "tool-call-approval") continue;
      asked.push(chunk.payload);
      await kit.approve(chunk.payload.toolName, chunk.payload.args);
    }
    const [first] = asked;
    if (first === undefined) return schema && kit.answered(await output.object);
    output = await agent.approveToolCall({ ...options, runId, toolCallId: first.toolCallId });
  }
}
