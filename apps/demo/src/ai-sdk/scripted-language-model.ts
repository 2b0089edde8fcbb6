import { MockLanguageModelV4 } from "ai/test";
import {
  argumentsText,
  type AssistantMessage,
  createScriptedModel,
  type ModelTurn,
} from "../scripted-model.ts";
import { answersIn, latestMessages, type Prompt, saidIn } from "./answers.ts";

/** A language model for the AI SDK that follows a script. */
export interface ScriptedLanguageModel {
  readonly model: MockLanguageModelV4;
  /** Its turns, oldest first. */
  readonly turns: readonly ModelTurn[];
  /** Its prompts, oldest first. */
  readonly requests: () => MockLanguageModelV4["doGenerateCalls"];
}

type Result = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;

const NO_TOKENS = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** Creates a model from its messages; it reads the answers from the prompt, as a provider's model would. */
export function createScriptedLanguageModel(
  script: readonly AssistantMessage[],
): ScriptedLanguageModel {
  const scripted = createScriptedModel(script);
  const turns: ModelTurn[] = [];
  const next = (prompt: Prompt): Result => {
    const latest = latestMessages(prompt);
    const answers = [...answersIn(latest).values()].map(({ text }) => text);
    const turn = scripted.next([...answers, saidIn(latest)]);
    if (turn) turns.push(turn);
    return resultOf(turn ?? { calls: [] }, turns.length);
  };
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => next(prompt),
    doStream: async ({ prompt }) => ({ stream: streamOf(next(prompt)) }),
  });
  return { model, turns, requests: () => [...model.doGenerateCalls, ...model.doStreamCalls] };
}

/** The id of a call, counted from turn 1 and call 1. */
export function callId(turn: number, call: number): string {
  return `call_${turn}_${call}`;
}

function resultOf({ calls, says }: AssistantMessage, turn: number): Result {
  const reason = calls.length > 0 ? "tool-calls" : "stop";
  const toolCalls = calls.map((call, index) => ({
    type: "tool-call" as const,
    toolCallId: callId(turn, index + 1),
    toolName: call.tool,
    input: argumentsText(call),
  }));
  const spoken = says === undefined ? [] : [{ type: "text" as const, text: says }];
  return {
    content: [...spoken, ...toolCalls],
    finishReason: { unified: reason, raw: reason },
    usage: NO_TOKENS,
    warnings: [],
  };
}

type Stream = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"];
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never;

/** The same message as a provider streams it. */
function streamOf({ content, finishReason, usage, warnings }: Result): Stream {
  const parts = content.flatMap((part, index): StreamPart[] => {
    const id = String(index);
    if (part.type === "tool-call") return [part];
    if (part.type !== "text") return [];
    const delta = part.text;
    return [
      { type: "text-start", id },
      { type: "text-delta", id, delta },
      { type: "text-end", id },
    ];
  });
  return ReadableStream.from<StreamPart>([
    { type: "stream-start", warnings },
    ...parts,
    { type: "finish", finishReason, usage },
  ]);
}
