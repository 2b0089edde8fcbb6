import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { tool as langchainTool, type StructuredToolInterface } from "@langchain/core/tools";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { toolContractMiddleware, wrapTool } from "@toolcontract/langchain";
import { createAgent } from "langchain";
import type { CorpusCall } from "../../corpus.ts";
import { ChatModelThatCalls, messageThatCalls } from "../../models-that-call.ts";
import { readContract, readZodPretty } from "../reading/readers.ts";
import { declared, offerThrough, type SchemaKind, type System } from "./system.ts";

const QUIET = { logger: () => undefined } as const;

/** LangChain's agent, alone or with the contract as its middleware. */
export function langchainAgent(schema: SchemaKind, hasContract = false): System {
  const own = {
    name: hasContract ? "Toolcontract standard, LangChain agent" : "LangChain createAgent",
    packages: ["langchain", "@langchain/core"],
    readsText: true,
  };
  return langchain(own, schema, hasContract, async (tool, call) => {
    const agent = createAgent({
      model: new ChatModelThatCalls(call),
      tools: [tool],
      middleware: hasContract ? [toolContractMiddleware(QUIET)] : [],
    });
    return agent.invoke({ messages: [{ role: "user", content: "go on" }] });
  });
}

/** LangGraph's ToolNode, alone or with a wrapped tool. */
export function toolNode(schema: SchemaKind, hasContract = false): System {
  const own = {
    name: hasContract ? "Toolcontract standard, ToolNode" : "LangGraph ToolNode",
    packages: ["@langchain/langgraph", "@langchain/core"],
    readsText: !hasContract,
  };
  return langchain(own, schema, hasContract, async (tool, call) => {
    const node = new ToolNode([hasContract ? wrapTool(tool, QUIET) : tool]);
    return node.invoke({ messages: [messageThatCalls(call)] });
  });
}

function langchain(
  own: Pick<System, "name" | "packages" | "readsText">,
  schema: SchemaKind,
  hasContract: boolean,
  invoke: (
    tool: StructuredToolInterface,
    call: Pick<CorpusCall, "tool" | "text">,
  ) => Promise<unknown>,
): System {
  return {
    ...own,
    packages: [...(hasContract ? ["@toolcontract/langchain"] : []), ...own.packages],
    schema,
    read: hasContract ? readContract : readZodPretty,
    offer: (tool) =>
      offerThrough((run) => {
        const fields = {
          name: tool.name,
          description: "a tool",
          schema: declared(tool, schema),
        };
        const made = langchainTool(
          async (args: unknown) => run(args),
          fields as Parameters<typeof langchainTool>[1],
        ) as unknown as StructuredToolInterface;
        return async (text) => {
          try {
            const state = await invoke(made, { tool, text });
            const { messages } = state as { readonly messages: readonly BaseMessage[] };
            return messages.find((message) => ToolMessage.isInstance(message))?.text;
          } catch {
            return undefined;
          }
        };
      }),
  };
}
