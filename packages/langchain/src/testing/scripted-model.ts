import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { Packages } from "./langchain.ts";

/** A tool call in the model's words. */
export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  /** The arguments as the model writes them. */
  readonly args: string;
}

/** One answer of the model. */
export interface Turn {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly finishReason?: string;
  /** Comes in pieces, as from a stream: the client completes what is cut. */
  readonly streamed?: boolean;
}

/** A model that follows a script, and what it was asked. */
export interface ScriptedModel {
  readonly model: BaseChatModel;
  /** What it was sent, request by request. */
  readonly requests: readonly (readonly BaseMessage[])[];
  /** The tools that it was shown with each request. */
  readonly shown: readonly (readonly string[])[];
  readonly choices: readonly unknown[];
}

/** Makes a model that takes these turns one after another, then says that it is done. */
export function scriptedModel(packages: Packages, turns: readonly Turn[]): ScriptedModel {
  const requests: (readonly BaseMessage[])[] = [];
  const shown: (readonly string[])[] = [];
  const choices: unknown[] = [];
  let bound: readonly string[] = [];
  let choice: unknown;

  class Scripted extends packages.chatModels.BaseChatModel {
    override _llmType(): string {
      return "scripted";
    }
    override bindTools(
      tools: readonly { readonly name?: string; readonly function?: { readonly name: string } }[],
      options?: { readonly tool_choice?: unknown },
    ): this {
      bound = tools.map((tool) => tool.name ?? tool.function?.name ?? "");
      choice = options?.tool_choice;
      return this;
    }
    override async _generate(
      messages: BaseMessage[],
    ): Promise<{ generations: { text: string; message: AIMessage }[] }> {
      const turn = turns[requests.length] ?? { text: "Done." };
      requests.push(messages);
      shown.push(bound);
      choices.push(choice);
      return { generations: [{ text: turn.text ?? "", message: toMessage(packages, turn) }] };
    }
  }
  return { model: new Scripted({}), requests, shown, choices };
}

/** The message that a provider's client makes of an answer: calls that are no JSON object apart, with a word on why. */
export function toMessage({ messages }: Packages, turn: Turn): AIMessage {
  const { text = "", calls = [], finishReason = "stop", streamed = false } = turn;
  const response_metadata = { finish_reason: finishReason };
  if (streamed) {
    const tool_call_chunks = calls.map(({ id, name, args }, index) => ({
      type: "tool_call_chunk" as const,
      name,
      args,
      index,
      ...(id !== undefined && { id }),
    }));
    const fields = { content: text, tool_call_chunks, response_metadata };
    return new messages.AIMessageChunk(fields);
  }
  const read = calls.map((call) => ({ call, args: parse(call.args) }));
  return new messages.AIMessage({
    content: text,
    response_metadata,
    additional_kwargs: {
      // The class warns of a message that has these alone.
      ...(read.some(({ args }) => args) && {
        tool_calls: calls.map(({ id = "", name, args }) => ({
          id,
          type: "function" as const,
          function: { name, arguments: args },
        })),
      }),
    },
    tool_calls: read.flatMap(({ call: { id, name }, args }) =>
      args ? [{ type: "tool_call" as const, name, args, ...(id !== undefined && { id }) }] : [],
    ),
    invalid_tool_calls: read.flatMap(({ call, args }) =>
      args
        ? []
        : [
            {
              ...call,
              type: "invalid_tool_call" as const,
              error: `Function "${call.name}" arguments:\n\n${call.args}\n\nare not valid JSON.`,
            },
          ],
    ),
  });
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
