import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Reasoning,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import {
  endingOf,
  isCuttingFinishReason,
  isJson,
  isWholeOutput,
  unifiedFinishReason,
} from "@toolcontract/core/adapter";
import type { ReplyFacts, TokenUsage } from "@toolcontract/session";
import { rawEnding, type RawEnding } from "./raw-ending.ts";

type ReplyPart = LanguageModelV4GenerateResult["content"][number] | LanguageModelV4StreamPart;
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Reads the parts of an answer, in the order in which they come. */
export interface ReplyReader {
  read(part: ReplyPart): void;
  /** Notes what the provider itself says of the end. */
  note(ending: RawEnding): void;
  facts(): ReplyFacts;
  /** What the next request repeats of an answer that goes on: its reasoning, its text, and what the provider ran. */
  said(): readonly LanguageModelV4Content[];
}

/** What the session needs to know of a whole answer. */
export function replyFacts(result: LanguageModelV4GenerateResult): ReplyFacts {
  const reader = createReplyReader({ streamed: false });
  for (const part of result.content) reader.read(part);
  reader.note(rawEnding(result.response?.body));
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

/** Creates a reader for one answer, which is `streamed` if its parts come one by one. */
export function createReplyReader({ streamed }: { readonly streamed: boolean }): ReplyReader {
  const facts: Mutable<ReplyFacts> & { calls: { id: string; name: string }[] } = {
    text: "",
    hasReasoning: false,
    calls: [],
  };
  if (streamed) facts.streamed = true;
  /** Calls that have begun and not ended. */
  const begun = new Set<string>();
  /** What the next request repeats, by the ids of its parts. */
  const said = new Map<string, LanguageModelV4Content>();
  let hasBrokenCall = false;
  /** The arguments of the last call, while nothing has come after it. */
  let lastInput: string | undefined;
  let own: RawEnding = {};

  function say(
    type: "text" | "reasoning",
    id: string,
    text: string,
    metadata: LanguageModelV4Reasoning["providerMetadata"],
  ): void {
    const key = `${type} ${id}`;
    const part = (said.get(key) ?? { type, text: "" }) as Mutable<LanguageModelV4Reasoning>;
    part.text += text;
    if (metadata) part.providerMetadata = { ...part.providerMetadata, ...metadata };
    said.set(key, part);
  }

  function noteEnd(given: unknown): void {
    const reason = endReason(given, own.reason);
    const ending = reason === undefined ? undefined : endingOf(reason);
    const isWhole = ending === "whole" || ending === "pause";
    if (reason !== undefined) facts.finishReason = reason;
    if (own.failed !== undefined && !isWhole) facts.failed = own.failed;
    // A call that a server broke off is not a call, whatever its words for it; what an unknown reason says of it is not known.
    const isCut = reason === undefined ? streamed : ending !== undefined && !isWhole;
    const isBroken = isCut && (hasBrokenCall || begun.size > 0);
    facts.cut = isBroken || mayBeCut(lastInput, streamed ? (reason ?? null) : reason);
  }

  return {
    note(ending) {
      own = { ...own, ...ending };
    },
    read(part) {
      if (!AFTER_CALL.has(part.type)) lastInput = undefined;
      switch (part.type) {
        case "raw":
          this.note(rawEnding(part.rawValue));
          break;
        case "text":
          facts.text += part.text;
          break;
        case "text-delta":
          facts.text += part.delta;
          say("text", part.id, part.delta, part.providerMetadata);
          break;
        case "reasoning":
          facts.hasReasoning ||= part.text.trim() !== "";
          break;
        case "reasoning-delta":
          facts.hasReasoning ||= part.delta.trim() !== "";
          say("reasoning", part.id, part.delta, part.providerMetadata);
          break;
        case "reasoning-start":
        case "reasoning-end":
          // Some providers sign a thought when it ends; one that is redacted has nothing else.
          say("reasoning", part.id, "", part.providerMetadata);
          break;
        case "tool-input-start":
          if (part.providerExecuted !== true) begun.add(part.id);
          break;
        case "tool-call":
          begun.delete(part.toolCallId);
          if (part.providerExecuted === true) {
            facts.hasOther = true;
            said.set(`call ${part.toolCallId}`, part);
            break;
          }
          hasBrokenCall ||= !isReadable(part.input);
          lastInput = part.input;
          facts.calls.push({ id: part.toolCallId, name: part.toolName });
          break;
        case "tool-result":
          said.set(`result ${part.toolCallId}`, part);
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
          noteEnd(part.finishReason);
          if (part.providerMetadata) facts.metadata = part.providerMetadata;
          break;
        }
        default:
      }
    },
    facts: () => facts,
    said: () =>
      [...said.values()].filter(
        (part) =>
          (part.type !== "text" && part.type !== "reasoning") ||
          part.text !== "" ||
          part.providerMetadata !== undefined,
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
function mayBeCut(input: string | undefined, reason: string | null | undefined): boolean {
  if (input === undefined || !isWithoutArguments(input)) return false;
  return input.trim() === "" ? !isWholeOutput(reason) : isCuttingFinishReason(reason);
}

/** Whether the arguments of a call can be parsed as they are. */
export function isReadable(input: string): boolean {
  // A call without arguments is one with an empty object.
  return input.trim() === "" || isJson(input);
}

/**
 * Why an answer ended. The SDK has few words, and version 5 nothing of the provider's: where the provider says more, or the SDK
 * says nothing, it is the provider's own.
 */
function endReason(given: unknown, own: string | undefined): string | undefined {
  const word = unifiedFinishReason(given);
  const isVague = word === undefined || word === "other";
  const { raw } = Object(given) as { readonly raw?: unknown };
  const words = [raw, own].filter((one) => typeof one === "string" && one !== "") as string[];
  const ending = isVague ? undefined : endingOf(word);
  const more = words.find((one) => {
    const said = endingOf(one);
    return said !== undefined && said !== "whole" && said !== ending;
  });
  return more ?? (isVague ? (words[0] ?? word) : word);
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
    ...cacheWrites(usage, metadata),
    ...audioOf(usage["raw"]),
  };
}

/** What was written to a cache: a number of the SDK, from version 6 on, and Anthropic's own, which say for how long. */
function cacheWrites(
  { inputTokens }: Readonly<Record<string, unknown>>,
  metadata: unknown,
): Pick<TokenUsage, "cacheWriteTokens" | "cacheWriteHourTokens"> {
  const { cacheWrite } = Object(inputTokens) as { readonly cacheWrite?: unknown };
  const numbers = anthropicUsage(metadata);
  const written = totalOf(cacheWrite) ?? totalOf(numbers["cache_creation_input_tokens"]) ?? 0;
  const { ephemeral_1h_input_tokens: hour } = Object(numbers["cache_creation"]) as {
    readonly ephemeral_1h_input_tokens?: unknown;
  };
  const hours = totalOf(hour) ?? 0;
  return {
    ...(written > 0 && { cacheWriteTokens: written }),
    ...(hours > 0 && hours <= written && { cacheWriteHourTokens: hours }),
  };
}

/** Tokens that were heard and spoken, in OpenAI's words. */
function audioOf(raw: unknown): Pick<TokenUsage, "audioInputTokens" | "audioOutputTokens"> {
  const { prompt_tokens_details: heard, completion_tokens_details: spoken } = Object(raw) as {
    readonly prompt_tokens_details?: unknown;
    readonly completion_tokens_details?: unknown;
  };
  const [input, output] = [heard, spoken].map((details) =>
    totalOf((Object(details) as { readonly audio_tokens?: unknown }).audio_tokens),
  );
  return {
    ...(input !== undefined && input > 0 && { audioInputTokens: input }),
    ...(output !== undefined && output > 0 && { audioOutputTokens: output }),
  };
}

/** Anthropic counts what goes through its cache apart from the input; version 5 passes its numbers on as they are. */
function cacheTokensApart(metadata: unknown): number {
  const numbers = anthropicUsage(metadata);
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = numbers;
  return (totalOf(read) ?? 0) + (totalOf(written) ?? 0);
}

function anthropicUsage(metadata: unknown): Readonly<Record<string, unknown>> {
  const { anthropic } = Object(metadata) as { readonly anthropic?: unknown };
  const { usage } = Object(anthropic) as { readonly usage?: unknown };
  return Object(usage) as Readonly<Record<string, unknown>>;
}

function totalOf(given: unknown): number | undefined {
  if (typeof given === "number") return given;
  const { total } = Object(given) as { readonly total?: unknown };
  return typeof total === "number" ? total : undefined;
}
