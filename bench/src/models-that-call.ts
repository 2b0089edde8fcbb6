import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { MockLanguageModelV4 } from "ai/test";
import type { CorpusCall } from "./corpus.ts";

type ModelCall = Pick<CorpusCall, "tool" | "text">;

type Result = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;

/** Creates an AI SDK model that makes one call, then answers. Use a new one for each run: the mock keeps every request. */
export function modelThatCalls(call: ModelCall): MockLanguageModelV4 {
  return new MockLanguageModelV4({ doGenerate: stepsOf(call) });
}

/** What such a model returns in its two steps. */
export function stepsOf({ tool: { name: toolName }, text: input }: ModelCall): Result[] {
  const call = { type: "tool-call", toolCallId: "call_1", toolName, input } as const;
  return [resultOf(call, "tool-calls"), resultOf({ type: "text", text: "Done" }, "stop")];
}

function resultOf(part: Result["content"][number], unified: "tool-calls" | "stop"): Result {
  return {
    content: [part],
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 5, text: 5, reasoning: 0 },
    },
    warnings: [],
  };
}

/** A LangChain model that makes one call, then answers. */
export class ChatModelThatCalls extends BaseChatModel {
  readonly #call: ModelCall;

  constructor(call: ModelCall) {
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
export function messageThatCalls({ tool: { name }, text }: ModelCall): AIMessage {
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
