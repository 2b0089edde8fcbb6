import {
  Agent,
  OpenAIChatCompletionsModel,
  Runner,
  setTracingDisabled,
  tool,
} from "@openai/agents";
import { withContract } from "@toolcontract/openai-agents";
import OpenAI from "openai";
import { z } from "zod";
import type { Graded, Kit } from "../kit.ts";

setTracingDisabled(true);

/** Tools by JSON Schema, which the SDK does not validate. */
export const bare: Graded = async (kit) => ask(kit, agentOf(kit, plainTools(kit)), new Runner());

export const contract: Graded = async (kit) => {
  const { agent, runner } = withContract(agentOf(kit, plainTools(kit)), { logger: false });
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
  await ask(kit, agentOf(kit, tools), runner);
};

function agentOf({ baseUrl }: Kit, tools: readonly ReturnType<typeof tool>[]): Agent {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: "none" });
  const model = new OpenAIChatCompletionsModel(client as never, "scripted");
  return new Agent({ name: "graded", model, tools: [...tools] });
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
  if (result.interruptions.length === 0) return;
  for (const item of result.interruptions) {
    const { name, arguments: text } = item.rawItem as { name: string; arguments: string };
    await kit.approve(name, JSON.parse(text));
    result.state.approve(item);
  }
  await ask(kit, agent, runner, result.state);
}
