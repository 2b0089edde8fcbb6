import type * as chatModels from "@langchain/core/language_models/chat_models";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type * as messages from "@langchain/core/messages";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";

/** The packages that a scripted model is built from. */
interface ModelPackages {
  readonly chatModels: typeof chatModels;
  readonly messages: typeof messages;
}

/** A tool call as the model writes it. */
export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  /** The arguments as a string, which need not be JSON. */
  readonly args: string;
}

/** One answer of the model. */
export interface Turn {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly finishReason?: string;
  /** Whether the answer is streamed; the client then completes JSON that was cut off. */
  readonly streamed?: boolean;
}

/** A model that follows a script, and the requests it got. */
export interface ScriptedModel {
  readonly model: BaseChatModel;
  /** The messages of each request. */
  readonly requests: readonly (readonly BaseMessage[])[];
  /** The tool names of each request. */
  readonly shown: readonly (readonly string[])[];
  readonly choices: readonly unknown[];
}

/** Turns in order, or a function that makes each when it is asked for. */
export type Script = readonly Turn[] | ((index: number) => Promise<Turn>);

/** Creates a model that takes these turns in order, then says "Done." */
export function scriptedModel(packages: ModelPackages, script: Script): ScriptedModel {
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
      const index = requests.push(messages) - 1;
      const scripted = typeof script === "function" ? await script(index) : script[index];
      const turn = scripted ?? { text: "Done." };
      shown.push(bound);
      choices.push(choice);
      return { generations: [{ text: turn.text ?? "", message: toMessage(packages, turn) }] };
    }
  }
  return { model: new Scripted({}), requests, shown, choices };
}

/** The message that a provider's client makes from an answer: calls whose arguments are not a JSON object are invalid. */
export function toMessage({ messages }: ModelPackages, turn: Turn): AIMessage {
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
      // The class logs a warning if a message has only these.
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
