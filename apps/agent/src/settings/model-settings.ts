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
