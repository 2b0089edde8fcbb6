import { generateText } from "@xsai/generate-text";
import { rawTool } from "@xsai/tool";
import type { Graded } from "../kit.ts";

export const bare: Graded = async ({ baseUrl, prompt, tools, run }) => {
  await generateText({
    apiKey: "none",
    baseURL: `${baseUrl}/`,
    model: "scripted",
    messages: [{ role: "user", content: prompt }],
    maxSteps: 20,
    tools: tools.map(({ name, description, parameters }) =>
      rawTool({ name, description, parameters, execute: async (input) => run(name, input) }),
    ),
  });
};
