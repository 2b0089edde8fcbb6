import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { ToolContractError } from "@toolcontract/core";
import type { Target } from "@toolcontract/session";
import { gateway, type LanguageModel, wrapLanguageModel } from "ai";

/** Call settings that a target overrides, as the SDK names them. */
export type TargetSettings = Partial<
  Omit<
    LanguageModelV4CallOptions,
    "prompt" | "tools" | "toolChoice" | "abortSignal" | "responseFormat" | "includeRawChunks"
  >
>;

/** A model that attempts may go to. */
export type SdkTarget = Target<LanguageModel, TargetSettings>;

/** A target whose model is an object in the format of the installed SDK. */
export interface ResolvedTarget extends Omit<SdkTarget, "model"> {
  readonly model: LanguageModelV4;
}

/** Looks up models given by name, and converts those of an older format. */
export function resolveTarget(target: SdkTarget): ResolvedTarget {
  const { model } = target;
  const found = typeof model === "string" ? byName(model) : model;
  if (typeof (found as Partial<LanguageModelV4>).doGenerate !== "function") {
    throw new ToolContractError(
      'agentSession: `model` of a target must be a language model, such as openai("gpt-5"), or its name.',
    );
  }
  // Without any middleware, this only converts the model to the SDK's own format.
  return {
    ...target,
    model: wrapLanguageModel({ model: found as LanguageModelV4, middleware: [] }),
  };
}

/** The SDK's own way to find a model by its name. */
function byName(name: string): LanguageModel {
  return (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(name);
}
