import type {
  LanguageModelV4GenerateResult,
  LanguageModelV4Reasoning,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import {
  isCuttingFinishReason,
  isJson,
  isWholeOutput,
  unifiedFinishReason,
} from "@toolcontract/core/adapter";
import type { ReplyFacts, TokenUsage } from "@toolcontract/session";

type ReplyPart = LanguageModelV4GenerateResult["content"][number] | LanguageModelV4StreamPart;
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Reads the parts of an answer, in the order in which they come. */
export interface ReplyReader {
  read(part: ReplyPart): void;
  facts(): ReplyFacts;
  /** The reasoning, as the next request repeats it. */
  reasoning(): readonly LanguageModelV4Reasoning[];
}

/** What the session needs to know of a whole answer. */
export function replyFacts(result: LanguageModelV4GenerateResult): ReplyFacts {
  const reader = createReplyReader();
  for (const part of result.content) reader.read(part);
  const { usage, finishReason, providerMetadata, response } = result;
  reader.read({
    type: "finish",
    usage,
    finishReason,
    ...(providerMetadata && { providerMetadata }),
  });
  const model = response?.modelId;
  return { ...reader.facts(), ...(model !== undefined && { model }) };
}

/** Creates a reader for one answer. */
export function createReplyReader(): ReplyReader {
  const facts: Mutable<ReplyFacts> & { calls: { id: string; name: string }[] } = {
    text: "",
    hasReasoning: false,
    calls: [],
  };
  /** Calls that have begun and not ended. */
  const begun = new Set<string>();
  const thoughts = new Map<string, Mutable<LanguageModelV4Reasoning>>();
  let hasBrokenCall = false;
  /** The arguments of the last call, while nothing has come after it. */
  let lastInput: string | undefined;

  function think(
    id: string,
    text: string,
    metadata: LanguageModelV4Reasoning["providerMetadata"],
  ): void {
    const thought = thoughts.get(id) ?? { type: "reasoning", text: "" };
    thought.text += text;
    if (metadata) thought.providerMetadata = { ...thought.providerMetadata, ...metadata };
    thoughts.set(id, thought);
  }

  return {
    read(part) {
      if (!AFTER_CALL.has(part.type)) lastInput = undefined;
      switch (part.type) {
        case "text":
          facts.text += part.text;
          break;
        case "text-delta":
          facts.text += part.delta;
          break;
        case "reasoning":
          facts.hasReasoning ||= part.text.trim() !== "";
          break;
        case "reasoning-delta":
          facts.hasReasoning ||= part.delta.trim() !== "";
          think(part.id, part.delta, part.providerMetadata);
          break;
        case "reasoning-start":
        case "reasoning-end":
          // Some providers sign a thought when it ends; one that is redacted has nothing else.
          think(part.id, "", part.providerMetadata);
          break;
        case "tool-input-start":
          if (part.providerExecuted !== true) begun.add(part.id);
          break;
        case "tool-call":
          begun.delete(part.toolCallId);
          if (part.providerExecuted === true) {
            facts.hasOther = true;
            break;
          }
          hasBrokenCall ||= !isReadable(part.input);
          lastInput = part.input;
          facts.calls.push({ id: part.toolCallId, name: part.toolName });
          break;
        case "file":
        case "source":
          facts.hasOther = true;
          break;
        case "response-metadata":
          if (part.modelId !== undefined) facts.model = part.modelId;
          break;
        case "finish": {
          const usage = usageOf(part.usage, part.providerMetadata);
          if (usage) facts.usage = usage;
          facts.finishReason = unifiedReason(part.finishReason);
          const isBroken = facts.finishReason === "length" && (hasBrokenCall || begun.size > 0);
          facts.cut = isBroken || mayBeCut(lastInput, unifiedFinishReason(part.finishReason));
          if (part.providerMetadata) facts.metadata = part.providerMetadata;
          break;
        }
        default:
      }
    },
    facts: () => facts,
    reasoning: () =>
      [...thoughts.values()].filter(
        ({ text, providerMetadata }) => text !== "" || providerMetadata,
      ),
  };
}

/** The parts that say nothing more of an answer. */
const AFTER_CALL: ReadonlySet<ReplyPart["type"]> = new Set(["response-metadata", "raw", "finish"]);

/** Whether a call has no arguments, or what a provider's client makes of none. */
export function isWithoutArguments(input: string): boolean {
  return /^\s*(?:\{\s*\})?\s*$/.test(input);
}

/** Whether the last call of an answer may have ended before its first argument. */
function mayBeCut(input: string | undefined, reason: string | undefined): boolean {
  if (input === undefined || !isWithoutArguments(input)) return false;
  return input.trim() === "" ? !isWholeOutput(reason) : isCuttingFinishReason(reason);
}

/** Whether the arguments of a call can be parsed as they are. */
export function isReadable(input: string): boolean {
  // A call without arguments is one with an empty object.
  return input.trim() === "" || isJson(input);
}

/** Version 5 has a word, later versions an object. */
function unifiedReason(given: unknown): string {
  const { unified = given } = Object(given) as { readonly unified?: unknown };
  return typeof unified === "string" ? unified : "unknown";
}

/** Version 5 has numbers, later versions an object for each side. */
function usageOf(given: unknown, metadata: unknown): TokenUsage | undefined {
  const usage = Object(given) as Readonly<Record<string, unknown>>;
  const reported = totalOf(usage["inputTokens"]);
  const outputTokens = totalOf(usage["outputTokens"]);
  if (reported === undefined || outputTokens === undefined) return undefined;
  const apart = reported === usage["inputTokens"] ? cacheTokensApart(metadata) : 0;
  const inputTokens = reported + apart;
  const { cacheRead } = Object(usage["inputTokens"]) as { readonly cacheRead?: unknown };
  const cachedTokens = totalOf(cacheRead ?? usage["cachedInputTokens"]);
  return {
    inputTokens,
    outputTokens,
    totalTokens: apart + (totalOf(usage["totalTokens"]) ?? reported + outputTokens),
    ...(cachedTokens !== undefined && { cachedTokens }),
  };
}

/** Anthropic counts what goes through its cache apart from the input; version 5 passes its numbers on as they are. */
function cacheTokensApart(metadata: unknown): number {
  const { anthropic } = Object(metadata) as { readonly anthropic?: unknown };
  const { usage } = Object(anthropic) as { readonly usage?: unknown };
  const numbers = Object(usage) as Readonly<Record<string, unknown>>;
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = numbers;
  return (totalOf(read) ?? 0) + (totalOf(written) ?? 0);
}

function totalOf(given: unknown): number | undefined {
  if (typeof given === "number") return given;
  const { total } = Object(given) as { readonly total?: unknown };
  return typeof total === "number" ? total : undefined;
}
