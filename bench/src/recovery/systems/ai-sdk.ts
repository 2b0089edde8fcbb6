import { withContract } from "@toolcontract/ai-sdk";
import type { MessageStyle } from "@toolcontract/core";
import { offerThrough } from "@toolcontract/frameworks";
import { aiSdkTools, answerOfAiSdk } from "@toolcontract/frameworks/ai-sdk";
import { readContract, readZodJson } from "../reading/readers.ts";
import { MESSAGES, declared, type SchemaKind, type System } from "./system.ts";

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
        const tools = aiSdkTools(declared(tool, schema), run);
        return async (text) =>
          answerOfAiSdk(
            hasContract ? withContract({ tools, format: { style }, ...MESSAGES }) : { tools },
            { tool, text },
          );
      }),
  };
}
