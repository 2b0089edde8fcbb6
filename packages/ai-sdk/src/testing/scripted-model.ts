import { APICallError, type LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { CallInReply, CaseReply } from "@toolcontract/case-table/sessions";
import type { LanguageModel } from "ai";
import { partsOf } from "./scripted-stream.ts";

/** What the model does in one turn: it says something, makes calls with arguments as a string, or fails. */
export interface ScriptedTurn extends Omit<CaseReply, "calls" | "finishReason"> {
  readonly finishReason?: string;
  /** The reason in the provider's own words, which version 5 does not know. */
  readonly rawReason?: string;
  readonly calls?: readonly ScriptedCall[];
}

/** A call as a provider passes it on. */
export interface ScriptedCall extends CallInReply {
  readonly providerExecuted?: true;
}

/** A model that plays turns and records its requests. */
export interface ScriptedModel {
  readonly model: LanguageModel;
  readonly requests: LanguageModelV4CallOptions[];
}

/** Turns in order, or a function that makes each when it is asked for. */
export type Script =
  | readonly ScriptedTurn[]
  | ((index: number, options: LanguageModelV4CallOptions) => ScriptedTurn | Promise<ScriptedTurn>);

/** What a model has besides its turns. */
interface Character {
  readonly provider?: string;
  /** Awaited in the middle of an answer that stalls. */
  readonly stall?: (signal: AbortSignal | undefined) => Promise<never>;
}

const FORMATS = { 5: "v2", 6: "v3", 7: "v4" } as const;

/** Creates a model in the provider format of an SDK version. */
export function scriptedModel(
  version: keyof typeof FORMATS,
  script: Script,
  { provider = "scripted", stall }: Character = {},
): ScriptedModel {
  const requests: LanguageModelV4CallOptions[] = [];
  const next = async (options: LanguageModelV4CallOptions): Promise<ScriptedTurn> => {
    const index = requests.push(options) - 1;
    const turn =
      typeof script === "function"
        ? await script(index, options)
        : (script[index] ?? { text: "end of the script" });
    if (turn.error) throw errorOf(turn.error);
    return turn;
  };
  const model = {
    specificationVersion: FORMATS[version],
    provider,
    modelId: "scripted",
    supportedUrls: {},
    async doGenerate(options: LanguageModelV4CallOptions) {
      const turn = await next(options);
      const { model: modelId } = turn;
      return {
        content: contentOf(turn),
        ...endOf(turn, version),
        warnings: [],
        ...(modelId !== undefined && { response: { modelId } }),
      };
    },
    async doStream(options: LanguageModelV4CallOptions) {
      const turn = await next(options);
      const parts = partsOf(turn, contentOf(turn), endOf(turn, version));
      return { stream: streamOf(parts, () => stall?.(options.abortSignal)) };
    },
  };
  return { model: model as unknown as LanguageModel, requests };
}

/** A part of an answer. */
export interface ScriptedPart {
  readonly type: string;
  readonly text?: string;
}

function contentOf({ text, reasoning, calls = [] }: ScriptedTurn): readonly ScriptedPart[] {
  return [
    ...(reasoning === undefined ? [] : [{ type: "reasoning", text: reasoning }]),
    ...(text === undefined ? [] : [{ type: "text", text }]),
    ...calls.map(({ id, name, ...rest }) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      ...rest,
    })),
  ];
}

/** How an answer ended: version 5 has words and numbers, later versions have objects. */
function endOf(
  { calls = [], finishReason, rawReason, usage }: ScriptedTurn,
  version: number,
): object {
  const reason = finishReason ?? (calls.length > 0 ? "tool-calls" : "stop");
  const tokens = usage === undefined ? { input: 10, output: 5 } : usage;
  const { input, output, cached } = tokens ?? {};
  return version === 5
    ? {
        finishReason: reason,
        usage: { inputTokens: input, outputTokens: output, cachedInputTokens: cached },
      }
    : {
        finishReason: { unified: reason, raw: rawReason ?? reason },
        usage: {
          inputTokens: { total: input, cacheRead: cached },
          outputTokens: { total: output },
        },
      };
}

function errorOf({
  message,
  status,
  headers = {},
  body,
  isString,
}: NonNullable<ScriptedTurn["error"]>): unknown {
  if (isString) return message;
  if (status === undefined) return new TypeError(message);
  return new APICallError({
    message,
    url: "https://provider.test",
    requestBodyValues: {},
    statusCode: status,
    responseHeaders: { ...headers },
    ...(body !== undefined && { responseBody: body }),
  });
}

/** The parts one by one; a part that is a word says how the stream ends. */
function streamOf(
  parts: readonly (object | "closes" | "stalls")[],
  stall: () => Promise<never> | undefined,
): ReadableStream<unknown> {
  const left = [...parts];
  return new ReadableStream({
    async pull(controller) {
      const part = left.shift();
      if (part === "stalls") await stall();
      else if (part === undefined || part === "closes") controller.close();
      else controller.enqueue(part);
    },
  });
}
