/**
 * The finish reasons that say that the provider ended the output before the model did.
 *
 * In lower case with underscores: OpenAI, Mistral, Ollama and the AI SDK say `length`, OpenAI Responses
 * `max_output_tokens`, Anthropic, Bedrock, Gemini and Cohere `max_tokens` and kin, Mistral `model_length`,
 * watsonx `token_limit`; filters and refusals end an output in the middle just as well.
 */
export const CUTTING_FINISH_REASONS: ReadonlySet<string> = new Set([
  "length",
  "max_length",
  "model_length",
  "max_tokens",
  "max_output_tokens",
  "max_completion_tokens",
  "max_new_tokens",
  "token_limit",
  "context_length_exceeded",
  "model_context_window_exceeded",
  "content_filter",
  "content_filtered",
  "guardrail_intervened",
  "refusal",
  "safety",
  "recitation",
]);

/** Tells whether a provider's finish reason means that the output was cut. */
export function isCuttingFinishReason(reason: string | undefined): boolean {
  return (
    typeof reason === "string" &&
    reason.length <= 64 &&
    CUTTING_FINISH_REASONS.has(reason.toLowerCase().replaceAll(/[\s-]/g, "_"))
  );
}
