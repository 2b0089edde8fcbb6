/** What is asked of a model, as the AI SDK names it. */
export interface ModelSettings {
  /** From 0 for the likeliest words; the range is the provider's. */
  readonly temperature?: number;
  /** Nucleus sampling, from 0 to 1. */
  readonly topP?: number;
  /** How many of the likeliest tokens are sampled from. */
  readonly topK?: number;
  /** How many tokens an answer may have. */
  readonly maxOutputTokens?: number;
  /** How strongly words that are in the prompt are avoided. */
  readonly presencePenalty?: number;
  /** How strongly words that were used often are avoided. */
  readonly frequencyPenalty?: number;
  /** `repeat_penalty` of the request, for endpoints of the type openai-compatible only; the AI SDK has no name for it. */
  readonly repeatPenalty?: number;
  /** Strings at which the model stops. */
  readonly stopSequences?: readonly string[];
  /** Makes answers repeatable, if the provider can. */
  readonly seed?: number;
  /** How hard the model thinks. */
  readonly reasoning?:
    | "provider-default"
    | "none"
    | "minimal"
    | "low"
    | "medium"
    | "high"
    | "xhigh"
    | "max";
  /** Options of one provider, by its name. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The limits of a run, as a session takes them; a limit that no file sets keeps the session's default. */
export interface SessionConfig {
  /** How many model calls a run makes, retries not counted. */
  readonly maxTurns?: number;
  /** How many attempts a turn has in total. */
  readonly maxRetries?: number;
  /** How many tool calls of one turn run. */
  readonly maxToolCallsPerTurn?: number;
  /** Milliseconds until a tool's call is given up. */
  readonly toolTimeout?: number;
  /** UTF-8 bytes of a result that the model reads. */
  readonly toolResponseMaxBytes?: number;
  /** Tools whose results are never truncated. */
  readonly truncateExempt?: readonly string[];
  /** The format of the final report. */
  readonly expectedOutputFormat?: "markdown" | "text" | "json" | "slack-block-kit" | "sub-agent";
  /** The JSON Schema of the report, for the format `"json"`. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** Whether text without calls is the report, or is answered with a notice and retried. */
  readonly plainText?: "accept" | "retry";
  /** How calls and the report reach the model and back. */
  readonly transport?: "native" | "xml-final" | "xml";
  /** Whether a rate limit delays the next attempt on another target too. */
  readonly rateLimitWait?: "always" | "same-target";
}
