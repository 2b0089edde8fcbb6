import { createOpenAI } from "@ai-sdk/openai";
import { Agent, createTool } from "@voltagent/core";
import type { Graded } from "@toolcontract/graded/kit";
import { z } from "zod";

/** Tools by zod, the only kind that there is. */
export const zod: Graded = async ({ baseUrl, prompt, tools, run, isStream }) => {
  const agent = new Agent({
    name: "graded",
    instructions: "Help.",
    model: createOpenAI({ baseURL: baseUrl, apiKey: "none" }).chat("scripted"),
    maxSteps: 20,
    tools: tools.map(({ name, description, parameters }) =>
      createTool({
        name,
        description,
        parameters: z.fromJSONSchema(parameters) as z.ZodObject,
        execute: async (input: unknown) => run(name, input),
      }),
    ),
  });
  if (isStream) await (await agent.streamText(prompt)).text;
  else await agent.generateText(prompt);
};
