import {
  Agent,
  OpenAIChatCompletionsModel,
  Runner,
  setTracingDisabled,
  tool,
} from "@openai/agents";
import OpenAI from "openai";
import { z } from "zod";
import type { Graded, Kit } from "../kit.ts";

setTracingDisabled(true);

/** Tools by JSON Schema, which the SDK does not validate. */
export const bare: Graded = async (kit) =>
  ask(
    kit,
    kit.tools.map(({ name, description, parameters }) =>
      tool({
        name,
        description,
        parameters: parameters as never,
        strict: false,
        execute: async (input: unknown) => kit.run(name, input),
      }),
    ),
  );

/** Tools by zod, and the option that answers unknown names. */
export const zod: Graded = async (kit) =>
  ask(
    kit,
    kit.tools.map(({ name, description, parameters }) =>
      tool({
        name,
        description,
        parameters: z.fromJSONSchema(parameters) as z.ZodObject,
        execute: async (input) => kit.run(name, input),
      }),
    ),
    { toolNotFoundBehavior: "return_error_to_model" },
  );

async function ask(
  { baseUrl, prompt, isStream }: Kit,
  tools: readonly ReturnType<typeof tool>[],
  config: object = {},
): Promise<void> {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: "none" });
  const model = new OpenAIChatCompletionsModel(client as never, "scripted");
  const agent = new Agent({ name: "graded", model, tools: [...tools] });
  const runner = new Runner({ tracingDisabled: true, ...config });
  if (isStream) {
    const result = await runner.run(agent, prompt, { stream: true, maxTurns: 20 });
    await result.completed;
  } else {
    await runner.run(agent, prompt, { maxTurns: 20 });
  }
}
