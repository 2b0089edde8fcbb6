import type { LanguageModelV4 } from "@ai-sdk/provider";
import { ToolContractError } from "@toolcontract/core";
import type { SessionRun, Target } from "@toolcontract/session";
import { type LanguageModel, type ModelMessage, wrapLanguageModel } from "ai";
import { modelNamed } from "../step-model.ts";

/**
 * Call settings that a target overrides, as the SDK names them.
 *
 * @example
 * ```ts
 * const settings: TargetSettings = { temperature: 0, maxOutputTokens: 4096 };
 * ```
 */
export interface TargetSettings {
  /**
   * How many tokens an answer may have.
   *
   * @default the provider's limit
   */
  readonly maxOutputTokens?: number;
  /**
   * From 0 for the likeliest words; the range is the provider's.
   *
   * @default the provider's
   */
  readonly temperature?: number;
  /**
   * Nucleus sampling, from 0 to 1.
   *
   * @default the provider's
   */
  readonly topP?: number;
  /**
   * How many of the likeliest tokens are sampled from.
   *
   * @default the provider's
   */
  readonly topK?: number;
  /**
   * How strongly words that are in the prompt are avoided.
   *
   * @default the provider's
   */
  readonly presencePenalty?: number;
  /**
   * How strongly words that were used often are avoided.
   *
   * @default the provider's
   */
  readonly frequencyPenalty?: number;
  /** Strings at which the model stops. */
  readonly stopSequences?: string[];
  /**
   * Makes answers repeatable, if the provider can.
   *
   * @default none
   */
  readonly seed?: number;
  /** How hard the model thinks, in version 7; earlier versions set it in `providerOptions`. */
  readonly reasoning?:
    | "provider-default"
    | "none"
    | "minimal"
    | "low"
    | "medium"
    | "high"
    | "xhigh"
    | "max";
  /** Headers of the request. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Options of one provider, by its name, such as `{ anthropic: { thinking: … } }`. */
  readonly providerOptions?: NonNullable<ModelMessage["providerOptions"]>;
}

/** A model that attempts may go to. */
export type SdkTarget = Target<LanguageModel, TargetSettings>;

/** A target whose model is an object in the format of the installed SDK. */
export interface ResolvedTarget extends Omit<SdkTarget, "model"> {
  readonly model: LanguageModelV4;
}

/** One run of a session, as the parts of this package get it. */
export type SdkRun = SessionRun<ResolvedTarget>;

/** Looks up models given by name, and converts those of an older format. */
export function resolveTarget(target: SdkTarget, index: number): ResolvedTarget {
  const { model } = target;
  const found = typeof model === "string" ? modelNamed(model) : model;
  if (typeof (found as Partial<LanguageModelV4>).doGenerate !== "function") {
    throw new ToolContractError(
      `agentSession: targets[${index}]: \`model\` must be a language model, such as openai("gpt-5"), or its name.`,
    );
  }
  // Without any middleware, this only converts the model to the SDK's own format.
  return {
    ...target,
    model: wrapLanguageModel({ model: found as LanguageModelV4, middleware: [] }),
  };
}
