import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import {
  argumentsText,
  type AssistantMessage,
  createScriptedModel,
  type ModelTurn,
  type ScriptedModel,
} from "../scripted-model.ts";

/** A chat model for LangChain that follows a script, and is empty after its end. */
export class ScriptedChatModel extends BaseChatModel {
  readonly turns: ModelTurn[] = [];
  requests = 0;
  /** The names of the tools that each request offered. */
  readonly offered: (readonly string[])[] = [];
  #bound: readonly string[] = [];
  readonly #script: ScriptedModel;

  constructor(script: readonly AssistantMessage[]) {
    super({});
    this.#script = createScriptedModel(script);
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(tools: readonly unknown[] = []): this {
    this.#bound = tools.map((tool) => String(Object(tool).name));
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.requests += 1;
    this.offered.push(this.#bound);
    const last = messages.findLastIndex((message) => AIMessage.isInstance(message));
    const answers = messages.slice(last + 1).filter((message) => ToolMessage.isInstance(message));
    const turn = this.#script.next(answers.map(({ text }) => text));
    if (turn) this.turns.push(turn);
    const message = toMessage(turn ?? { calls: [] }, this.turns.length);
    return { generations: [{ text: message.text, message }] };
  }
}

/** The id of a call, counted from turn 1 and call 1. */
export function callId(turn: number, call: number): string {
  return `call_${turn}_${call}`;
}

/** The message as LangChain's clients build it: calls that are not JSON are separate, with their original string. */
function toMessage({ calls, says = "", finishReason }: AssistantMessage, turn: number): AIMessage {
  const read = calls.map((call, index) => {
    const text = argumentsText(call);
    return { id: callId(turn, index + 1), name: call.tool, text, args: parse(text) };
  });
  return new AIMessage({
    content: says,
    response_metadata: { finish_reason: finishReason ?? (read.length > 0 ? "tool_calls" : "stop") },
    tool_calls: read.flatMap(({ id, name, args }) =>
      args ? [{ type: "tool_call" as const, id, name, args }] : [],
    ),
    invalid_tool_calls: read.flatMap(({ id, name, text, args }) =>
      args
        ? []
        : [
            {
              type: "invalid_tool_call" as const,
              id,
              name,
              args: text,
              error: `Function "${name}" arguments:\n\n${text}\n\nare not valid JSON.`,
            },
          ],
    ),
  });
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
