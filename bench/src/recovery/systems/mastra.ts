import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { offerThrough } from "@toolcontract/frameworks";
import { answerIn, stepsOf } from "@toolcontract/frameworks/ai-sdk";
import { MockLanguageModelV3 } from "ai/test";
import { readMastra } from "../reading/readers.ts";
import { declared, type SchemaKind, type System } from "./system.ts";

/** A Mastra agent. */
export function mastra(schema: SchemaKind): System {
  return {
    name: "Mastra",
    schema,
    packages: ["@mastra/core"],
    read: readMastra,
    readsText: true,
    offer: (tool) =>
      offerThrough((run) => {
        const offered = createTool({
          id: tool.name,
          description: "a tool",
          inputSchema: declared(tool, schema).schema as never,
          execute: async (args: unknown) => run(args),
        });
        return async (text) => {
          // The newest version of the models' specification that Mastra takes; the steps are the same in it.
          const model = new MockLanguageModelV3({ doGenerate: stepsOf({ tool, text }) as never });
          const tools = { [tool.name]: offered };
          const own = { id: "bench", name: "bench", instructions: "go on", tools };
          try {
            await new Agent({ ...own, model: model as never }).generate("go on", { maxSteps: 2 });
          } catch {
            return undefined;
          }
          return answerIn((model.doGenerateCalls.at(-1)?.prompt ?? []) as never);
        };
      }),
  };
}
