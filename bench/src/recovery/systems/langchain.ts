import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { tool as langchainTool, type StructuredToolInterface } from "@langchain/core/tools";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { toolContractMiddleware, wrapTool } from "@toolcontract/langchain";
import { type AgentMiddleware, createAgent } from "langchain";
import { ChatModelThatCalls, messageThatCalls } from "../../models-that-call.ts";
import type { CorpusTool } from "../../corpus.ts";
import { zodOfTool } from "../../zod-of-tool.ts";
import { readContract, readZodPretty } from "../reading/readers.ts";
import { type MakeCall, type Outcome, recordRuns, type SchemaKind, type System } from "./system.ts";

const QUIET = { logger: () => undefined } as const;

/** LangChain's agent without the contract. */
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

/** LangChain's agent with the contract as its middleware. */
export function langchainAgentWithContract(schema: SchemaKind): System {
  return {
    ...langchainAgent(schema),
    name: "Toolcontract standard, LangChain agent",
    packages: ["@toolcontract/langchain", "langchain", "@langchain/core"],
    read: readContract,
    offer: (tool) => agentCall(tool, schema, () => [toolContractMiddleware(QUIET)]),
  };
}

/** LangGraph's ToolNode without the contract. */
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

/** LangGraph's ToolNode with a wrapped tool. */
export function toolNodeWithContract(schema: SchemaKind): System {
  return {
    ...toolNode(schema),
    name: "Toolcontract standard, ToolNode",
    packages: ["@toolcontract/langchain", "@langchain/langgraph", "@langchain/core"],
    read: readContract,
    readsText: false,
    offer: (tool) =>
      nodeCall(tool, schema, (made) => wrapTool<StructuredToolInterface>(made, QUIET)),
  };
}

function agentCall(
  tool: CorpusTool,
  schema: SchemaKind,
  middleware: () => AgentMiddleware[],
): MakeCall {
  return async (text) => {
    const { runs, run } = recordRuns();
    const agent = createAgent({
      model: new ChatModelThatCalls({ tool, text }),
      tools: [toolOf(tool, schema, run)],
      middleware: middleware(),
    });
    return outcomeOf(runs, async () =>
      agent.invoke({ messages: [{ role: "user", content: "go on" }] }),
    );
  };
}

function nodeCall(
  tool: CorpusTool,
  schema: SchemaKind,
  wrap: (made: StructuredToolInterface) => StructuredToolInterface,
): MakeCall {
  return async (text) => {
    const { runs, run } = recordRuns();
    const node = new ToolNode([wrap(toolOf(tool, schema, run))]);
    return outcomeOf(runs, async () =>
      node.invoke({ messages: [messageThatCalls({ tool, text })] }),
    );
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
  invoke: () => Promise<unknown>,
): Promise<Outcome> {
  let state: unknown;
  try {
    state = await invoke();
  } catch (thrown) {
    return { status: "silent", why: `throws ${(thrown as Error).name}` };
  }
  if (runs.length > 0) return { status: "ran", args: runs[0] };
  const { messages } = state as { readonly messages: readonly BaseMessage[] };
  const answer = messages.find((message) => ToolMessage.isInstance(message));
  if (answer === undefined) return { status: "silent", why: "the run ends" };
  return { status: "answered", text: answer.text };
}
