import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { contractFrom, oneOf, viewOf, type WithContract } from "@toolcontract/core/adapter";
import { jsonSchema, type LanguageModel } from "ai";
import { answeringModel } from "./answering-model.ts";
import { ADAPTER_OPTIONS } from "./guard.ts";
import { createAnswerJudge } from "./output.ts";
import type { OutputOptions } from "./output-options.ts";
import { modelNamed } from "./step-model.ts";

/**
 * How a model's objects are judged, with either a contract or the options of a new one.
 *
 * @example
 * ```ts
 * const options: GuardModelOptions = { maxAttempts: 3, escalate: "throw" };
 * ```
 * @see docs/final-answer.md
 */
export type GuardModelOptions = WithContract<{
  /**
   * What the object must be, for a schema that says more than its JSON Schema does, such as a refinement.
   *
   * @default the JSON Schema that the SDK asks for, and the contract's `maxAttempts`
   */
  readonly output?: OutputOptions;
  /**
   * `"throw"` throws an EscalationError after the last attempt.
   *
   * @default the SDK throws its own error
   */
  readonly escalate?: "throw";
  /** The conversation, as logs and events name it. */
  readonly conversationId?: string;
}>;

/**
 * A model whose objects the contract judges, for `generateObject` and `streamObject`: one that does not fit is asked for again, until its
 * attempts are spent. Whatever else the model is asked passes.
 *
 * @remarks What is streamed is the object that fits: its text is held back until then.
 * @throws ToolContractError if an option is unknown or has the wrong type.
 * @example
 * ```ts
 * const guarded = guardModel(model);
 * const { object } = await generateObject({ model: guarded, output: "no-schema", prompt: "Rate it" });
 * ```
 * @see docs/final-answer.md
 */
export function guardModel(model: LanguageModel, options: GuardModelOptions = {}): LanguageModel {
  const { output, conversationId: named, escalate } = options;
  const { output: isOutput, conversationId: isName } = ADAPTER_OPTIONS;
  const own = { output: isOutput, conversationId: isName, escalate: oneOf("throw") };
  const guard = {
    contract: contractFrom("guardModel", options, own),
    conversationId: named ?? "ai-sdk",
    isNamed: named !== undefined,
    escalate: escalate ?? "stop",
  } as const;
  // All versions of the format have these members; the types are those of version 7.
  const given = (typeof model === "string" ? modelNamed(model) : model) as LanguageModelV4;
  const judgeOf = output && createAnswerJudge(output, guard);
  const judged = ({ responseFormat: asked }: LanguageModelV4CallOptions): LanguageModelV4 => {
    if (asked?.type !== "json") return given;
    const judge = judgeOf ?? createAnswerJudge({ schema: jsonSchema(asked.schema ?? {}) }, guard);
    return answeringModel(given, judge(undefined));
  };
  return viewOf(given, {
    doGenerate: async (request: LanguageModelV4CallOptions) => judged(request).doGenerate(request),
    doStream: async (request: LanguageModelV4CallOptions) => judged(request).doStream(request),
  });
}
