import { MockLanguageModelV4 } from "ai/test";
import type { CorpusCall } from "./corpus.ts";

type Result = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;

/** A model that makes one call, then answers. Use a new one for each run: the mock keeps every request. */
export function modelThatCalls({
  tool: { name: toolName },
  text: input,
}: Pick<CorpusCall, "tool" | "text">): MockLanguageModelV4 {
  const call = { type: "tool-call", toolCallId: "call_1", toolName, input } as const;
  return new MockLanguageModelV4({
    doGenerate: [resultOf(call, "tool-calls"), resultOf({ type: "text", text: "Done" }, "stop")],
  });
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
