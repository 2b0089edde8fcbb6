import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { CorpusCall } from "./corpus.ts";

/** A chat model that makes a call and, once that is answered, says a word. */
export class ChatModelThatCalls extends BaseChatModel {
  readonly #call: CorpusCall;

  constructor(call: CorpusCall) {
    super({});
    this.#call = call;
  }

  override _llmType(): string {
    return "bench";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const isAnswered = ToolMessage.isInstance(messages.at(-1));
    const message = isAnswered ? new AIMessage("Done") : messageOf(this.#call);
    return { generations: [{ text: message.text, message }] };
  }
}

/** The message as a client makes it: the arguments are parsed for every run. */
function messageOf({ tool: { name }, text }: CorpusCall): AIMessage {
  const args = JSON.parse(text) as Record<string, unknown>;
  return new AIMessage({
    content: "",
    response_metadata: { finish_reason: "tool_calls" },
    tool_calls: [{ type: "tool_call", id: "call_1", name, args }],
  });
}
