import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Runnable } from "@langchain/core/runnables";
import { tool as langchainTool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { createContract, type ToolDefinition } from "@toolcontract/core";
import type { MakeCall } from "@toolcontract/frameworks";
import { asSchema, InvalidToolInputError, TypeValidationError } from "ai";
import { createAgent } from "langchain";
import type { CorpusTool } from "./corpus.ts";
import { humanAjv, plainAjv } from "./recovery/systems/ajv.ts";
import { mcpV1, mcpV2 } from "./recovery/systems/mcp.ts";
import type { System } from "./recovery/systems/system.ts";
import { zodOfTool } from "./zod-of-tool.ts";

/** Answers an invalid call of one tool: takes the arguments as JSON, returns the message for the model. */
export type Reject = (text: string) => Promise<string> | string;

/** A package, or a part of one, that rejects invalid calls. */
export interface Rejecting {
  readonly name: string;
  /** Sets up a tool, as a host does once. */
  readonly prepare: (tool: CorpusTool) => Promise<Reject> | Reject;
  readonly close?: () => Promise<void>;
}

/** Adapts a system of the recovery benchmark. */
function rejectingSystem(system: System, name: string): Rejecting {
  return {
    name,
    prepare: async (tool) => answerOf(await system.offer(tool)),
    ...(system.close && { close: system.close }),
  };
}

function answerOf(call: MakeCall): Reject {
  return async (text) => {
    const outcome = await call(text);
    if (outcome.status !== "answered")
      throw new Error(`${outcome.status} instead of answered: ${text}`);
    return outcome.text;
  };
}

/** The contract with a zod tool. */
const contractOnZod: Rejecting = {
  name: "contract.admit, zod tool",
  prepare: (tool) => {
    const validator = zodOfTool(tool);
    if (validator === undefined) throw new Error(`zod cannot read the schema of ${tool.name}.`);
    return admitting({ name: tool.name, validator });
  },
};

/** The contract with a JSON Schema tool. */
const contractOnJsonSchema: Rejecting = {
  name: "contract.admit, JSON Schema tool",
  prepare: (tool: CorpusTool) => admitting(tool),
};

let conversations = 0;

function admitting(tool: ToolDefinition): Reject {
  const contract = createContract({ logger: () => undefined });
  return async (text) => {
    conversations += 1;
    const call = { id: "call_1", name: tool.name, arguments: text };
    const context = { tool, conversationId: `${conversations}`, turnId: "1" };
    const admission = await contract.admit(call, context);
    if (admission.status !== "rejected")
      throw new Error(`${admission.status} instead of rejected: ${text}`);
    return admission.result.content;
  };
}

/** The AI SDK's own check and error without its loop: the steps of its tool calls. */
export const aiSdkCheck: Rejecting = {
  name: "AI SDK 7: its check and its error's text",
  prepare: (tool) => {
    const zod = zodOfTool(tool);
    if (zod === undefined) throw new Error(`zod cannot read the schema of ${tool.name}.`);
    const schema = asSchema(zod);
    return async (toolInput) => {
      const value: unknown = JSON.parse(toolInput);
      const checked = await schema.validate?.(value);
      if (checked === undefined || checked.success) throw new Error(`Accepted: ${toolInput}`);
      const cause = TypeValidationError.wrap({ value, cause: checked.error });
      return new InvalidToolInputError({ toolName: tool.name, toolInput, cause }).toString();
    };
  },
};

/** The node of createAgent that answers tool calls, without the graph and the model. */
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
        throw new Error(`Accepted: ${text}`);
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

const ajvErrors = rejectingSystem(plainAjv, "ajv: errorsText");

/** What rejects a call without a client and a server, the contract first. */
export const rejectingInProcess: readonly Rejecting[] = [
  contractOnZod,
  contractOnJsonSchema,
  aiSdkCheck,
  agentToolNode,
  ajvErrors,
];

/** Lists everything that rejects invalid calls, the contract first. */
export function allRejecting(): readonly Rejecting[] {
  return [
    contractOnZod,
    contractOnJsonSchema,
    aiSdkCheck,
    agentToolNode,
    rejectingSystem(mcpV1(), "MCP SDK v1: a request in memory"),
    rejectingSystem(mcpV2("zod"), "MCP SDK v2: a request in memory"),
    rejectingSystem(mcpV2("json-schema"), "MCP SDK v2: a request in memory, JSON Schema tool"),
    ajvErrors,
    rejectingSystem(humanAjv, "ajv-human-errors"),
  ];
}
