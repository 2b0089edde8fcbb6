import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { LanguageModel } from "ai";

/** What the model does in one turn: it says something, or makes calls with arguments as a string. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly finishReason?: "stop" | "length" | "tool-calls";
}

/** A call as a provider passes it on. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly providerExecuted?: true;
}

/** A model that plays turns in order and records its requests. */
export interface ScriptedModel {
  readonly model: LanguageModel;
  readonly requests: LanguageModelCall[];
}

/** One request to the model. */
type LanguageModelCall = Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "toolChoice">;

const FORMATS = { 5: "v2", 6: "v3", 7: "v4" } as const;

/** Creates a model in the provider format of an SDK version. */
export function scriptedModel(
  version: keyof typeof FORMATS,
  turns: readonly ScriptedTurn[],
): ScriptedModel {
  const requests: LanguageModelCall[] = [];
  const next = (options: LanguageModelCall): Answer => {
    const turn = turns[requests.length] ?? { text: "end of the script" };
    requests.push(options);
    return answerOf(turn, version);
  };
  const model = {
    specificationVersion: FORMATS[version],
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async (options: LanguageModelCall) => ({ ...next(options), warnings: [] }),
    doStream: async (options: LanguageModelCall) => ({ stream: streamOf(next(options)) }),
  };
  return { model: model as unknown as LanguageModel, requests };
}

interface Answer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly finishReason: unknown;
  readonly usage: unknown;
}

function answerOf({ text, calls = [], finishReason }: ScriptedTurn, version: number): Answer {
  const reason = finishReason ?? (calls.length > 0 ? "tool-calls" : "stop");
  const spoken = text === undefined ? [] : [{ type: "text", text }];
  const made = calls.map(({ id, name, ...rest }) => ({
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    ...rest,
  }));
  return {
    content: [...spoken, ...made],
    finishReason: version === 5 ? reason : { unified: reason, raw: reason },
    usage:
      version === 5
        ? { inputTokens: 10, outputTokens: 5, totalTokens: 15 }
        : { inputTokens: { total: 10 }, outputTokens: { total: 5 } },
  };
}

function streamOf({ content, finishReason, usage }: Answer): ReadableStream<unknown> {
  const parts = content.flatMap((part): readonly object[] =>
    part.type === "text"
      ? [
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: part.text },
          { type: "text-end", id: "1" },
        ]
      : [part],
  );
  const all = [
    { type: "stream-start", warnings: [] },
    ...parts,
    { type: "finish", finishReason, usage },
  ];
  return new ReadableStream({
    start(controller) {
      for (const part of all) controller.enqueue(part);
      controller.close();
    },
  });
}
