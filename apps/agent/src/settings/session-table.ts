import type { SchemaObject } from "@toolcontract/core";
import { SESSION_OPTIONS } from "@toolcontract/session/adapter";
import type { ModelSettings } from "./model-settings.ts";

/** A value of `session`, a provider or a target. */
export interface AgentOption {
  readonly key: string;
  readonly schema: SchemaObject;
  readonly about: string;
  /** The default; an option without one is off, or the provider's. */
  readonly fallback?: string | number | boolean | undefined;
}

const anyNumber: SchemaObject = { type: "number" };
const wholeFromOne: SchemaObject = { type: "integer", minimum: 1 };
const names: SchemaObject = { type: "array", items: { type: "string", minLength: 1 } };
const anyObject: SchemaObject = { type: "object", additionalProperties: {} };

/** The options of a session that a file sets, by their names in code. */
export const SESSION_FILE_OPTIONS: ReadonlyMap<string, AgentOption> = new Map(
  Object.entries(SESSION_OPTIONS).flatMap(([name, option]) =>
    option.key === undefined ? [] : [[name, option] as const],
  ),
);

/** The options that the files of an agent set elsewhere than below `session`. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  queues: "the key is queues, beside session",
  queueOf: "set `queue` in a server of mcp_servers",
};

/** What to do about the name of an option of a session that `session` has no key for. */
export function insteadOf(name: string): string {
  return ELSEWHERE[name] ?? `pass \`${name}\` in code: it can't be set in a file`;
}

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
    schema: wholeFromOne,
    about: "How many of the likeliest tokens are sampled from.",
  },
  maxOutputTokens: {
    key: "max_output_tokens",
    schema: wholeFromOne,
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
    schema: {
      type: "string",
      enum: ["provider-default", "none", "minimal", "low", "medium", "high", "xhigh", "max"],
    },
    about: "How hard the model thinks.",
  },
  providerOptions: {
    key: "provider_options",
    schema: { type: "object", additionalProperties: anyObject },
    about: "Options of one provider, by its name.",
  },
};
