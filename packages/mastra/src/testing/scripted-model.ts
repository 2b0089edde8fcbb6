import { outputText } from "../turns-from-prompt.ts";
import type { ModelAnswer, PromptRequest, PromptPart, StreamPart } from "../mastra.ts";

/** A call as the model writes it. */
export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  readonly args: string;
}

/** A message of the model: calls, or a text. */
export type ScriptedMessage = readonly ScriptedCall[] | string;

/** A model of the AI SDK that says these messages in turn, then "Done." */
export interface ScriptedModel {
  readonly specificationVersion: "v2";
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: object;
  readonly requests: PromptRequest[];
  /** Adds messages to those that are left. */
  say(message: ScriptedMessage, finishReason?: string): void;
  /** Has it say this beside all calls. */
  sayBeside(text: string): void;
  doGenerate(request: PromptRequest): Promise<object>;
  doStream(request: PromptRequest): Promise<Pick<ModelAnswer, "stream">>;
}

let serial = 0;
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** Creates a scripted model. */
export function scriptedModel(...messages: readonly ScriptedMessage[]): ScriptedModel {
  const requests: PromptRequest[] = [];
  const left = messages.map((message) => ({
    message,
    finishReason: undefined as string | undefined,
  }));

  let beside = "";

  function next(request: PromptRequest) {
    const { abortSignal: _, ...rest } = request;
    const { prompt, tools = [], toolChoice } = rest;
    requests.push(structuredClone({ prompt, tools, ...(toolChoice && { toolChoice }) }));
    serial += 1;
    const { message, finishReason } = left.shift() ?? { message: "Done." };
    const calls = typeof message === "string" ? [] : message.map(callPart);
    const reason = finishReason ?? (calls.length > 0 ? "tool-calls" : "stop");
    return { text: typeof message === "string" ? message : beside, calls, reason };
  }

  return {
    specificationVersion: "v2",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    requests,
    sayBeside: (text) => void (beside = text),
    say: (message, finishReason) => void left.push({ message, finishReason }),
    async doGenerate(request) {
      const { text, calls, reason } = next(request);
      const said = text === "" ? [] : [{ type: "text", text }];
      return { content: [...said, ...calls], finishReason: reason, usage, warnings: [] };
    },
    async doStream(request) {
      const { text, calls, reason } = next(request);
      const parts: object[] = [
        { type: "stream-start", warnings: [] },
        ...(text === ""
          ? []
          : [
              { type: "text-start", id: "t" },
              { type: "text-delta", id: "t", delta: text },
              { type: "text-end", id: "t" },
            ]),
        ...calls.flatMap((call) => [
          { type: "tool-input-start", id: call.toolCallId, toolName: call.toolName },
          ...Array.from(call.input.match(/.{1,5}/gs) ?? [], (delta) => {
            return { type: "tool-input-delta", id: call.toolCallId, delta };
          }),
          { type: "tool-input-end", id: call.toolCallId },
          call,
        ]),
        { type: "finish", finishReason: reason, usage },
      ];
      return { stream: ReadableStream.from(parts as StreamPart[]) };
    },
  };
}

function callPart({ id, name, args }: ScriptedCall, index: number) {
  const toolCallId = id ?? `call_${serial}_${index}`;
  return { type: "tool-call", toolCallId, toolName: name, input: args };
}

/** The results that the last request has, by call. */
export function resultsIn({ requests }: ScriptedModel): Readonly<Record<string, PromptPart>> {
  const prompt = requests.at(-1)?.prompt ?? [];
  const parts = prompt.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  return Object.fromEntries(
    parts.flatMap((part) => (part.type === "tool-result" ? [[part.toolCallId ?? "", part]] : [])),
  );
}

/** What the model reads of each call, by id. */
export function answersIn(model: ScriptedModel): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(resultsIn(model)).map(([id, { output }]) => [id, outputText(output)]),
  );
}
