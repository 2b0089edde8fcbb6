import { Agent, type AgentTool } from "@earendil-works/pi-agent-core";
import type { Model } from "@earendil-works/pi-ai";
import { streamSimple } from "@earendil-works/pi-ai/api/openai-completions";
import type { Graded } from "@toolcontract/graded/kit";

/** Tools by JSON Schema, which Pi validates after it has changed what does not fit. */
export const bare: Graded = async ({ baseUrl, prompt, tools, run }) => {
  const model = {
    id: "scripted",
    name: "scripted",
    api: "openai-completions",
    provider: "openai",
    baseUrl,
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 100_000,
    maxTokens: 1_000,
  } as Model<"openai-completions">;
  const agent = new Agent({
    initialState: {
      model,
      systemPrompt: "Help.",
      tools: tools.map(({ name, description, parameters }): AgentTool => ({
        name,
        label: name,
        description,
        parameters,
        execute: async (_, input) => ({
          content: [{ type: "text", text: await run(name, input) }],
          details: undefined,
        }),
      })),
    },
    streamFn: (asked, context, options) =>
      streamSimple(asked as Model<"openai-completions">, context, { ...options, apiKey: "none" }),
  });
  await agent.prompt(prompt);
  const { errorMessage } = agent.state as { readonly errorMessage?: string };
  if (errorMessage) throw new Error(errorMessage);
};
