import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { APICallError } from "ai";
import type { ScriptedAnswer } from "./script.ts";

type Generated = Awaited<ReturnType<LanguageModelV4["doGenerate"]>>;

/** Models that share the answers of a script, one for each request. */
export function scriptedModels(
  answers: readonly ScriptedAnswer[],
): (modelId: string) => LanguageModelV4 {
  let requests = 0;
  const answerTo = (abortSignal: AbortSignal | undefined): Generated => {
    abortSignal?.throwIfAborted();
    const number = requests;
    requests += 1;
    const answer = answers[number];
    if (answer === undefined) {
      throw new Error(`The script has ${answers.length} answers, and this is one request more`);
    }
    if (answer.error !== undefined) throw errorOf(answer.error);
    return generatedOf(answer, number);
  };
  return (modelId) => ({
    specificationVersion: "v4",
    provider: "scripted",
    modelId,
    supportedUrls: {},
    doGenerate: async ({ abortSignal }) => answerTo(abortSignal),
    doStream: async ({ abortSignal }) => ({ stream: streamOf(answerTo(abortSignal)) }),
  });
}

type Part = LanguageModelV4StreamPart;

/** The parts of an answer, as a provider streams them. */
function streamOf({ content, finishReason, usage }: Generated): ReadableStream<Part> {
  const parts: Part[] = [
    { type: "stream-start", warnings: [] },
    ...content.flatMap((part, index): Part[] => {
      if (part.type !== "text") return [part as Part];
      const id = String(index);
      return [
        { type: "text-start", id },
        { type: "text-delta", id, delta: part.text },
        { type: "text-end", id },
      ];
    }),
    { type: "finish", finishReason, usage },
  ];
  return ReadableStream.from<Part>(parts);
}

function generatedOf({ text, calls = [], usage = {} }: ScriptedAnswer, number: number): Generated {
  const { inputTokens, outputTokens } = usage;
  const content: Generated["content"] = [
    ...(text === undefined ? [] : [{ type: "text" as const, text }]),
    ...calls.map((call, index) => ({
      type: "tool-call" as const,
      toolCallId: `call_${number + 1}_${index + 1}`,
      toolName: call.name,
      // What is not an object is sent as it is: models write broken JSON too.
      input: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
    })),
  ];
  const unified = calls.length > 0 ? "tool-calls" : "stop";
  return {
    content,
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: {
        total: inputTokens,
        noCache: inputTokens,
        cacheRead: undefined,
        cacheWrite: undefined,
      },
      outputTokens: { total: outputTokens, text: outputTokens, reasoning: undefined },
    },
    warnings: [],
  };
}

function errorOf({ status, message, retryAfter }: NonNullable<ScriptedAnswer["error"]>): Error {
  return new APICallError({
    message,
    url: "script:",
    requestBodyValues: {},
    ...(status !== undefined && { statusCode: status }),
    ...(retryAfter !== undefined && { responseHeaders: { "retry-after": String(retryAfter) } }),
  });
}
