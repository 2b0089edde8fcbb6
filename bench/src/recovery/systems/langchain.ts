import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { tool as langchainTool, type StructuredToolInterface } from "@langchain/core/tools";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { type AgentMiddleware, createAgent } from "langchain";
import type { CorpusTool } from "../../corpus.ts";
import { zodOfTool } from "../../zod-of-tool.ts";
import { readZodPretty } from "../reading/read-zod-lines.ts";
import { type MakeCall, type Outcome, recordRuns, type SchemaKind, type System } from "./system.ts";

/** LangChain's agent as it is. */
export function langchainAgent(schema: SchemaKind): System {
  return {
    name: "LangChain createAgent",
    schema,
    packages: ["langchain", "@langchain/core"],
    read: readZodPretty,
    readsText: true,
    offer: (tool) => agentCall(tool, schema, () => []),
  };
}

/** A graph's ToolNode as it is. */
export function toolNode(schema: SchemaKind): System {
  return {
    name: "LangGraph ToolNode",
    schema,
    packages: ["@langchain/langgraph", "@langchain/core"],
    read: readZodPretty,
    readsText: true,
    offer: (tool) => nodeCall(tool, schema, (made) => made),
  };
}

/** Makes calls through an agent. */
export function agentCall(
  tool: CorpusTool,
  schema: SchemaKind,
  middleware: () => readonly AgentMiddleware[],
): MakeCall {
  return async (text) => {
    const { runs, run } = recordRuns();
    const model = new CallingModel(messageWith(tool.name, text));
    const agent = createAgent({
      model,
      tools: [toolOf(tool, schema, run)],
      middleware: [...middleware()],
    });
    return outcomeOf(runs, async () => {
      const { messages } = await agent.invoke({ messages: [{ role: "user", content: "go on" }] });
      return messages as readonly BaseMessage[];
    });
  };
}

/** Makes calls through a ToolNode. */
export function nodeCall(
  tool: CorpusTool,
  schema: SchemaKind,
  wrap: (made: StructuredToolInterface) => StructuredToolInterface,
): MakeCall {
  return async (text) => {
    const { runs, run } = recordRuns();
    const node = new ToolNode([wrap(toolOf(tool, schema, run))]);
    return outcomeOf(runs, async () => {
      const state = { messages: [messageWith(tool.name, text)] };
      const result = (await node.invoke(state)) as { readonly messages: readonly BaseMessage[] };
      return result.messages;
    });
  };
}

function toolOf(
  tool: CorpusTool,
  kind: SchemaKind,
  run: (args: unknown) => string,
): StructuredToolInterface {
  const schema = (kind === "zod" ? zodOfTool(tool) : undefined) ?? tool.inputSchema;
  const fields = { name: tool.name, description: "a tool", schema };
  return langchainTool(
    async (args: unknown) => run(args),
    fields as Parameters<typeof langchainTool>[1],
  ) as unknown as StructuredToolInterface;
}

async function outcomeOf(
  runs: readonly unknown[],
  invoke: () => Promise<readonly BaseMessage[]>,
): Promise<Outcome> {
  let messages: readonly BaseMessage[];
  try {
    messages = await invoke();
  } catch (thrown) {
    return { status: "silent", why: `throws ${(thrown as Error).name}` };
  }
  if (runs.length > 0) return { status: "ran", args: runs[0] };
  const answer = messages.find((message) => ToolMessage.isInstance(message));
  if (answer === undefined) return { status: "silent", why: "the run ends" };
  return { status: "answered", text: answer.text };
}

/** A message as the providers' packages make it: arguments that are no JSON are an invalid call. */
function messageWith(name: string, text: string): AIMessage {
  try {
    const args = JSON.parse(text) as Record<string, unknown>;
    return new AIMessage({
      content: "",
      tool_calls: [{ id: "call_1", name, args, type: "tool_call" }],
    });
  } catch {
    return new AIMessage({
      content: "",
      invalid_tool_calls: [
        { id: "call_1", name, args: text, error: "Malformed args.", type: "invalid_tool_call" },
      ],
    });
  }
}

/** A model that makes its call once and then says a word. */
class CallingModel extends BaseChatModel {
  readonly #first: AIMessage;

  constructor(first: AIMessage) {
    super({});
    this.#first = first;
  }

  override _llmType(): string {
    return "calling";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const isDone = messages.some((message) => AIMessage.isInstance(message));
    const message = isDone ? new AIMessage("Done") : this.#first;
    return { generations: [{ text: "", message }] };
  }
}
