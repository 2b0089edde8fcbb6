/** The wire format that the scripted model speaks. */
export type Api = "openai-chat" | "openai-responses" | "anthropic" | "gemini";

/** The wire formats, by the name that `--api` takes. */
export const APIS: readonly Api[] = ["openai-chat", "openai-responses", "anthropic", "gemini"];
