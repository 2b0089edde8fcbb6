/**
 * The finish reasons of an output that the provider ended before the model did.
 *
 * In lower case with underscores. OpenAI, Mistral, Ollama and the AI SDK use `length`, OpenAI Responses
 * `max_output_tokens`, Anthropic, Bedrock, Gemini and Cohere `max_tokens` and the like, Mistral `model_length`,
 * watsonx `token_limit`. Filters and refusals can also end an output in the middle.
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

/**
 * The finish reasons of an output that the model itself ended, so that nothing of it is missing.
 *
 * OpenAI has `stop`, `tool_calls`, `function_call`, and `completed` for Responses and Realtime; Anthropic and Bedrock `end_turn`,
 * `tool_use`, `stop_sequence` and `pause_turn`; Gemini `STOP`, and `requires_action` for Interactions; Cohere `COMPLETE` and
 * `TOOL_CALL`. The rest are of the servers that people run themselves.
 */
export const WHOLE_FINISH_REASONS: ReadonlySet<string> = new Set([
  "stop",
  "tool_calls",
  "tool_call",
  "tool_use",
  "function_call",
  "completed",
  "complete",
  "requires_action",
  "end_turn",
  "pause_turn",
  "stop_sequence",
  "stop_string_found",
  "eos",
  "eos_token",
  "eos_found",
  "finish",
  "finished",
]);

/** A provider's finish reason, verbatim: undefined if its API has none, null if it has one and has not said it. */
export type FinishReason = string | null | undefined;

/** Whether a provider ended an output before the model did, from the reason it gives. */
export function isCuttingFinishReason(reason: FinishReason): boolean {
  return typeof reason === "string" && CUTTING_FINISH_REASONS.has(wordsOf(reason));
}

/** Whether nothing of an output is missing. A reason that is in no list does not say so. */
export function isWholeOutput(reason: FinishReason): boolean {
  if (reason === undefined || reason === "") return true;
  return reason !== null && WHOLE_FINISH_REASONS.has(wordsOf(reason));
}

const MAX_REASON = 64;

/** A reason in lower case with underscores, however its API writes words. */
function wordsOf(reason: string): string {
  if (reason.length > MAX_REASON) return "";
  return reason
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[\s-]/g, "_");
}

const KNOWN = [...CUTTING_FINISH_REASONS, ...WHOLE_FINISH_REASONS].toSorted(
  (one, other) => other.length - one.length,
);
const JOINED = new RegExp(`^(?:(${KNOWN.join("|")})_?){2,}$`);

/** The last of the reasons that a client has joined to one string, chunk by chunk; any other reason as it is. */
export function lastFinishReason(reason: string): string {
  if (reason.length > MAX_REASON * 16) return reason;
  return JOINED.exec(reason.toLowerCase().replaceAll("-", "_"))?.[1] ?? reason;
}

/**
 * Reads a finish reason of the AI SDK: a word, or in later versions a word and what the provider said. Its `unknown` and, beside
 * nothing of the provider's, its `other` mean that there was no reason.
 */
export function unifiedFinishReason(given: unknown): string | undefined {
  if (typeof given === "string") return given === "unknown" ? undefined : given;
  if (typeof given !== "object" || given === null) return undefined;
  const { unified, raw } = given as { readonly unified?: unknown; readonly raw?: unknown };
  const isVague = unified === "other" || unified === "unknown";
  const reason = isVague ? raw : unified;
  return typeof reason === "string" ? reason : undefined;
}
