import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { CorpusCall } from "./corpus.ts";

/** A chat model that makes one call, then answers. */
export class ChatModelThatCalls extends BaseChatModel {
  readonly #call: Pick<CorpusCall, "tool" | "text">;

  constructor(call: Pick<CorpusCall, "tool" | "text">) {
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
    const hasCalled = messages.some((message) => AIMessage.isInstance(message));
    const message = hasCalled ? new AIMessage("Done") : messageThatCalls(this.#call);
    return { generations: [{ text: message.text, message }] };
  }
}

/** Creates the message as the providers' packages do: a call whose arguments are not JSON is an invalid call. */
export function messageThatCalls({
  tool: { name },
  text,
}: Pick<CorpusCall, "tool" | "text">): AIMessage {
  const shared = { content: "", response_metadata: { finish_reason: "tool_calls" } };
  try {
    const args = JSON.parse(text) as Record<string, unknown>;
    return new AIMessage({
      ...shared,
      tool_calls: [{ type: "tool_call", id: "call_1", name, args }],
    });
  } catch {
    const error = "Malformed args.";
    return new AIMessage({
      ...shared,
      invalid_tool_calls: [{ type: "invalid_tool_call", id: "call_1", name, args: text, error }],
    });
  }
}
