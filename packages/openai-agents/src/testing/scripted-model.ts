import type { Model } from "@openai/agents";
import type { ModelRequest, ModelResponse } from "../sdk.ts";

/** A call as the model writes it. */
interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  readonly args: string;
  readonly status?: "incomplete";
  readonly namespace?: string;
  /** The program that makes the call. */
  readonly caller?: object;
}

/** A message of the model: calls, items of any kind, or a text. */
export type ScriptedMessage = readonly (ScriptedCall | { readonly type: string })[] | string;

/** A model that says these messages in turn, then "Done." */
export interface ScriptedModel extends Model {
  readonly requests: ModelRequest[];
  /** Why each output of calls ended, as in the answer of a Chat Completions API; nothing is said if it is undefined. */
  finishReason: string | undefined;
  /** Adds messages to those that are left. */
  say(...messages: readonly ScriptedMessage[]): void;
}

let serial = 0;

/** Creates a scripted model. */
export function scriptedModel(...messages: readonly ScriptedMessage[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  const left = [...messages];

  function next(request: ModelRequest): ModelResponse {
    requests.push({ ...request, input: structuredClone(request.input) });
    serial += 1;
    const message = left.shift() ?? "Done.";
    const output = typeof message === "string" ? [textItem(message)] : message.map(itemOf);
    const { finishReason: finish_reason } = model;
    return {
      usage: USAGE,
      output,
      responseId: `response_${serial}`,
      ...(finish_reason !== undefined && { providerData: { choices: [{ finish_reason }] } }),
    } as unknown as ModelResponse;
  }

  const model: ScriptedModel = {
    requests,
    finishReason: undefined,
    say: (...more) => void left.push(...more),
    getResponse: async (request) => next(request),
    async *getStreamedResponse(request) {
      const { output, responseId: id, providerData } = next(request);
      yield { type: "response_started" };
      // Chat Completions says it in a chunk alone.
      if (providerData) yield { type: "model", event: providerData } as never;
      yield { type: "response_done", response: { id, usage: USAGE, output } } as never;
    },
  };
  return model;
}

const USAGE = {
  requests: 1,
  inputTokens: 1,
  outputTokens: 1,
  totalTokens: 2,
  inputTokensDetails: [],
  outputTokensDetails: [],
  add() {},
};

function textItem(text: string): object {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", role: "assistant", status: "completed", content };
}

function itemOf(part: ScriptedCall | { readonly type: string }, index: number): object {
  return "type" in part ? part : callItem(part, index);
}

function callItem({ id, args, ...call }: ScriptedCall, index: number): object {
  const callId = id ?? `call_${serial}_${index}`;
  return { type: "function_call", callId, arguments: args, status: "completed", ...call };
}

/** The answers that the last request has, by call. */
export function answersIn({ requests }: ScriptedModel): Readonly<Record<string, string>> {
  const input = requests.at(-1)?.input ?? [];
  const items = typeof input === "string" ? [] : input;
  return Object.fromEntries(
    items.flatMap((item) =>
      item.type === "function_call_result" ? [[item.callId, textOf(item.output)]] : [],
    ),
  );
}

function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  const parts = [output].flat() as readonly { readonly text?: unknown }[];
  return parts.map(({ text }) => String(text)).join("");
}
