import type { KitEnvironment } from "../play/index.ts";
import type { KitTool } from "../shared/index.ts";
import { anthropicClient } from "./anthropic-client.ts";
import { geminiClient } from "./gemini-client.ts";
import type { ModelClient } from "./model-client.ts";
import { openaiChatClient } from "./openai-chat-client.ts";
import { openaiResponsesClient } from "./openai-responses-client.ts";

const CLIENTS = {
  "openai-chat": openaiChatClient,
  "openai-responses": openaiResponsesClient,
  anthropic: anthropicClient,
  gemini: geminiClient,
} as const;

/** A client of the wire format that is played. */
export function clientOf(environment: KitEnvironment, tools: readonly KitTool[]): ModelClient {
  return CLIENTS[environment.KIT_API](environment, tools);
}
