import { isZod } from "@toolcontract/frameworks";
import { aiSdkTools, answerOfAiSdk } from "@toolcontract/frameworks/ai-sdk";
import manifest from "ai/package.json" with { type: "json" };
import type { Peer } from "./peer.ts";

/** `generateText` of the AI SDK. */
export const aiSdk: Peer = {
  package: manifest.name,
  version: manifest.version,
  host: (tool, run) => {
    const tools = aiSdkTools(tool, run);
    return async (text) => answerOfAiSdk({ tools }, { tool, text });
  },
  note: ({ schema }, { status }) =>
    isZod(schema) || status !== "ran" ? undefined : "jsonSchema() validates nothing by itself.",
};
