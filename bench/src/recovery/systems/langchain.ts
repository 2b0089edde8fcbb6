import type { StructuredToolInterface } from "@langchain/core/tools";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { type ModelCall, offerThrough } from "@toolcontract/frameworks";
import {
  answerAmong,
  answerOfAgent,
  langchainTool,
  messageThatCalls,
} from "@toolcontract/frameworks/langchain";
import { toolContractMiddleware, wrapTool } from "@toolcontract/langchain";
import { readContract, readZodPretty } from "../reading/readers.ts";
import { MESSAGES, declared, type SchemaKind, type System } from "./system.ts";

/** LangChain's agent, alone or with the contract as its middleware. */
export function langchainAgent(schema: SchemaKind, hasContract = false): System {
  const own = {
    name: hasContract ? "Toolcontract standard, LangChain agent" : "LangChain createAgent",
    packages: ["langchain", "@langchain/core"],
    readsText: true,
  };
  const middleware = hasContract ? [toolContractMiddleware(MESSAGES)] : [];
  return langchain(own, schema, hasContract, async (tool, call) =>
    answerOfAgent(tool, call, middleware),
  );
}

/** LangGraph's ToolNode, alone or with a wrapped tool. */
export function toolNode(schema: SchemaKind, hasContract = false): System {
  const own = {
    name: hasContract ? "Toolcontract standard, ToolNode" : "LangGraph ToolNode",
    packages: ["@langchain/langgraph", "@langchain/core"],
    readsText: !hasContract,
  };
  return langchain(own, schema, hasContract, async (tool, call) => {
    const node = new ToolNode([hasContract ? wrapTool(tool, MESSAGES) : tool]);
    return answerAmong(await node.invoke({ messages: [messageThatCalls(call)] }));
  });
}

function langchain(
  own: Pick<System, "name" | "packages" | "readsText">,
  schema: SchemaKind,
  hasContract: boolean,
  answerTo: (tool: StructuredToolInterface, call: ModelCall) => Promise<string | undefined>,
): System {
  return {
    ...own,
    packages: [...(hasContract ? ["@toolcontract/langchain"] : []), ...own.packages],
    schema,
    read: hasContract ? readContract : readZodPretty,
    offer: (tool) =>
      offerThrough((run) => {
        const made = langchainTool(declared(tool, schema), run);
        return async (text) => {
          try {
            return await answerTo(made, { tool, text });
          } catch {
            return undefined;
          }
        };
      }),
  };
}
