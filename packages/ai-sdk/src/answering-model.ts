import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { isRecord, textParts, unifiedFinishReason, viewOf } from "@toolcontract/core/adapter";
import type { JudgeAnswer } from "./judge-answer.ts";

type Prompt = LanguageModelV4CallOptions["prompt"];
type Finish = Extract<LanguageModelV4StreamPart, { readonly type: "finish" }>;

/**
 * A model whose final answer is judged before the SDK reads it, and asked for again in the same step.
 *
 * @remarks A message with calls is not final. While a message is streamed, its text is held back until it is known to be good.
 */
export function answeringModel(model: LanguageModelV4, judge: JudgeAnswer): LanguageModelV4 {
  return viewOf(model, {
    async doGenerate(request: LanguageModelV4CallOptions) {
      let { prompt } = request;
      let usage: unknown;
      for (;;) {
        const result = await model.doGenerate({ ...request, prompt });
        usage = addUsage(usage, result.usage);
        const whole = { ...result, usage: usage as typeof result.usage };
        if (result.content.some(isOwnCall)) return whole;
        const text = answerIn(result);
        const judged = await judge(text, unifiedFinishReason(result.finishReason));
        if (judged.action === "end") {
          return judged.text === text ? whole : { ...whole, ...withText(result, judged.text) };
        }
        prompt = askedAgain(prompt, text, judged.content);
      }
    },
    async doStream(request: LanguageModelV4CallOptions) {
      const first = await model.doStream(request);
      const { readable, writable } = new TransformStream<
        LanguageModelV4StreamPart,
        LanguageModelV4StreamPart
      >();
      void relay({ model, request, judge, first: first.stream }, writable.getWriter());
      return { ...first, stream: readable };
    },
  });
}

interface Relayed {
  readonly model: LanguageModelV4;
  readonly request: LanguageModelV4CallOptions;
  readonly judge: JudgeAnswer;
  readonly first: ReadableStream<LanguageModelV4StreamPart>;
}

type Writer = WritableStreamDefaultWriter<LanguageModelV4StreamPart>;

async function relay({ model, request, judge, first }: Relayed, writer: Writer): Promise<void> {
  try {
    let { prompt } = request;
    let stream = first;
    let usage: unknown;
    for (;;) {
      const said = await relayMessage(stream, writer, stream !== first);
      usage = addUsage(usage, said.finish?.usage);
      const finish = said.finish && { ...said.finish, usage: usage as Finish["usage"] };
      const isFinal = finish !== undefined && !said.hasCalls;
      const judged = isFinal
        ? await judge(said.text, unifiedFinishReason(finish.finishReason))
        : ({ action: "end", text: said.text } as const);
      if (judged.action === "end") {
        const parts = judged.text === said.text ? said.held : textParts(judged.text, "answer");
        for (const part of parts) await writer.write(part);
        if (finish) await writer.write(finish);
        await writer.close();
        return;
      }
      prompt = askedAgain(prompt, said.text, judged.content);
      ({ stream } = await model.doStream({ ...request, prompt }));
    }
  } catch (thrown) {
    await writer.abort(thrown).catch(() => undefined);
  }
}

/** What a streamed message has said; its text is held back until a call or its end. */
interface Said {
  readonly text: string;
  readonly held: readonly LanguageModelV4StreamPart[];
  readonly hasCalls: boolean;
  readonly finish: Finish | undefined;
}

async function relayMessage(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  writer: Writer,
  isAgain: boolean,
): Promise<Said> {
  const reader = stream.getReader();
  let held: LanguageModelV4StreamPart[] = [];
  let text = "";
  let hasCalls = false;
  let finish: Finish | undefined;
  for (;;) {
    const { done, value: part } = await reader.read();
    if (done) return { text, held, hasCalls, finish };
    if (part.type === "finish") finish = part;
    else if (isText(part) && !hasCalls) {
      held.push(part);
      if (part.type === "text-delta") text += part.delta;
    } else if (!(isAgain && isBeginning(part))) {
      if (part.type.startsWith("tool-") && !isProvidersOwn(part)) {
        hasCalls = true;
        for (const one of held) await writer.write(one);
        held = [];
      }
      await writer.write(part);
    }
  }
}

function isText(
  part: LanguageModelV4StreamPart,
): part is Extract<LanguageModelV4StreamPart, { readonly type: `text-${string}` }> {
  return part.type.startsWith("text-");
}

/** What each message begins with: the SDK reads it once a step. */
function isBeginning({ type }: LanguageModelV4StreamPart): boolean {
  return type === "stream-start" || type === "response-metadata";
}

function isProvidersOwn(part: object): boolean {
  return "providerExecuted" in part && part.providerExecuted === true;
}

function isOwnCall(part: LanguageModelV4Content): boolean {
  return part.type === "tool-call" && part.providerExecuted !== true;
}

/** The conversation with what was wrong with the answer. */
function askedAgain(prompt: Prompt, text: string, content: string): Prompt {
  const said: Prompt =
    text === "" ? [] : [{ role: "assistant", content: [{ type: "text", text }] }];
  return [...prompt, ...said, { role: "user", content: [{ type: "text", text: content }] }];
}

/** What the SDK reads as the answer: some providers name the part of their text that it is. */
function answerIn({ content, structuredOutputText }: LanguageModelV4GenerateResult): string {
  const texts = content.map((part) => (part.type === "text" ? part.text : ""));
  return structuredOutputText ?? texts.join("");
}

/** The result with this text as its answer. */
function withText(
  { content, structuredOutputText }: LanguageModelV4GenerateResult,
  text: string,
): Partial<LanguageModelV4GenerateResult> {
  if (structuredOutputText !== undefined) return { structuredOutputText: text };
  return { content: [...content.filter(({ type }) => type !== "text"), { type: "text", text }] };
}

/** What several requests have used: every number of the later added to that of the earlier. */
function addUsage(earlier: unknown, later: unknown): unknown {
  if (earlier === undefined) return later;
  if (typeof earlier === "number" && typeof later === "number") return earlier + later;
  if (!isRecord(earlier) || !isRecord(later)) return later ?? earlier;
  const names = new Set([...Object.keys(earlier), ...Object.keys(later)]);
  return Object.fromEntries([...names].map((name) => [name, addUsage(earlier[name], later[name])]));
}
