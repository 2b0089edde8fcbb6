import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { tool, type StructuredToolInterface } from "@langchain/core/tools";
import { type AgentMiddleware, createAgent } from "langchain";
import type { DeclaredTool, ModelCall, RunTool } from "./offer.ts";

/** Creates a tool. */
export function langchainTool(
  { name, schema }: DeclaredTool,
  run: RunTool,
): StructuredToolInterface {
  const fields = { name, description: "a tool", schema };
  return tool(
    async (args: unknown) => run(args),
    fields as Parameters<typeof tool>[1],
  ) as unknown as StructuredToolInterface;
}

/** Makes a call through an agent; returns what the model reads, undefined for nothing. */
export async function answerOfAgent(
  offered: StructuredToolInterface,
  call: ModelCall,
  middleware: readonly AgentMiddleware[] = [],
): Promise<string | undefined> {
  const model = new ChatModelThatCalls(call);
  const agent = createAgent({ model, tools: [offered], middleware });
  return answerAmong(await agent.invoke({ messages: [{ role: "user", content: "go on" }] }));
}

/** The answer to the model's call, in what a graph returns. */
export function answerAmong(state: unknown): string | undefined {
  const { messages } = state as { readonly messages: readonly BaseMessage[] };
  return messages.find((message) => ToolMessage.isInstance(message))?.text;
}

/** A LangChain model that makes one call, then answers. */
export class ChatModelThatCalls extends BaseChatModel {
  readonly #call: ModelCall;

  constructor(call: ModelCall) {
    super({});
    this.#call = call;
  }

  override _llmType(): string {
    return "scripted";
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
