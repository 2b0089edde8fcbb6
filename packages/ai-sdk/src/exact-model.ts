import { hasInexactNumbers } from "@toolcontract/core/adapter";
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { LanguageModel } from "ai";

// JavaScript and the SDK see no space in it, so the SDK cannot parse what ends in it.
const UNPARSED = "\u00A0";

const wrapped = new WeakMap<object, LanguageModel>();

/**
 * The model, with one change to its calls: the SDK cannot parse arguments whose numbers it would round, so it passes their
 * text on to be repaired.
 *
 * @remarks The SDK validates what it has parsed, and a schema cannot know what the number was. A model that is given by
 * its name is returned unchanged: only the SDK can look it up.
 */
export function exactModel(given: LanguageModel): LanguageModel {
  if (typeof given !== "object" || given === null) return given;
  const known = wrapped.get(given);
  if (known) return known;
  // All versions of the format have these members; the types are those of version 7.
  const model = given as LanguageModelV4;
  const { specificationVersion, provider, modelId } = model;
  const made: LanguageModelV4 = {
    specificationVersion,
    provider,
    modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    async doGenerate(params) {
      const result = await model.doGenerate(params);
      return { ...result, content: result.content.map(unparsed) };
    },
    async doStream(params) {
      const result = await model.doStream(params);
      const parts = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform: (part, controller) => controller.enqueue(unparsed(part)),
      });
      return { ...result, stream: result.stream.pipeThrough(parts) };
    },
  };
  wrapped.set(given, made);
  wrapped.set(made, made);
  return made;
}

/** A part of an answer; the arguments of a call are text. */
interface ModelPart {
  readonly type: string;
  readonly input?: unknown;
  readonly providerExecuted?: boolean | undefined;
}

function unparsed<TPart extends ModelPart>(part: TPart): TPart {
  const { type, input, providerExecuted } = part;
  const isRounded =
    type === "tool-call" &&
    providerExecuted !== true &&
    typeof input === "string" &&
    hasInexactNumbers(input);
  return isRounded ? { ...part, input: `${input}${UNPARSED}` } : part;
}

/** The arguments as the model wrote them. */
export function writtenText(input: string): string {
  return input.endsWith(UNPARSED) ? input.slice(0, -UNPARSED.length) : input;
}
