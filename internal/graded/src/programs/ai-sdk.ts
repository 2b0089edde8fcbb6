import { createOpenAI } from "@ai-sdk/openai";
import * as adapter from "@toolcontract/ai-sdk";
import { importOn } from "@toolcontract/case-table/other-version";
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
  /** The adapter on top of it. */
  readonly adapter: typeof adapter;
}

interface Settings {
  readonly tools: sdk.ToolSet;
  readonly stopWhen?: sdk.StopCondition<sdk.ToolSet> | sdk.StopCondition<sdk.ToolSet>[];
  readonly output?: ReturnType<typeof sdk.Output.object>;
}

/** The programs of one version. */
export function programsOf({
  sdk: { generateText, jsonSchema, Output, stepCountIs, streamText, tool },
  adapter: { withContract },
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

/** Loads the adapter as in a project with another version of the SDK. */
export async function adapterOn(name: "ai5" | "ai6"): Promise<typeof adapter> {
  const sources = new URL("../../../../packages/ai-sdk/src/", import.meta.url);
  const [loaded] = await importOn<[typeof adapter]>(
    { name, sources, packages: { ai: name } },
    "index.ts",
  );
  return loaded;
}

export const { bare, zod, contract } = programsOf({ sdk, createOpenAI, adapter });
