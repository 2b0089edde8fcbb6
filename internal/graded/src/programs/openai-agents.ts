import {
  Agent,
  type JsonSchemaDefinition,
  OpenAIChatCompletionsModel,
  Runner,
  setTracingDisabled,
  tool,
} from "@openai/agents";
import { withContract } from "@toolcontract/openai-agents";
import OpenAI from "openai";
import { z } from "zod";
import type { Graded, Kit, SchemaOf } from "../kit.ts";

setTracingDisabled(true);

/** Tools by JSON Schema, which the SDK does not validate. */
export const bare: Graded = async (kit) =>
  ask(kit, agentOf(kit, plainTools(kit), plainOutput), new Runner());

export const contract: Graded = async (kit) => {
  const { agent, runner } = withContract(agentOf(kit, plainTools(kit), plainOutput), {
    logger: false,
    output: true,
  });
  await ask(kit, agent, runner);
};

function plainTools(kit: Kit): readonly ReturnType<typeof tool>[] {
  return kit.tools.map(({ name, description, parameters, needsApproval = false }) =>
    tool({
      name,
      description,
      parameters: parameters as never,
      strict: false,
      needsApproval,
      execute: async (input: unknown) => kit.run(name, input),
    }),
  );
}

/** Tools by zod, and the option that answers unknown names. */
export const zod: Graded = async (kit) => {
  const tools = kit.tools.map(({ name, description, parameters, needsApproval = false }) =>
    tool({
      name,
      description,
      parameters: z.fromJSONSchema(parameters) as z.ZodObject,
      needsApproval,
      execute: async (input) => kit.run(name, input),
    }),
  );
  const runner = new Runner({ toolNotFoundBehavior: "return_error_to_model" });
  await ask(kit, agentOf(kit, tools, z.fromJSONSchema), runner);
};

function plainOutput(schema: Readonly<Record<string, unknown>>): JsonSchemaDefinition {
  return { type: "json_schema", name: "review", strict: true, schema: schema as never };
}

function agentOf(
  { baseUrl, answer }: Kit,
  tools: readonly ReturnType<typeof tool>[],
  outputOf: SchemaOf,
): Agent {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: "none" });
  const model = new OpenAIChatCompletionsModel(client as never, "scripted");
  const settings = { name: "graded", model, tools: [...tools] };
  if (answer === undefined) return new Agent(settings);
  // Whatever its output is, it is asked alike.
  return new Agent({ ...settings, outputType: outputOf(answer) as never }) as unknown as Agent;
}

/** Runs the agent, and asks the person whenever it waits for one. */
async function ask(
  kit: Kit,
  agent: Agent,
  runner: Runner,
  input: Parameters<Runner["run"]>[1] = kit.prompt,
): Promise<void> {
  const result = kit.isStream
    ? await runner.run(agent, input, { stream: true, maxTurns: 20 })
    : await runner.run(agent, input, { maxTurns: 20 });
  if ("completed" in result) await result.completed;
  if (result.interruptions.length === 0) {
    return kit.answer ? kit.answered(result.finalOutput) : undefined;
  }
  for (const item of result.interruptions) {
    const { name, arguments: text } = item.rawItem as { name: string; arguments: string };
    await kit.approve(name, JSON.parse(text));
    result.state.approve(item);
  }
  await ask(kit, agent, runner, result.state);
}
