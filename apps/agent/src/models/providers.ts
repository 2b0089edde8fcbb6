import type { LanguageModelV4 } from "@ai-sdk/provider";
import { watchedFetch } from "@toolcontract/session/adapter";
import type { ProviderConfig } from "../settings/index.ts";
import { readScript } from "./script.ts";
import { scriptedModels } from "./scripted-model.ts";

/** Makes the model of a provider by its id. */
export type ModelOf = (id: string) => LanguageModelV4;

/** The models of a provider, whose package is loaded only now. */
export async function modelsOf(name: string, provider: ProviderConfig): Promise<ModelOf> {
  // The configuration has the address and the script where the type needs them.
  const { apiKey, headers, baseUrl, script = "" } = provider;
  const options = {
    fetch: watchedFetch,
    ...(apiKey !== undefined && { apiKey }),
    ...(headers && { headers }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
  };
  switch (provider.type) {
    case "scripted":
      return scriptedModels(readScript(script));
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const openai = createOpenAI(options);
      return (id) => (provider.api === "responses" ? openai.responses(id) : openai.chat(id));
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      const anthropic = createAnthropic(options);
      return (id) => anthropic.messages(id);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      // Without it a stream says nothing of its tokens, and no limit on them holds.
      const compatible = createOpenAICompatible({
        name,
        baseURL: "",
        includeUsage: true,
        ...options,
      });
      return (id) => compatible.chatModel(id);
    }
  }
}
