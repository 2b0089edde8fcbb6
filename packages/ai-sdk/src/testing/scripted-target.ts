import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { APICallError } from "@ai-sdk/provider";
import type { LanguageModel } from "ai";

/** What a scripted model answers to one request. */
export interface Reply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: string;
  }[];
  readonly finishReason?: string;
  /** `null` for a provider that reports none. */
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cached?: number;
  } | null;
  /** The request fails. */
  readonly error?: {
    readonly status: number;
    readonly message?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  /** The stream breaks after the text. */
  readonly breaks?: string;
}

export interface ScriptedTarget {
  readonly model: LanguageModel;
  readonly requests: LanguageModelV4CallOptions[];
}

interface Answer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly finishReason: unknown;
  readonly usage: unknown;
}

const FORMATS = { 5: "v2", 6: "v3", 7: "v4" } as const;

/** Creates a model that plays replies and records its requests. */
export function scriptedTarget(
  version: keyof typeof FORMATS,
  script: readonly Reply[] | ((index: number, options: LanguageModelV4CallOptions) => Reply),
  provider = "scripted",
): ScriptedTarget {
  const requests: LanguageModelV4CallOptions[] = [];
  const next = (options: LanguageModelV4CallOptions): Reply => {
    const index = requests.push(options) - 1;
    const reply =
      typeof script === "function"
        ? script(index, options)
        : (script[index] ?? { text: "end of the script" });
    if (!reply.error) return reply;
    const { status, message, headers = {}, body } = reply.error;
    throw new APICallError({
      message: message ?? `status ${status}`,
      url: "https://provider.test",
      requestBodyValues: {},
      statusCode: status,
      responseHeaders: { ...headers },
      ...(body !== undefined && { responseBody: body }),
    });
  };
  const model = {
    specificationVersion: FORMATS[version],
    provider,
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async (options: LanguageModelV4CallOptions) => ({
      ...answerOf(next(options), version),
      warnings: [],
    }),
    doStream: async (options: LanguageModelV4CallOptions) => {
      const reply = next(options);
      return { stream: streamOf(answerOf(reply, version), reply.breaks) };
    },
  };
  return { model: model as unknown as LanguageModel, requests };
}

function answerOf(reply: Reply, version: number): Answer {
  const { text, reasoning, calls = [] } = reply;
  const reason = reply.finishReason ?? (calls.length > 0 ? "tool-calls" : "stop");
  const usage = reply.usage === undefined ? { input: 10, output: 5 } : reply.usage;
  return {
    content: [
      ...(reasoning === undefined ? [] : [{ type: "reasoning", text: reasoning }]),
      ...(text === undefined ? [] : [{ type: "text", text }]),
      ...calls.map(({ id, name, input }) => ({
        type: "tool-call",
        toolCallId: id,
        toolName: name,
        input,
      })),
    ],
    finishReason: version === 5 ? reason : { unified: reason, raw: reason },
    usage:
      version === 5
        ? {
            inputTokens: usage?.input,
            outputTokens: usage?.output,
            cachedInputTokens: usage?.cached,
          }
        : {
            inputTokens: { total: usage?.input, cacheRead: usage?.cached },
            outputTokens: { total: usage?.output },
          },
  };
}

function streamOf(
  { content, finishReason, usage }: Answer,
  breaks: string | undefined,
): ReadableStream<unknown> {
  const parts = content.flatMap((part, index): readonly object[] => {
    const id = String(index);
    if (part.type === "text" || part.type === "reasoning") {
      return [
        { type: `${part.type}-start`, id },
        { type: `${part.type}-delta`, id, delta: part.text },
        { type: `${part.type}-end`, id },
      ];
    }
    return [part];
  });
  const last =
    breaks === undefined
      ? { type: "finish", finishReason, usage }
      : { type: "error", error: new Error(breaks) };
  return new ReadableStream({
    start(controller) {
      for (const part of [{ type: "stream-start", warnings: [] }, ...parts, last])
        controller.enqueue(part);
      controller.close();
    },
  });
}
