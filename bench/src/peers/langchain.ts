import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Runnable } from "@langchain/core/runnables";
import { tool as langchainTool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { createAgent } from "langchain";
import type { CorpusTool } from "../corpus.ts";
import { zodOfTool } from "../zod-of-tool.ts";
import type { Rejecting } from "./rejecting.ts";

/** The node that answers tool calls in createAgent, without the graph and the model around it. */
export const agentToolNode: Rejecting = {
  name: "LangChain: the tool node of createAgent",
  prepare: (tool) => {
    const node = toolNodeOf(tool);
    return async (text) => {
      const args = JSON.parse(text) as Record<string, unknown>;
      const call = { id: "call_1", name: tool.name, args, type: "tool_call" } as const;
      const message = new AIMessage({ content: "", tool_calls: [call] });
      const [answer] = (await node.invoke({ messages: [message] })).messages;
      if (!ToolMessage.isInstance(answer) || answer.status !== "error") {
        throw new Error(`It accepts ${text}.`);
      }
      return answer.text;
    };
  },
};

interface State {
  readonly messages: readonly BaseMessage[];
}

function toolNodeOf(declared: CorpusTool): Runnable<State, State> {
  const { name, inputSchema } = declared;
  const fields = { name, description: "a tool", schema: zodOfTool(declared) ?? inputSchema };
  const tool = langchainTool(() => "done", fields as Parameters<typeof langchainTool>[1]);
  const model = new FakeListChatModel({ responses: ["Done"] });
  const agent = createAgent({ model, tools: [tool as never] });
  const nodes = agent.graph.nodes as unknown as Readonly<
    Record<string, { readonly bound: Runnable<State, State> }>
  >;
  if (nodes["tools"] === undefined) throw new Error("The agent has no node 'tools'.");
  return nodes["tools"].bound;
}
