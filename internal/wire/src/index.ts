export { anthropicMessages } from "./anthropic-messages.ts";
export { eventText } from "./event-text.ts";
export { gemini } from "./gemini.ts";
export { openaiChat } from "./openai-chat.ts";
export { openaiResponses } from "./openai-responses.ts";
export {
  type WireReply,
  type WireRequest,
  type WireScript,
  type WireServer,
  serveWire,
} from "./serve-wire.ts";
export type { Json, WireError, WireForm, WireTurn, WireUsage } from "./turn.ts";
