import { createOpenAI } from "@ai-sdk/openai";
import { withContract } from "@toolcontract/ai-sdk";
import * as sdk from "ai";
import { z } from "zod";
import type { Graded, Kit, SchemaOf } from "../kit.ts";

/** A version of the SDK; all of them are called alike. */
export interface Sdk {
  readonly sdk: Pick<
    typeof import("ai"),
    "generateText" | "jsonSchema" | "stepCountIs" | "streamText" | "tool"
  >;
  readonly createOpenAI: typeof createOpenAI;
}

interface Settings {
  readonly tools: sdk.ToolSet;
  readonly stopWhen?: sdk.StopCondition<sdk.ToolSet> | sdk.StopCondition<sdk.ToolSet>[];
}

/** The programs of one version. */
export function programsOf({
  sdk: { generateText, jsonSchema, stepCountIs, streamText, tool },
  ...provider
}: Sdk) {
  const stopWhen = stepCountIs(20);

  function toolsOf({ tools, run }: Kit, schemaOf: SchemaOf): sdk.ToolSet {
    const made = tools.map(({ name, description, parameters }) => {
      const inputSchema = schemaOf(parameters) as ReturnType<typeof jsonSchema>;
      return [name, tool({ description, inputSchema, execute: async (input) => run(name, input) })];
    });
    return Object.fromEntries(made) as sdk.ToolSet;
  }

  async function ask({ baseUrl, prompt, isStream }: Kit, settings: Settings) {
    const model = provider.createOpenAI({ baseURL: baseUrl, apiKey: "none" }).chat("scripted");
    const call = { model, prompt, ...settings };
    if (isStream) await streamText(call).consumeStream();
    else await generateText(call);
  }

  const bare: Graded = async (kit) => ask(kit, { tools: toolsOf(kit, jsonSchema), stopWhen });
  const zod: Graded = async (kit) => ask(kit, { tools: toolsOf(kit, z.fromJSONSchema), stopWhen });
  const contract: Graded = async (kit) =>
    ask(kit, withContract({ tools: toolsOf(kit, jsonSchema), stopWhen, logger: false }));
  return { bare, zod, contract };
}

export const { bare, zod, contract } = programsOf({ sdk, createOpenAI });
