/** How an output ended. */
export type Ending =
  /** The model ended it, so that nothing of it is missing. */
  | "whole"
  /** The provider wants it back, and goes on with it in another request. */
  | "pause"
  | "length"
  | "filter"
  | "refusal"
  /** The provider could not read what the model wrote. */
  | "malformed"
  /** The provider's or the server's own failure. */
  | "failure";

/**
 * The finish reasons of all APIs, in lower case with underscores.
 *
 * `whole`: OpenAI has `stop`, `tool_calls`, `function_call`, and `completed` for Responses and Realtime; Anthropic and Bedrock
 * `end_turn`, `tool_use` and `stop_sequence`; Gemini `STOP`, and `requires_action` for Interactions; Cohere `COMPLETE` and
 * `TOOL_CALL`. The rest are of the servers that people run themselves.
 *
 * `length`: OpenAI, Mistral, Ollama and the AI SDK use `length`, OpenAI Responses `max_output_tokens`, Anthropic, Bedrock, Gemini
 * and Cohere `max_tokens` and the like, Mistral `model_length`, watsonx `token_limit`.
 */
const ENDINGS: Readonly<Record<Ending, readonly string[]>> = {
  whole: [
    "stop",
    "tool_calls",
    "tool_call",
    "tool_use",
    "function_call",
    "completed",
    "complete",
    "requires_action",
    "end",
    "end_turn",
    "stop_sequence",
    "stop_string_found",
    "eos",
    "eos_token",
    "eos_found",
    "finish",
    "finished",
  ],
  pause: ["pause_turn"],
  length: [
    "length",
    "max_length",
    "model_length",
    "max_tokens",
    "max_output_tokens",
    "max_completion_tokens",
    "max_new_tokens",
    "token_limit",
    "error_limit",
    "context_length_exceeded",
    "model_context_window_exceeded",
  ],
  filter: [
    "content_filter",
    "content_filtered",
    "guardrail_intervened",
    "safety",
    "recitation",
    "blocklist",
    "prohibited_content",
    "spii",
    "language",
    "image_safety",
    "image_prohibited_content",
    "image_recitation",
    "sensitive",
    "error_toxic",
  ],
  refusal: ["refusal"],
  malformed: [
    "malformed_function_call",
    "malformed_response",
    "malformed_tool_use",
    "malformed_model_output",
    "unexpected_tool_call",
    "too_many_tool_calls",
    "missing_thought_signature",
  ],
  failure: [
    "error",
    "failed",
    "cancelled",
    "incomplete",
    "in_progress",
    "queued",
    "interrupted",
    "aborted",
    "abort",
    "timeout",
    "time_limit",
    "not_finished",
    "user_cancel",
    "user_stopped",
    "turn_detected",
    "load",
    "unload",
    "budget_exceeded",
    "insufficient_system_resource",
  ],
};

/** What a reason of another API says, by its words. */
const WORDS: readonly (readonly [RegExp, Ending])[] = [
  [/(?:^|_)malformed(?:_|$)/, "malformed"],
  [/(?:^|_)(?:filter(?:ed)?|safety|blocklist|prohibited|guardrails?|moderation)(?:_|$)/, "filter"],
  [/(?:^|_)refus(?:al|ed)(?:_|$)/, "refusal"],
  [
    /(?:^|_)(?:errors?|fail(?:ed|ure)?|abort(?:ed)?|cancell?ed|interrupted|disconnected|overloaded|unavailable|timed?_?out)(?:_|$)/,
    "failure",
  ],
];

const ENDING_OF: ReadonlyMap<string, Ending> = new Map(
  Object.entries(ENDINGS).flatMap(([ending, reasons]) =>
    reasons.map((reason) => [reason, ending as Ending] as const),
  ),
);

const { whole, pause, length, filter, refusal } = ENDINGS;

/** The finish reasons of an output that the provider ended before the model did. Filters and refusals also end one in the middle. */
export const CUTTING_FINISH_REASONS: ReadonlySet<string> = new Set([
  ...length,
  ...filter,
  ...refusal,
]);

/** The finish reasons of an output that the model itself ended, so that nothing of it is missing. */
export const WHOLE_FINISH_REASONS: ReadonlySet<string> = new Set([...whole, ...pause]);

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

/** How an output ended, from the reason that was given; undefined for a reason that is in no list. */
export function endingOf(reason: string): Ending | undefined {
  const words = wordsOf(reason);
  return ENDING_OF.get(words) ?? WORDS.find(([pattern]) => pattern.test(words))?.[1];
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

const KNOWN = [...ENDING_OF.keys()].toSorted((one, other) => other.length - one.length);
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
