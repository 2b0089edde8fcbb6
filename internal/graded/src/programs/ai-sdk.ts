import { createOpenAI } from "@ai-sdk/openai";
import { withContract } from "@toolcontract/ai-sdk";
import * as sdk from "ai";
import { z } from "zod";
import type { Graded, Kit, SchemaOf } from "../kit.ts";

/** A version of the SDK; all of them are called alike. */
export interface Sdk {
  readonly sdk: Pick<
    typeof import("ai"),
    "generateText" | "jsonSchema" | "Output" | "stepCountIs" | "streamText" | "tool"
  >;
  readonly createOpenAI: typeof createOpenAI;
}

interface Settings {
  readonly tools: sdk.ToolSet;
  readonly stopWhen?: sdk.StopCondition<sdk.ToolSet> | sdk.StopCondition<sdk.ToolSet>[];
  readonly output?: ReturnType<typeof sdk.Output.object>;
}

/** The programs of one version. */
export function programsOf({
  sdk: { generateText, jsonSchema, Output, stepCountIs, streamText, tool },
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

  /** The SDK's own way to a final answer. */
  function outputOf({ answer }: Kit, schemaOf: SchemaOf): Pick<Settings, "output"> {
    if (answer === undefined) return {};
    const schema = schemaOf(answer) as ReturnType<typeof jsonSchema>;
    return { output: Output.object({ schema }) };
  }

  async function ask(kit: Kit, settings: Settings) {
    const { baseUrl, prompt, isStream, answer, answered } = kit;
    const model = provider.createOpenAI({ baseURL: baseUrl, apiKey: "none" }).chat("scripted");
    const call = { model, prompt, ...settings };
    if (isStream) {
      const result = streamText(call);
      await result.consumeStream();
      if (answer) await answered(await result.output);
    } else {
      const result = await generateText(call);
      if (answer) await answered(result.output);
    }
  }

  const own = async (kit: Kit, schemaOf: SchemaOf) =>
    ask(kit, { tools: toolsOf(kit, schemaOf), stopWhen, ...outputOf(kit, schemaOf) });
  const bare: Graded = async (kit) => own(kit, jsonSchema);
  const zod: Graded = async (kit) => own(kit, z.fromJSONSchema);
  const contract: Graded = async (kit) => {
    const settings = { tools: toolsOf(kit, jsonSchema), stopWhen, logger: false } as const;
    const { answer } = kit;
    if (answer === undefined) return ask(kit, withContract(settings));
    await ask(kit, withContract({ ...settings, output: { schema: jsonSchema(answer) } }));
  };
  return { bare, zod, contract };
}

export const { bare, zod, contract } = programsOf({ sdk, createOpenAI });
