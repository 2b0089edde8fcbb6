import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { ChatAnthropic } from "@langchain/anthropic";
import type { AIMessageChunk, UsageMetadata } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { type LanguageModel, type ToolSet, generateText, jsonSchema, streamText, tool } from "ai";
import type { WireServer } from "../index.ts";

/** What a client read. */
interface ClientAnswer {
  readonly text: string;
  readonly inputs: readonly unknown[];
  readonly reason: unknown;
  /** Input, output and cached tokens. */
  readonly tokens: readonly unknown[];
}

/** A real client, in one of its modes. */
export interface WireClient {
  readonly name: string;
  /** Makes one request and waits for its end; throws what the client throws. */
  readonly ask: (server: WireServer, signal?: AbortSignal) => Promise<ClientAnswer>;
}

const tools: ToolSet = { read_file: tool({ inputSchema: jsonSchema({ type: "object" }) }) };
const MODELS = { openai: "gpt-4.1", anthropic: "claude-sonnet-4-5" };

function sdkModel(api: keyof typeof MODELS, server: WireServer): LanguageModel {
  return api === "openai"
    ? createOpenAI({ baseURL: server.openaiUrl, apiKey: "none" }).chat(MODELS.openai)
    : createAnthropic({ baseURL: `${server.anthropicUrl}/v1`, apiKey: "none" })(MODELS.anthropic);
}

function sdkClient(api: keyof typeof MODELS): WireClient {
  return {
    name: `AI SDK, ${api}`,
    async ask(server, abortSignal) {
      const model = sdkModel(api, server);
      const options = {
        model,
        tools,
        prompt: "hi",
        maxRetries: 0,
        ...(abortSignal && { abortSignal }),
      };
      return readResult(await generateText(options));
    },
  };
}

function sdkStream(api: keyof typeof MODELS): WireClient {
  return {
    name: `AI SDK, ${api}, streaming`,
    async ask(server, abortSignal) {
      const model = sdkModel(api, server);
      const options = {
        model,
        tools,
        prompt: "hi",
        maxRetries: 0,
        ...(abortSignal && { abortSignal }),
      };
      let failure: unknown;
      const result = streamText({ ...options, onError: ({ error }) => void (failure = error) });
      await result.consumeStream();
      if (failure !== undefined) throw failure as Error;
      const [text, toolCalls, finishReason, usage] = await Promise.all([
        result.text,
        result.toolCalls,
        result.finishReason,
        result.usage,
      ]);
      return readResult({ text, toolCalls, finishReason, usage });
    },
  };
}

interface SdkResult {
  readonly text: string;
  readonly toolCalls: readonly { readonly input: unknown }[];
  readonly finishReason: string;
  readonly usage: {
    readonly inputTokens: number | undefined;
    readonly outputTokens: number | undefined;
    readonly inputTokenDetails: { readonly cacheReadTokens: number | undefined };
  };
}

function readResult({ text, toolCalls, finishReason, usage }: SdkResult): ClientAnswer {
  const { inputTokens, outputTokens, inputTokenDetails } = usage;
  return {
    text,
    inputs: toolCalls.map(({ input }) => input),
    reason: finishReason,
    tokens: [inputTokens, outputTokens, inputTokenDetails.cacheReadTokens],
  };
}

function chainModel(api: keyof typeof MODELS, server: WireServer): ChatOpenAI | ChatAnthropic {
  const common = { model: MODELS[api], apiKey: "none", maxRetries: 0 };
  return api === "openai"
    ? new ChatOpenAI({ ...common, configuration: { baseURL: server.openaiUrl } })
    : new ChatAnthropic({ ...common, anthropicApiUrl: server.anthropicUrl });
}

function chainClient(api: keyof typeof MODELS): WireClient {
  return {
    name: `LangChain, ${api}`,
    ask: async (server, signal) =>
      readMessage(await chainModel(api, server).invoke("hi", signal && { signal })),
  };
}

function chainStream(api: keyof typeof MODELS): WireClient {
  return {
    name: `LangChain, ${api}, streaming`,
    async ask(server, signal) {
      let whole: AIMessageChunk | undefined;
      for await (const chunk of await chainModel(api, server).stream("hi", signal && { signal })) {
        whole = whole === undefined ? chunk : whole.concat(chunk);
      }
      if (whole === undefined) throw new Error("the stream was empty");
      return readMessage(whole);
    },
  };
}

const REASONS: Readonly<Record<string, string>> = {
  end_turn: "stop",
  max_tokens: "length",
  tool_calls: "tool-calls",
  tool_use: "tool-calls",
};

function readMessage(message: AIMessageChunk): ClientAnswer {
  const { text, tool_calls = [], response_metadata, additional_kwargs } = message;
  const usage = message.usage_metadata as UsageMetadata | undefined;
  const metadata = { ...additional_kwargs, ...response_metadata };
  const reason = String(metadata["finish_reason"] ?? metadata["stop_reason"]);
  return {
    text,
    inputs: tool_calls.map(({ args }) => args),
    reason: REASONS[reason] ?? reason,
    tokens: [usage?.input_tokens, usage?.output_tokens, usage?.input_token_details?.cache_read],
  };
}

/** The clients of both frameworks, for both wires, streaming and not. */
export const WIRE_CLIENTS: readonly WireClient[] = (["openai", "anthropic"] as const).flatMap(
  (api) => [sdkClient(api), sdkStream(api), chainClient(api), chainStream(api)],
);
