import type { Sdk } from "./sdk.ts";

/** The provider packages that belong to a version of the SDK. */
export interface Providers {
  readonly createAnthropic: typeof import("@ai-sdk/anthropic").createAnthropic;
  readonly createOpenAI: typeof import("@ai-sdk/openai").createOpenAI;
}

const PACKAGES = {
  7: async () => Promise.all([import("@ai-sdk/anthropic"), import("@ai-sdk/openai")]),
  6: async () => Promise.all([import("anthropic-for-ai6"), import("openai-for-ai6")]),
  5: async () => Promise.all([import("anthropic-for-ai5"), import("openai-for-ai5")]),
} as const;

/** Loads the packages; the tests use only what has the same types in all versions. */
export async function importProviders(version: Sdk["version"]): Promise<Providers> {
  const [{ createAnthropic }, { createOpenAI }] = await PACKAGES[version]();
  return { createAnthropic, createOpenAI } as unknown as Providers;
}
