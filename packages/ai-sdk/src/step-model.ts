import { hasInexactNumbers, viewOf } from "@toolcontract/core/adapter";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
} from "@ai-sdk/provider";
import { gateway, type LanguageModel } from "ai";

// JavaScript and the SDK see no space in it, so the SDK cannot parse what ends in it.
const UNPARSED = "\u00A0";

/** A call as the model wrote it; its arguments are text. */
export type WrittenCall = Pick<LanguageModelV4ToolCall, "toolCallId" | "toolName" | "input">;

/** What the contract does between the SDK and the model of one step. */
export interface Between {
  /** Changes what the model is offered. */
  readonly offer: (request: LanguageModelV4CallOptions) => LanguageModelV4CallOptions;
  /** Whether the SDK must not read a call by itself: it then passes the text on to be repaired. */
  readonly isHeld: (call: WrittenCall) => boolean;
}

/**
 * The model of one step, with the contract between it and the SDK. All other members are the model's own, as they are when they are
 * read.
 *
 * @remarks The SDK also passes on arguments whose numbers it would round: it validates what it has parsed, and a schema cannot know
 * what the number was.
 */
export function stepModel(given: LanguageModel, between: Between): LanguageModel {
  // All versions of the format have these members; the types are those of version 7.
  const model = (typeof given === "string" ? modelNamed(given) : given) as LanguageModelV4;

  const passOn = <TPart extends ModelPart>(part: TPart): TPart => {
    if (!isOwnCall(part)) return part;
    const isHeld = between.isHeld(part);
    if (!isHeld && !hasInexactNumbers(part.input)) return part;
    const passed = { ...part, input: `${part.input}${UNPARSED}` };
    if (isHeld) held.add(passed);
    return passed;
  };

  return viewOf(model, {
    async doGenerate(request: LanguageModelV4CallOptions) {
      const result = await model.doGenerate(between.offer(request));
      return { ...result, content: result.content.map(passOn) };
    },
    async doStream(request: LanguageModelV4CallOptions) {
      const result = await model.doStream(between.offer(request));
      const parts = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform: (part, controller) => controller.enqueue(passOn(part)),
      });
      return { ...result, stream: result.stream.pipeThrough(parts) };
    },
  });
}

/** The SDK's own way to find a model by its name. */
export function modelNamed(name: string): LanguageModel {
  return (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(name);
}

/** A part of an answer. */
interface ModelPart {
  readonly type: string;
  readonly input?: unknown;
  readonly providerExecuted?: boolean | undefined;
}

function isOwnCall<TPart extends ModelPart>(part: TPart): part is TPart & WrittenCall {
  return (
    part.type === "tool-call" && part.providerExecuted !== true && typeof part.input === "string"
  );
}

const held = new WeakSet<object>();

/** The arguments as the model wrote them. */
export function writtenText(input: string): string {
  return input.endsWith(UNPARSED) ? input.slice(0, -UNPARSED.length) : input;
}

/** Lets the SDK read a call that was held, for its record of a call that it does not run. */
export function release(call: { input: string }): void {
  if (held.delete(call)) call.input = writtenText(call.input);
}
