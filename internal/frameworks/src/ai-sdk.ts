import { generateText, isStepCount, jsonSchema, tool as aiTool, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { type DeclaredTool, isZod, type ModelCall, type RunTool } from "./offer.ts";

type Result = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;
type Settings = Parameters<typeof generateText>[0];
type Prompt = MockLanguageModelV4["doGenerateCalls"][number]["prompt"];

/** Creates the tools of a run, with one tool. `jsonSchema` validates nothing. */
export function aiSdkTools({ name, schema }: DeclaredTool, run: RunTool): ToolSet {
  const inputSchema = isZod(schema)
    ? schema
    : jsonSchema(schema as Parameters<typeof jsonSchema>[0]);
  return { [name]: aiTool({ inputSchema, execute: async (input: unknown) => run(input) }) };
}

/** Makes a call in a run; returns what the model reads in its next step, undefined for nothing. */
export async function answerOfAiSdk(
  settings: Partial<Pick<Settings, "tools" | "stopWhen">>,
  call: ModelCall,
): Promise<string | undefined> {
  const model = modelThatCalls(call);
  await generateText({ model, prompt: "go on", stopWhen: isStepCount(2), ...settings });
  return answerIn(model.doGenerateCalls.at(-1)?.prompt ?? []);
}

/** Creates an AI SDK model that makes one call, then answers. Use a new one for each run: the mock keeps every request. */
export function modelThatCalls(call: ModelCall): MockLanguageModelV4 {
  return new MockLanguageModelV4({ doGenerate: stepsOf(call) });
}

/** What such a model returns in its two steps. */
export function stepsOf({ tool: { name: toolName }, text: input }: ModelCall): Result[] {
  const call = { type: "tool-call", toolCallId: "call_1", toolName, input } as const;
  return [resultOf(call, "tool-calls"), resultOf({ type: "text", text: "Done" }, "stop")];
}

function resultOf(part: Result["content"][number], unified: "tool-calls" | "stop"): Result {
  return {
    content: [part],
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 5, text: 5, reasoning: 0 },
    },
    warnings: [],
  };
}

/** The answer to the model's call, in the prompt of the next step. */
export function answerIn(prompt: Prompt): string | undefined {
  const parts = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
  const result = parts.find((part) => part.type === "tool-result" && "value" in part.output);
  if (result?.type !== "tool-result" || !("value" in result.output)) return undefined;
  const { value } = result.output;
  return typeof value === "string" ? value : JSON.stringify(value);
}
