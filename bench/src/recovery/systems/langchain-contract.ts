import type { StructuredToolInterface } from "@langchain/core/tools";
import { toolContractMiddleware, wrapTool } from "@toolcontract/langchain";
import { readContract } from "../reading/read-contract.ts";
import { agentCall, nodeCall } from "./langchain.ts";
import type { SchemaKind, System } from "./system.ts";

const QUIET = { logger: () => undefined } as const;

/** LangChain's agent with the contract as its middleware. */
export function langchainAgentWithContract(schema: SchemaKind): System {
  return {
    name: "Toolcontract standard, LangChain agent",
    schema,
    packages: ["@toolcontract/langchain", "langchain", "@langchain/core"],
    read: readContract,
    readsText: true,
    offer: (tool) => agentCall(tool, schema, () => [toolContractMiddleware(QUIET)]),
  };
}

/** A graph's ToolNode with a wrapped tool. */
export function toolNodeWithContract(schema: SchemaKind): System {
  return {
    name: "Toolcontract standard, ToolNode",
    schema,
    packages: ["@toolcontract/langchain", "@langchain/langgraph", "@langchain/core"],
    read: readContract,
    readsText: false,
    offer: (tool) =>
      nodeCall(tool, schema, (made) => wrapTool<StructuredToolInterface>(made, QUIET)),
  };
}
