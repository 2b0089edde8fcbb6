import { FunctionTool } from "@llamaindex/core/tools";
import { OpenAI } from "@llamaindex/openai";
import { agent } from "@llamaindex/workflow";
import { type Contract, createContract, type JsonSchema } from "@toolcontract/core";
import type { Graded, Kit } from "@toolcontract/graded/kit";

// As on docs/llamaindex.md:

type Tool = FunctionTool<Input, Promise<string>>;
type Input = Record<string, unknown>;

/** A tool whose calls are judged as it runs; `conversationId` names the conversation, for the attempts. */
export function withContract(tool: Tool, contract: Contract, conversationId: string): Tool {
  const { name, description, parameters } = tool.metadata;
  const definition = { name, inputSchema: parameters as JsonSchema };
  const run = async (input: Input): Promise<string> => {
    const call = { id: crypto.randomUUID(), name, arguments: input };
    const execute = async (args: unknown) => tool.call(args as Input);
    const context = { tool: definition, conversationId, execute };
    return (await contract.handle(call, context)).result.content;
  };
  return FunctionTool.from(run, { name, description, parameters } as never) as Tool;
}

// Until here.

/** Tools by JSON Schema, which LlamaIndex does not validate. */
export const bare: Graded = async (kit) => ask(kit, (tool) => tool);

export const contract: Graded = async (kit) => {
  const own = createContract({ logger: false });
  await ask(kit, (tool) => withContract(tool, own, "conversation-1"));
};

async function ask({ baseUrl, prompt, tools, run }: Kit, guard: (tool: Tool) => Tool) {
  const own = tools.map(({ name, description, parameters }) => {
    const metadata = { name, description, parameters } as never;
    return guard(FunctionTool.from(async (input: Input) => run(name, input), metadata) as Tool);
  });
  const llm = new OpenAI({
    model: "gpt-4o",
    apiKey: "none",
    baseURL: baseUrl,
    maxRetries: 0,
  });
  await agent({ llm, tools: own }).run(prompt);
}
