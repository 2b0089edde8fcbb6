import { generateText } from "@xsai/generate-text";
import { rawTool } from "@xsai/tool";
import { type Contract, createContract } from "@toolcontract/core";
import type { Graded, Kit } from "../kit.ts";

// As on docs/xsai.md:

type RawTool = Parameters<typeof rawTool>[0];

/** A tool whose calls are judged as it runs; `conversationId` names the conversation, for the attempts. */
export function withContract(tool: RawTool, contract: Contract, conversationId: string): RawTool {
  const definition = { name: tool.name, inputSchema: { ...tool.parameters } };
  return {
    ...tool,
    async execute(input, options) {
      const call = { id: options.toolCallId, name: tool.name, arguments: input };
      const execute = async (args: unknown) => tool.execute(args, options);
      const context = { tool: definition, conversationId, execute };
      return (await contract.handle(call, context)).result.content;
    },
  };
}

// Until here.

export const bare: Graded = async (kit) => ask(kit, (tool) => tool);

export const contract: Graded = async (kit) => {
  const own = createContract({ logger: false });
  await ask(kit, (tool) => withContract(tool, own, "conversation-1"));
};

async function ask(
  { baseUrl, prompt, tools, run }: Kit,
  guard: (tool: RawTool) => RawTool,
): Promise<void> {
  await generateText({
    apiKey: "none",
    baseURL: `${baseUrl}/`,
    model: "scripted",
    messages: [{ role: "user", content: prompt }],
    maxSteps: 20,
    tools: tools.map(({ name, description, parameters }) => {
      const execute = async (input: unknown) => run(name, input);
      return rawTool(guard({ name, description, parameters, execute }));
    }),
  });
}
