// The messages of providers' APIs, for own loops: what a contract needs of them, and what it answers. No SDK is imported.
export { anthropic, cohere, gemini, mistral, ollama } from "./wire/index.ts";
export { openai, realtime, responses } from "./wire/index.ts";
export type { Answered, WireTexts, WireTurn } from "./wire/index.ts";
