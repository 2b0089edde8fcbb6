import type { SchemaObject } from "@toolcontract/core";
import type { ModelSettings, SessionConfig } from "./settings.ts";

/** A value of `session`, a provider or a target, under its name in code. */
export interface AgentOption {
  readonly key: string;
  readonly schema: SchemaObject;
  readonly about: string;
  /** The default; an option without one is off, or the provider's. */
  readonly fallback?: string | number;
}

/** An option of a session that `session` has no key for, and what to do instead. */
interface OtherOption {
  readonly instead: string;
}

/** The options of a session that `session` has no key for. */
type OtherName =
  | "queues"
  | "queueOf"
  | "serverOf"
  | "estimateTokens"
  | "classifyError"
  | "price"
  | "trace"
  | "onEvent"
  | "clock"
  | "sleep";

/** Every option of a session: its key below `session`, or where else it is set. */
export type SessionOptions = Readonly<
  Record<keyof SessionConfig, AgentOption> & Record<OtherName, OtherOption>
>;

const wholeFrom = (minimum: number): SchemaObject => ({ type: "integer", minimum });
const oneOf = (...values: readonly string[]): SchemaObject => ({ type: "string", enum: values });
const anyNumber: SchemaObject = { type: "number" };
const names: SchemaObject = { type: "array", items: { type: "string", minLength: 1 } };
const anyObject: SchemaObject = { type: "object", additionalProperties: {} };
const inCode = (name: string): OtherOption => ({
  instead: `pass \`${name}\` in code: it can't be set in a file`,
});

/** Milliseconds that fit into a timer. */
export const MILLISECONDS: SchemaObject = { type: "integer", minimum: 1, maximum: 2 ** 31 - 1 };

/** The table of them; a test of types makes it complete. */
export const SESSION_OPTIONS: SessionOptions = {
  maxTurns: {
    key: "max_turns",
    schema: wholeFrom(1),
    fallback: 20,
    about: "How many model calls a run makes, retries not counted.",
  },
  maxRetries: {
    key: "max_retries",
    schema: wholeFrom(1),
    fallback: 3,
    about: "How many attempts a turn has in total.",
  },
  maxToolCallsPerTurn: {
    key: "max_tool_calls_per_turn",
    schema: wholeFrom(1),
    about: "How many tool calls of one turn run; no limit by default.",
  },
  toolTimeout: {
    key: "tool_timeout",
    schema: MILLISECONDS,
    about: "Milliseconds until a tool's call is given up, its time in a queue not counted.",
  },
  toolResponseMaxBytes: {
    key: "tool_response_max_bytes",
    schema: wholeFrom(1),
    about: "UTF-8 bytes of a result that the model reads; longer ones are truncated.",
  },
  truncateExempt: {
    key: "truncate_exempt",
    schema: names,
    about: "Tools whose results are never truncated.",
  },
  expectedOutputFormat: {
    key: "expected_output_format",
    schema: oneOf("markdown", "text", "json", "slack-block-kit", "sub-agent"),
    fallback: "markdown",
    about: "The format of the final report.",
  },
  outputSchema: {
    key: "output_schema",
    schema: anyObject,
    about: "The JSON Schema of the report, for the format json.",
  },
  plainText: {
    key: "plain_text",
    schema: oneOf("accept", "retry"),
    fallback: "accept",
    about: "Text without calls is the report (accept), or is answered with a notice (retry).",
  },
  transport: {
    key: "transport",
    schema: oneOf("native", "xml-final", "xml"),
    fallback: "native",
    about: "How calls and the report reach the model and back.",
  },
  rateLimitWait: {
    key: "rate_limit_wait",
    schema: oneOf("always", "same-target"),
    fallback: "always",
    about: "Whether a rate limit delays the next attempt on another target too.",
  },
  queues: { instead: "the key is queues, beside session" },
  queueOf: { instead: "set `queue` in a server of mcp_servers" },
  serverOf: inCode("serverOf"),
  estimateTokens: inCode("estimateTokens"),
  classifyError: inCode("classifyError"),
  price: inCode("price"),
  trace: inCode("trace"),
  onEvent: inCode("onEvent"),
  clock: inCode("clock"),
  sleep: inCode("sleep"),
};

/** The options of a session that a file sets, by their names in code. */
export const SESSION_FILE_OPTIONS: ReadonlyMap<string, AgentOption> = new Map(
  Object.entries<AgentOption | OtherOption>(SESSION_OPTIONS).flatMap(([name, option]) =>
    "key" in option ? [[name, option]] : [],
  ),
);

/** What is asked of a model: below `session`, in a provider and in a target, the last of which wins. */
export const MODEL_SETTINGS: Readonly<Record<keyof ModelSettings, AgentOption>> = {
  temperature: {
    key: "temperature",
    schema: { type: "number", minimum: 0 },
    about: "From 0 for the likeliest words; the range is the provider's.",
  },
  topP: {
    key: "top_p",
    schema: { type: "number", minimum: 0, maximum: 1 },
    about: "Nucleus sampling, from 0 to 1.",
  },
  topK: {
    key: "top_k",
    schema: wholeFrom(1),
    about: "How many of the likeliest tokens are sampled from.",
  },
  maxOutputTokens: {
    key: "max_output_tokens",
    schema: wholeFrom(1),
    about: "How many tokens an answer may have.",
  },
  presencePenalty: {
    key: "presence_penalty",
    schema: anyNumber,
    about: "How strongly words that are in the prompt are avoided.",
  },
  frequencyPenalty: {
    key: "frequency_penalty",
    schema: anyNumber,
    about: "How strongly words that were used often are avoided.",
  },
  repeatPenalty: {
    key: "repeat_penalty",
    schema: { type: "number", minimum: 0 },
    about: "How strongly repetition is avoided, by endpoints of the type openai-compatible only.",
  },
  stopSequences: {
    key: "stop_sequences",
    schema: names,
    about: "Strings at which the model stops.",
  },
  seed: {
    key: "seed",
    schema: { type: "integer" },
    about: "Makes answers repeatable, if the provider can.",
  },
  reasoning: {
    key: "reasoning",
    schema: oneOf("provider-default", "none", "minimal", "low", "medium", "high", "xhigh", "max"),
    about: "How hard the model thinks.",
  },
  providerOptions: {
    key: "provider_options",
    schema: { type: "object", additionalProperties: anyObject },
    about: "Options of one provider, by its name.",
  },
};
