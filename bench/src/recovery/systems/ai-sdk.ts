import { withContract } from "@toolcontract/ai-sdk";
import type { MessageStyle } from "@toolcontract/core";
import { generateText, isStepCount, jsonSchema, tool as aiTool } from "ai";
import type { MockLanguageModelV4 } from "ai/test";
import { modelThatCalls } from "../../models-that-call.ts";
import { zodOfTool } from "../../zod-of-tool.ts";
import { readContract, readZodJson } from "../reading/readers.ts";
import { offerThrough, type SchemaKind, type System } from "./system.ts";

/** The AI SDK; with a style, with the contract. */
export function aiSdk(schema: SchemaKind, style?: MessageStyle): System {
  const hasContract = style !== undefined;
  return {
    name: hasContract ? `Toolcontract ${style}, AI SDK` : "AI SDK 7",
    schema,
    packages: [...(hasContract ? ["@toolcontract/ai-sdk"] : []), "ai"],
    read: hasContract ? readContract : readZodJson,
    readsText: true,
    offer: (tool) =>
      offerThrough((run) => {
        const zod = schema === "zod" ? zodOfTool(tool) : undefined;
        const inputSchema = zod ?? jsonSchema(tool.inputSchema as Parameters<typeof jsonSchema>[0]);
        const execute = async (input: unknown): Promise<string> => run(input);
        const tools = { [tool.name]: aiTool({ inputSchema, execute }) };
        return async (text) => {
          const model = modelThatCalls({ tool, text });
          const settings = hasContract
            ? withContract({ tools, format: { style }, logger: () => undefined })
            : { tools };
          await generateText({ model, prompt: "go on", stopWhen: isStepCount(2), ...settings });
          return answerIn(model.doGenerateCalls.at(-1)?.prompt ?? []);
        };
      }),
  };
}

type Prompt = MockLanguageModelV4["doGenerateCalls"][number]["prompt"];

/** The answer to the model's call, in the prompt of the next step. */
export function answerIn(prompt: Prompt): string | undefined {
  const parts = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
  const result = parts.find((part) => part.type === "tool-result" && "value" in part.output);
  if (result?.type !== "tool-result" || !("value" in result.output)) return undefined;
  const { value } = result.output;
  return typeof value === "string" ? value : JSON.stringify(value);
}
