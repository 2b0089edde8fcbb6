import type { Agent } from "@openai/agents";
import { parseRejection } from "@toolcontract/core";
import type { ScriptedModel } from "./scripted-model.ts";
import type { Sdk } from "./sdk.ts";

export const WEATHER = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
} as const;
export const GOOD = '{"city":"Oslo"}';
const BAD = '{"city":5}';

/** A call that the tool refuses, and one that it takes. */
export const bad = (id: string, name = "get_weather") => ({ id, name, args: BAD });
export const good = (id: string, name = "get_weather") => ({ id, name, args: GOOD });

export const quiet = { logger: false } as const;

/** Which attempt an answer of the contract counts; undefined for any other answer. */
export function attemptOf(text: string | undefined): string | undefined {
  const read = parseRejection(text ?? "");
  return read && `${read.attempt}/${read.maxAttempts}`;
}

/** Creates, with one version of the SDK, a tool that says where the sun shines, and agents. */
export function weatherWith({ agents }: Sdk) {
  return {
    /** The tool, and what it was given. */
    weather: (more: object = {}) => {
      const runs: unknown[] = [];
      const tool = agents.tool({
        name: "get_weather",
        description: "The weather.",
        parameters: WEATHER as never,
        strict: false,
        execute: async (input: unknown) => {
          runs.push(input);
          return `Sunny in ${(input as { city: string }).city}`;
        },
        ...more,
      });
      return { tool, runs };
    },
    agentOf: (model: ScriptedModel, ...tools: readonly object[]): Agent =>
      new agents.Agent({ name: "a", model, tools: tools as never }),
  };
}
