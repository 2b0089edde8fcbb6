import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { LanguageModel } from "ai";
import type { Sdk } from "./sdk.ts";

/** One answer, part by part as a provider sends it; a generated answer has the same content. */
export interface RawAnswer {
  /** The parts of the content, such as `{ type: "text", text }`. */
  readonly content?: readonly RawPart[];
  /** Instead of the content, the parts of the stream, without its beginning; nothing is added at the end. */
  readonly parts?: readonly unknown[];
  /** The stream stays open after its parts. */
  readonly stays?: boolean;
  readonly finishReason?: string;
  /** What the request fails with. */
  readonly fails?: { readonly with: unknown };
  /** As the provider reports it; 10 and 5 tokens by default. */
  readonly usage?: unknown;
}

export interface RawPart {
  readonly type: string;
  readonly [member: string]: unknown;
}

export interface RawModel {
  readonly model: LanguageModel;
  readonly requests: LanguageModelV4CallOptions[];
}

type Answers =
  | readonly RawAnswer[]
  | ((index: number, options: LanguageModelV4CallOptions) => RawAnswer | Promise<RawAnswer>);

const FORMATS = { 5: "v2", 6: "v3", 7: "v4" } as const;

/** Creates a model that sends exactly these parts; after the last answer it says "end of the script". */
export function rawModel(version: Sdk["version"], answers: Answers, provider = "raw"): RawModel {
  const requests: LanguageModelV4CallOptions[] = [];
  const next = async (options: LanguageModelV4CallOptions): Promise<RawAnswer> => {
    const index = requests.push(options) - 1;
    const answer =
      typeof answers === "function"
        ? await answers(index, options)
        : (answers[index] ?? { content: [{ type: "text", text: "end of the script" }] });
    if (answer.fails) throw answer.fails.with;
    return answer;
  };
  const model = {
    specificationVersion: FORMATS[version],
    provider,
    modelId: "raw",
    supportedUrls: {},
    async doGenerate(options: LanguageModelV4CallOptions) {
      const answer = await next(options);
      return { content: answer.content ?? [], ...endOf(answer, version), warnings: [] };
    },
    async doStream(options: LanguageModelV4CallOptions) {
      const answer = await next(options);
      const parts = answer.parts ?? [
        ...(answer.content ?? []).flatMap(streamed),
        { type: "finish", ...endOf(answer, version) },
      ];
      return { stream: streamOf([{ type: "stream-start", warnings: [] }, ...parts], answer.stays) };
    },
  };
  return { model: model as unknown as LanguageModel, requests };
}

/** A part that calls a tool. */
export function call(toolCallId: string, toolName: string, input: unknown = {}): RawPart {
  return {
    type: "tool-call",
    toolCallId,
    toolName,
    input: typeof input === "string" ? input : JSON.stringify(input),
  };
}

/** A part that gives the final report. */
export function report(content: string, toolCallId = "report"): RawPart {
  return call(toolCallId, "agent__final_report", { format: "markdown", content });
}

/** A part that says something. */
export function text(words: string): RawPart {
  return { type: "text", text: words };
}

/** How an answer ends, in the words of a version. */
export function endOf(
  { content = [], finishReason, usage }: RawAnswer,
  version: Sdk["version"],
): { readonly finishReason: unknown; readonly usage: unknown } {
  const calls = content.some(({ type }) => type === "tool-call");
  const reason = finishReason ?? (calls ? "tool-calls" : "stop");
  const standard =
    version === 5
      ? { inputTokens: 10, outputTokens: 5, totalTokens: 15 }
      : { inputTokens: { total: 10 }, outputTokens: { total: 5 } };
  return {
    finishReason: version === 5 ? reason : { unified: reason, raw: reason },
    usage: usage === undefined ? standard : usage,
  };
}

function streamed(part: RawPart, index: number): readonly object[] {
  const { type, text: words, providerMetadata } = part;
  if (type !== "text" && type !== "reasoning") return [part];
  const id = String(index);
  return [
    { type: `${type}-start`, id },
    { type: `${type}-delta`, id, delta: words },
    { type: `${type}-end`, id, ...(providerMetadata !== undefined && { providerMetadata }) },
  ];
}

function streamOf(parts: readonly unknown[], stays = false): ReadableStream<unknown> {
  const left = [...parts];
  return new ReadableStream({
    pull(controller) {
      if (left.length > 0) controller.enqueue(left.shift());
      else if (stays) return new Promise<void>(() => undefined);
      else controller.close();
      return undefined;
    },
  });
}
