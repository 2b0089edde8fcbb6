// The official SDKs, in strict mode: their messages fit, what is written fits their requests, and another API's message does not.
import type Anthropic from "@anthropic-ai/sdk";
import type { Content, GenerateContentResponse } from "@google/genai";
import type { Mistral } from "@mistralai/mistralai";
import type { CohereClientV2 } from "cohere-ai";
import type { ChatResponse, Message } from "ollama";
import type OpenAI from "openai";
import { expectTypeOf, test } from "vitest";
import type { HandledInTurn } from "../call/index.ts";
import { anthropic, cohere, gemini, mistral, ollama, openai, responses } from "./index.ts";

declare const handled: readonly HandledInTurn[];
declare const chat: OpenAI.Chat.ChatCompletion;
declare const response: OpenAI.Responses.Response;
declare const message: Anthropic.Message;
declare const betaMessage: Anthropic.Beta.BetaMessage;
declare const content: GenerateContentResponse;
declare const ofMistral: Awaited<ReturnType<Mistral["chat"]["complete"]>>;
declare const ofOllama: ChatResponse;
declare const ofCohere: Awaited<ReturnType<CohereClientV2["chat"]>>;

type MistralMessages = Parameters<Mistral["chat"]["complete"]>[0]["messages"];
type CohereMessages = Parameters<CohereClientV2["chat"]>[0]["messages"];

type Read<T extends { read: (response: never) => unknown }> = Parameters<T["read"]>[0];

test("messages of the SDKs are read", () => {
  expectTypeOf<typeof chat>().toExtend<Read<typeof openai>>();
  expectTypeOf<undefined>().toExtend<Read<typeof openai>>();
  expectTypeOf<typeof response>().toExtend<Read<typeof responses>>();
  expectTypeOf<typeof message>().toExtend<Read<typeof anthropic>>();
  expectTypeOf<typeof betaMessage>().toExtend<Read<typeof anthropic>>();
  expectTypeOf<typeof content>().toExtend<Read<typeof gemini>>();
  expectTypeOf<typeof ofMistral>().toExtend<Read<typeof mistral>>();
  expectTypeOf<typeof ofOllama>().toExtend<Read<typeof ollama>>();
  expectTypeOf<typeof ofCohere>().toExtend<Read<typeof cohere>>();
});

test("answers fit the next request of the SDKs", () => {
  expectTypeOf(openai.write(handled)).toExtend<OpenAI.Chat.ChatCompletionMessageParam[]>();
  expectTypeOf(anthropic.write(handled)).toExtend<Anthropic.MessageParam[]>();
  expectTypeOf(anthropic.write(handled)).toExtend<Anthropic.Beta.BetaMessageParam[]>();
  expectTypeOf(gemini.write(handled)).toExtend<Content[]>();
  expectTypeOf(mistral.write(handled)).toExtend<MistralMessages>();
  expectTypeOf(ollama.write(handled)).toExtend<Message[]>();
  expectTypeOf(cohere.write(handled)).toExtend<CohereMessages>();
  expectTypeOf(responses.write(handled)).toExtend<OpenAI.Responses.ResponseInputItem[]>();
});

test("another API's message is refused", () => {
  expectTypeOf<typeof ofMistral>().not.toExtend<Read<typeof openai>>();
  expectTypeOf<typeof message>().not.toExtend<Read<typeof openai>>();
  expectTypeOf<typeof response>().not.toExtend<Read<typeof openai>>();
  expectTypeOf<typeof chat>().not.toExtend<Read<typeof mistral>>();
  expectTypeOf<typeof chat>().not.toExtend<Read<typeof anthropic>>();
  expectTypeOf<typeof response>().not.toExtend<Read<typeof anthropic>>();
  expectTypeOf<typeof message>().not.toExtend<Read<typeof responses>>();
  expectTypeOf<typeof message>().not.toExtend<Read<typeof gemini>>();
  expectTypeOf<typeof message>().not.toExtend<Read<typeof mistral>>();
  expectTypeOf<typeof response>().not.toExtend<Read<typeof mistral>>();
  expectTypeOf<typeof chat>().not.toExtend<Read<typeof gemini>>();
  expectTypeOf<typeof chat>().not.toExtend<Read<typeof ollama>>();
  expectTypeOf<typeof ofCohere>().not.toExtend<Read<typeof ollama>>();
  expectTypeOf<typeof ofOllama>().not.toExtend<Read<typeof cohere>>();
});
