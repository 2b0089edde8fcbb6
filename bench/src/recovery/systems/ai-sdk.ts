import { withContract } from "@toolcontract/ai-sdk";
import type { MessageStyle } from "@toolcontract/core";
import { generateText, isStepCount, jsonSchema, tool as aiTool, type ToolSet } from "ai";
import type { MockLanguageModelV4 } from "ai/test";
import type { CorpusTool } from "../../corpus.ts";
import { modelThatCalls } from "../../models-that-call.ts";
import { zodOfTool } from "../../zod-of-tool.ts";
import { readContract, readZodJson } from "../reading/readers.ts";
import { type MakeCall, recordRuns, type SchemaKind, type System } from "./system.ts";

/** The AI SDK without the contract. */
export function aiSdk(schema: SchemaKind): System {
  return {
    name: "AI SDK 7",
    schema,
    packages: ["ai"],
    read: readZodJson,
    readsText: true,
    offer: (tool) => makeCall(tool, schema, (tools) => ({ tools })),
  };
}

/** The AI SDK with the contract. */
export function aiSdkWithContract(schema: SchemaKind, style: MessageStyle): System {
  return {
    ...aiSdk(schema),
    name: `Toolcontract ${style}, AI SDK`,
    packages: ["@toolcontract/ai-sdk", "ai"],
    read: readContract,
    offer: (tool) =>
      makeCall(tool, schema, (tools) =>
        withContract({ tools, format: { style }, logger: () => undefined }),
      ),
  };
}

function makeCall(
  tool: CorpusTool,
  kind: SchemaKind,
  settingsOf: (tools: ToolSet) => object & { readonly tools: ToolSet },
): MakeCall {
  const { name } = tool;
  const zod = kind === "zod" ? zodOfTool(tool) : undefined;
  const inputSchema = zod ?? jsonSchema(tool.inputSchema as Parameters<typeof jsonSchema>[0]);
  return async (text) => {
    const { runs, run } = recordRuns();
    const tools = {
      [name]: aiTool({ inputSchema, execute: async (input: unknown) => run(input) }),
    };
    const model = modelThatCalls({ tool, text });
    const settings = { stopWhen: isStepCount(2), ...settingsOf(tools) };
    await generateText({ model, prompt: "go on", ...settings });
    if (runs.length > 0) return { status: "ran", args: runs[0] };
    const answer = answerIn(model.doGenerateCalls.at(-1)?.prompt ?? []);
    return answer === undefined
      ? { status: "silent", why: "no result" }
      : { status: "answered", text: answer };
  };
}

/** The answer to the model's call, in the last request. */
function answerIn(messages: readonly PromptMessage[]): string | undefined {
  for (const message of messages) {
    if (message.role !== "tool") continue;
    for (const part of message.content) {
      if (part.type !== "tool-result" || !("value" in part.output)) continue;
      const { value } = part.output;
      return typeof value === "string" ? value : JSON.stringify(value);
    }
  }
  return undefined;
}

type PromptMessage = MockLanguageModelV4["doGenerateCalls"][number]["prompt"][number];
