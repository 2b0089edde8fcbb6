import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import type { CorpusTool } from "../../corpus.ts";
import { zodOfTool } from "../../zod-of-tool.ts";
import { readMastra } from "../reading/readers.ts";
import { type MakeCall, recordRuns, type SchemaKind, type System } from "./system.ts";

/** A Mastra agent. */
export function mastra(schema: SchemaKind): System {
  return {
    name: "Mastra",
    schema,
    packages: ["@mastra/core"],
    read: readMastra,
    readsText: true,
    offer: (tool) => makeCall(tool, schema),
  };
}

function makeCall(tool: CorpusTool, schema: SchemaKind): MakeCall {
  type InputSchema = NonNullable<Parameters<typeof createTool>[0]["inputSchema"]>;
  const zod = schema === "zod" ? zodOfTool(tool) : undefined;
  const inputSchema = (zod ?? tool.inputSchema) as InputSchema;
  return async (text) => {
    const { runs, run } = recordRuns();
    const offered = createTool({
      id: tool.name,
      description: "a tool",
      inputSchema,
      execute: (async (args: unknown) => run(args)) as never,
    });
    const { model, prompts } = modelThatCalls(tool.name, text);
    const agent = new Agent({
      id: "bench",
      name: "bench",
      instructions: "go on",
      model: model as never,
      tools: { [tool.name]: offered },
    });
    try {
      await agent.generate("go on", { maxSteps: 2 });
    } catch (thrown) {
      return { status: "silent", why: `throws ${(thrown as Error).name}` };
    }
    if (runs.length > 0) return { status: "ran", args: runs[0] };
    const answer = answerIn(prompts);
    return answer === undefined
      ? { status: "silent", why: "no result" }
      : { status: "answered", text: answer };
  };
}

interface PromptMessage {
  readonly role: string;
  readonly content: unknown;
}

interface ResultPart {
  readonly type: string;
  readonly output: { readonly value?: unknown };
}

function answerIn(prompts: readonly (readonly PromptMessage[])[]): string | undefined {
  const messages = (prompts.at(-1) ?? []).filter(({ role }) => role === "tool");
  const parts = messages.flatMap(({ content }) => content as readonly ResultPart[]);
  const value = parts.find(({ type }) => type === "tool-result")?.output.value;
  return typeof value === "string" || value === undefined ? value : JSON.stringify(value);
}

/** A model of the specification that Mastra takes; it makes one call, then answers. */
function modelThatCalls(
  toolName: string,
  input: string,
): { readonly model: object; readonly prompts: (readonly PromptMessage[])[] } {
  const prompts: (readonly PromptMessage[])[] = [];
  const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
  const call = { type: "tool-call", toolCallId: "call_1", toolName, input };
  const model = {
    specificationVersion: "v2",
    provider: "bench",
    modelId: "bench",
    supportedUrls: {},
    doGenerate: async ({ prompt }: { readonly prompt: readonly PromptMessage[] }) => {
      prompts.push(prompt);
      const isFirst = prompts.length === 1;
      return {
        content: [isFirst ? call : { type: "text", text: "Done" }],
        finishReason: isFirst ? "tool-calls" : "stop",
        usage,
        warnings: [],
      };
    },
    doStream: () => Promise.reject(new Error("Not streamed.")),
  };
  return { model, prompts };
}
