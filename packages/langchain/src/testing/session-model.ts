import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { Lab } from "./langchain.ts";
import { toMessage, type Turn } from "./scripted-model.ts";

/** One answer: a turn with usage or reasoning, an error, or what to do with the request. */
export type Reply =
  | (Turn & {
      readonly usage?: readonly [input: number, output: number, cached?: number];
      readonly reasoning?: string;
      /** Content blocks instead of text. */
      readonly content?: readonly object[];
      readonly metadata?: object;
    })
  | { readonly error: unknown }
  | { readonly hangs: true };

/** A request as a target got it. */
interface ModelRequest {
  readonly messages: readonly BaseMessage[];
  readonly tools: readonly string[];
  /** Everything else that was bound. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** A model that a session calls, and the requests that it got. */
export interface SessionModel {
  readonly model: BaseChatModel;
  readonly requests: readonly ModelRequest[];
}

interface Bound {
  readonly tools?: readonly { readonly name?: string; readonly function?: { name: string } }[];
}

/** What answers a request: answers in turn, or a function of the request and its number, from 0. */
export type Replies =
  | readonly Reply[]
  | ((request: ModelRequest & { readonly index: number }) => Reply | Promise<Reply>);

/** Creates a model that gives these answers, then says "Done." */
export function sessionModel(
  lab: Lab,
  replies: Replies,
  name = "scripted",
  modelId: string = `${name}-model`,
): SessionModel {
  const requests: ModelRequest[] = [];
  class Scripted extends lab.chatModels.BaseChatModel {
    readonly model = modelId;
    override _llmType(): string {
      return name;
    }
    override getLsParams(
      options: this["ParsedCallOptions"],
    ): ReturnType<BaseChatModel["getLsParams"]> {
      return { ...super.getLsParams(options), ls_provider: name };
    }
    override bindTools(tools: unknown[], options?: object): never {
      const self = this as unknown as { withConfig(config: object): never };
      return self.withConfig({ ...options, tools });
    }
    override async _generate(
      messages: BaseMessage[],
      given: this["ParsedCallOptions"],
    ): Promise<{ generations: { text: string; message: AIMessage }[] }> {
      const { tools = [], ...options } = given as Bound & Record<string, unknown>;
      const index = requests.length;
      const request = {
        messages: [...messages],
        tools: tools.map((tool) => tool.name ?? tool.function?.name ?? ""),
        options,
      };
      requests.push(request);
      const reply =
        typeof replies === "function" ? await replies({ ...request, index }) : replies[index];
      const turn = reply ?? { text: "Done." };
      if ("hangs" in turn) return new Promise(() => undefined);
      if ("error" in turn) throw turn.error;
      const message = toMessage(lab, turn);
      if (turn.content) message.content = [...turn.content] as never;
      if (turn.reasoning !== undefined)
        message.additional_kwargs["reasoning_content"] = turn.reasoning;
      Object.assign(message.response_metadata, turn.metadata);
      if (turn.usage) {
        const [input_tokens, output_tokens, cache_read] = turn.usage;
        const counts = { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
        const details = cache_read === undefined ? {} : { input_token_details: { cache_read } };
        Object.assign(message, { usage_metadata: { ...counts, ...details } });
      }
      return { generations: [{ text: turn.text ?? "", message }] };
    }
  }
  return { model: new Scripted({}), requests };
}

let reports = 0;

/** A call of the report tool. */
export function report(
  content: string,
  more: object = {},
): { id: string; name: string; args: string } {
  reports += 1;
  const args = JSON.stringify({ format: "markdown", content, ...more });
  return { id: `report-${reports}`, name: "agent__final_report", args };
}

/** An error as a provider's client throws it. */
export function httpError(status: number, message = `HTTP ${status}`, more: object = {}): Error {
  return Object.assign(new Error(message), { status, ...more });
}
