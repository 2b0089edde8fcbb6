import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { jsonOrText } from "@toolcontract/core/adapter";
import type { TargetRequest, TurnRequest } from "@toolcontract/session";
import { REPORT_TOOL } from "@toolcontract/session/adapter";
import type { ResolvedTarget, SdkRun } from "./targets.ts";
import type { Conversation } from "./conversation.ts";
import type { Offer } from "./offer.ts";
import { correctionFor } from "./correction.ts";
import { reasonForLoop } from "./finish-reason.ts";
import { replyFacts } from "./reply.ts";
import { sendable } from "../step-model.ts";
import type { SdkTimeout } from "./sdk-timeout.ts";
import { passOn, peek, type Peeked } from "./stream.ts";
import { inXml, overXml } from "./xml.ts";

type Prompt = LanguageModelV4CallOptions["prompt"];

/**
 * The model that the SDK's loop sees: each of its calls is one turn of the run, on whichever target answers.
 *
 * @remarks All targets use the format of the installed SDK version; the types here are those of version 7.
 */
export function sessionModel(
  run: SdkRun,
  targets: readonly ResolvedTarget[],
  {
    conversation,
    timeout,
    offer,
  }: {
    readonly conversation: Pick<Conversation, "request" | "answer" | "broken">;
    readonly timeout: Pick<SdkTimeout, "times">;
    readonly offer: Pick<Offer, "complete">;
  },
): LanguageModelV4 {
  const [first] = targets as readonly [ResolvedTarget, ...ResolvedTarget[]];
  const { specificationVersion, provider, modelId } = first.model;
  const limited: LimitedRun = { run, timeout };
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls: commonUrls(targets),
    async doGenerate(params) {
      const request = offer.complete(params);
      conversation.request(request);
      return generate(limited, inXml(run, request), conversation.answer);
    },
    async doStream(params) {
      const request = offer.complete(params);
      conversation.request(request);
      return stream(limited, inXml(run, request), conversation.broken);
    },
  };
}

/** A run, and the times that the SDK gives its requests. */
interface LimitedRun {
  readonly run: SdkRun;
  readonly timeout: Pick<SdkTimeout, "times">;
}

async function generate(
  { run, timeout }: LimitedRun,
  params: LanguageModelV4CallOptions,
  noteAnswer: Conversation["answer"],
): Promise<LanguageModelV4GenerateResult> {
  const thoughts: LanguageModelV4Content[] = [];
  for (;;) {
    const prompt = promptWithThoughts(params.prompt, thoughts);
    const { result, verdict } = await run.turn(
      turnRequest(params, prompt, timeout),
      async (given) => {
        const attempt = overXml(run, given);
        const correct = correctionFor(attempt);
        const sent = correct(
          await attempt.target.model.doGenerate(paramsOf(params, prompt, attempt)),
        );
        const answer = { ...sent, content: sent.content.map(correct) };
        const facts = replyFacts(answer);
        const finishReason = reasonForLoop(answer.finishReason, facts);
        return { result: { ...answer, finishReason }, verdict: attempt.end(facts) };
      },
    );
    if (verdict === "complete") {
      noteAnswer(result.content);
      return { ...result, content: [...thoughts, ...result.content] };
    }
    thoughts.push(...result.content);
  }
}

async function stream(
  { run, timeout }: LimitedRun,
  params: LanguageModelV4CallOptions,
  noteBroken: Conversation["broken"],
): Promise<LanguageModelV4StreamResult> {
  const ask = async (thoughts: readonly LanguageModelV4Content[]): Promise<Peeked> => {
    const prompt = promptWithThoughts(params.prompt, thoughts);
    return run.turn(
      { ...turnRequest(params, prompt, timeout), isStreamed: true },
      async (given) => {
        const attempt = overXml(run, given);
        const { stream: parts, ...rest } = await attempt.target.model.doStream(
          // The SDK does not say all that a provider says of the end of an answer.
          { ...paramsOf(params, prompt, attempt), includeRawChunks: true },
        );
        const hasRaw = params.includeRawChunks === true;
        return peek(parts, rest, attempt, { correct: correctionFor(attempt), hasRaw });
      },
    );
  };
  const first = await ask([]);
  noteBroken(false);
  return { ...first.rest, stream: passOn(first, ask, () => noteBroken(true)) };
}

/** The request as the session counts it. */
function turnRequest(
  { tools = [], abortSignal }: LanguageModelV4CallOptions,
  prompt: Prompt,
  { times }: Pick<SdkTimeout, "times">,
): TurnRequest {
  return {
    tools: tools.map((tool) =>
      tool.type === "function"
        ? { name: tool.name, description: tool.description, inputSchema: tool.inputSchema }
        : { name: tool.name, inputSchema: tool.args, isProviderDefined: true },
    ),
    messages: () => prompt.map(({ role, content }) => ({ role, text: promptText(content) })),
    signal: abortSignal,
    requestTimeout: times,
  };
}

function promptText(content: Prompt[number]["content"]): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => {
      switch (part.type) {
        case "text":
        case "reasoning":
          return part.text;
        case "tool-result":
          return toolOutputText(part.output);
        case "tool-call":
          return JSON.stringify(part.input);
        // Only the provider can count the tokens of a file.
        default:
          return "";
      }
    })
    .join("\n");
}

function toolOutputText(output: unknown): string {
  const { value } = Object(output) as { readonly value?: unknown };
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return JSON.stringify(value) ?? "";
  return value
    .map((part: unknown) => {
      const { text } = Object(part) as { readonly text?: unknown };
      return typeof text === "string" ? text : "";
    })
    .join("\n");
}

/** The request as one target gets it. */
function paramsOf(
  params: LanguageModelV4CallOptions,
  prompt: Prompt,
  { target, onlyReport, notices, signal }: TargetRequest<ResolvedTarget>,
): LanguageModelV4CallOptions {
  const notes: Prompt = notices.map((text) => ({
    role: "user",
    content: [{ type: "text", text }],
  }));
  const { maxOutputTokens } = target;
  const request: LanguageModelV4CallOptions = {
    ...params,
    ...(maxOutputTokens !== undefined &&
      params.maxOutputTokens === undefined && { maxOutputTokens }),
    ...target.settings,
    prompt: [...prompt, ...notes],
    abortSignal: signal,
    ...(onlyReport && onlyReportOf(params)),
  };
  // What another target has written may be refused by this one.
  return sendable(request, target.model);
}

/** A prompt with what the model has said of an answer that goes on. */
function promptWithThoughts(prompt: Prompt, thoughts: readonly LanguageModelV4Content[]): Prompt {
  if (thoughts.length === 0) return prompt;
  return [...prompt, { role: "assistant", content: thoughts.flatMap(promptPartsOf) }];
}

type AssistantPart = Extract<Prompt[number], { role: "assistant" }>["content"][number];

function promptPartsOf(part: LanguageModelV4Content): readonly AssistantPart[] {
  const options = "providerMetadata" in part &&
    part.providerMetadata && { providerOptions: part.providerMetadata };
  switch (part.type) {
    case "reasoning":
    case "text":
      return [{ type: part.type, text: part.text, ...options }];
    case "tool-call":
      return [
        {
          type: "tool-call",
          toolCallId: part.toolCallId,
          toolName: part.toolName,
          input: jsonOrText(part.input),
          ...(part.providerExecuted === true && { providerExecuted: true }),
          ...options,
        },
      ];
    case "tool-result":
      return [
        {
          type: "tool-result",
          toolCallId: part.toolCallId,
          toolName: part.toolName,
          output: { type: "json", value: part.result },
          ...options,
        },
      ];
    default:
      return [];
  }
}

/** The tools of a forced final turn; with none left, there is nothing to choose. */
function onlyReportOf({
  tools = [],
}: LanguageModelV4CallOptions): Pick<LanguageModelV4CallOptions, "tools" | "toolChoice"> {
  const left = tools.filter(({ name }) => name === REPORT_TOOL);
  // A choice made for other tools would fail at the provider; text is an answer too.
  return left.length > 0
    ? { tools: left, toolChoice: { type: "auto" } }
    : ({ tools: undefined, toolChoice: undefined } as object);
}

/** The URLs that every target reads by itself; the SDK downloads all others. */
function commonUrls(targets: readonly ResolvedTarget[]): LanguageModelV4["supportedUrls"] {
  const [first, ...others] = targets;
  if (others.length === 0) return first?.model.supportedUrls ?? {};
  return Promise.all(targets.map(async ({ model }) => await model.supportedUrls)).then((all) => {
    const [own = {}, ...rest] = all;
    const isCommon = (type: string, { source }: RegExp): boolean =>
      rest.every((urls) => urls[type]?.some((url) => url.source === source));
    return Object.fromEntries(
      Object.entries(own).map(([type, urls]) => [type, urls.filter((url) => isCommon(type, url))]),
    );
  });
}
