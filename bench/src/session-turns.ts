import { jsonSchema, tool } from "ai";
import type { MockLanguageModelV4 } from "ai/test";

type Model = Pick<
  MockLanguageModelV4,
  "specificationVersion" | "provider" | "modelId" | "supportedUrls" | "doStream"
> & { doGenerate(): ReturnType<MockLanguageModelV4["doGenerate"]> };

/** A tool that does nothing else. */
export const tools = {
  read: tool({
    description: "Reads a file",
    inputSchema: jsonSchema<{ path: string }>({
      type: "object",
      properties: { path: { type: "string" } },
      required: ["path"],
    }),
    execute: ({ path }) => `The text of ${path}`,
  }),
};

export const prompt = "What is in my notes?";

/** A model that calls the tool in every turn but the last, in which it writes text; it keeps no requests. */
export function modelOfTurns(turns: number): Model {
  let made = 0;
  return {
    specificationVersion: "v4",
    provider: "mock",
    modelId: "mock",
    supportedUrls: {},
    async doGenerate() {
      made += 1;
      const isLast = made === turns;
      const reason = isLast ? "stop" : "tool-calls";
      const input = JSON.stringify({ path: `notes-${made}.md` });
      return {
        content: [
          isLast
            ? { type: "text", text: "Two notes." }
            : { type: "tool-call", toolCallId: `c${made}`, toolName: "read", input },
        ],
        finishReason: { unified: reason, raw: reason },
        usage: {
          inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 10, text: 10, reasoning: 0 },
        },
        warnings: [],
      };
    },
    doStream: () => Promise.reject(new Error("This model does not stream.")),
  };
}
