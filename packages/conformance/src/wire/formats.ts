import type { Api } from "../shared/index.ts";
import { anthropicFormat } from "./anthropic.ts";
import { geminiFormat } from "./gemini.ts";
import { openaiChatFormat } from "./openai-chat.ts";
import { openaiResponsesFormat } from "./openai-responses.ts";
import type { WireFormat } from "./wire-format.ts";

/** The formats by name. */
export const FORMATS: Readonly<Record<Api, WireFormat>> = {
  "openai-chat": openaiChatFormat,
  "openai-responses": openaiResponsesFormat,
  anthropic: anthropicFormat,
  gemini: geminiFormat,
};
