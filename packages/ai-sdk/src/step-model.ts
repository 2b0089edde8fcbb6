import type { CheckResult } from "@toolcontract/core";
import {
  contentInWords,
  continuesKept,
  endedInWords,
  hasInexactNumbers,
  repairPrompt,
  streamInWords,
  viewOf,
} from "@toolcontract/core/adapter";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
} from "@ai-sdk/provider";
import { gateway, type LanguageModel } from "ai";
import { answeringModel } from "./answering-model.ts";
import type { JudgeAnswer } from "./judge-answer.ts";

// JavaScript and the SDK see no space in it, so the SDK cannot parse what ends in it.
const UNPARSED = "\u00A0";

/** A call as the model wrote it; its arguments are text. */
export type WrittenCall = Pick<LanguageModelV4ToolCall, "toolCallId" | "toolName" | "input">;

/** What the contract does between the SDK and the model of one step. */
export interface Between {
  /** Changes what the model is offered. */
  readonly offer: (request: LanguageModelV4CallOptions) => LanguageModelV4CallOptions;
  /** Judges the final answer, if it must fit a schema. */
  readonly judgeAnswer?: JudgeAnswer | undefined;
  /** Whether calls are held whose numbers the SDK would round. */
  readonly holdsInexact: boolean;
  /** Set if the model may call nothing: what it says if it does not say anything else. */
  readonly words?: string;
  /** Looks at a call that the model has made. */
  readonly look: (call: WrittenCall) => Promise<Held | undefined>;
}

/** A call that the SDK must not read by itself: it passes the text on to be repaired. */
export interface Held {
  /** What was found; undefined if it is still to be found out. */
  readonly checked?: CheckResult;
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
  const named = (typeof given === "string" ? modelNamed(given) : given) as LanguageModelV4;
  const model = between.judgeAnswer ? answeringModel(named, between.judgeAnswer) : named;

  return viewOf(model, {
    async doGenerate(request: LanguageModelV4CallOptions) {
      const answer = await model.doGenerate(sendable(between.offer(request), model));
      const result = between.words === undefined ? answer : inWords(answer, between.words);
      const content = await Promise.all(result.content.map(async (part) => passOn(part, between)));
      return { ...result, content };
    },
    async doStream(request: LanguageModelV4CallOptions) {
      const result = await model.doStream(sendable(between.offer(request), model));
      const parts = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        async transform(part, controller) {
          controller.enqueue(isOwnCall(part) ? await passOn(part, between) : part);
        },
      });
      const { words } = between;
      const shown =
        words === undefined ? result.stream : result.stream.pipeThrough(streamInWords(words));
      return { ...result, stream: shown.pipeThrough(parts) };
    },
  });
}

function inWords(
  result: LanguageModelV4GenerateResult,
  words: string,
): LanguageModelV4GenerateResult {
  const content = contentInWords(result.content, words);
  if (content === result.content) return result;
  const finishReason = endedInWords(result.finishReason) as typeof result.finishReason;
  return { ...result, content: [...content], finishReason };
}

/** The request with a history that every provider takes. */
export function sendable(
  request: LanguageModelV4CallOptions,
  { provider }: Pick<LanguageModelV4, "provider">,
): LanguageModelV4CallOptions {
  const { prompt, providerOptions } = request;
  const sent = repairPrompt(prompt, { provider, isKept: continuesKept(providerOptions) });
  return sent === prompt ? request : { ...request, prompt: [...sent] };
}

async function passOn<TPart extends ModelPart>(
  part: TPart,
  { look, holdsInexact }: Between,
): Promise<TPart> {
  if (!isOwnCall(part)) return part;
  const found = await look(part);
  if (!found && !(holdsInexact && hasInexactNumbers(part.input))) return part;
  const passed = { ...part, input: `${part.input}${UNPARSED}` };
  if (found) heldCalls.set(passed, found);
  return passed;
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

const heldCalls = new WeakMap<object, Held>();

/** The arguments as the model wrote them. */
export function writtenText(input: string): string {
  return input.endsWith(UNPARSED) ? input.slice(0, -UNPARSED.length) : input;
}

/** Why a call was held, if it was. From then on the SDK can read it, for its record of a call that it does not run. */
export function release(call: { input: string }): Held | undefined {
  const known = heldCalls.get(call);
  if (known) call.input = writtenText(call.input);
  return known;
}
