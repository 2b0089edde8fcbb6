import type { ToolCall } from "./tool-call.ts";
import type { ToolDefinition } from "./tool-definition.ts";
import { ToolContractError } from "./tool-contract-error.ts";

/** The tools of a host: a list, or an object by name. */
export type ToolTable = readonly ToolDefinition[] | Readonly<Record<string, ToolDefinition>>;

/** What the host knows of a call. */
export interface CallContext {
  /** Whose attempts these are; required, because an omitted one would mix tenants. */
  readonly conversationId: string;
  /** The called tool, where the host has found it already. */
  readonly tool?: ToolDefinition;
  /** All tools of the host: the called one is found by name, and an unknown name is answered with the near ones. */
  readonly tools?: ToolTable;
  /** The model turn; without one, calls that overlap in time are one turn. */
  readonly turnId?: string;
  /** The run, usually one per user message; a new one starts a new count in scope `"run"`. */
  readonly runId?: string;
  /** Why the provider ended the output, in its own words; one that means "cut" refuses cut arguments. */
  readonly finishReason?: string;
  /** Joins log entries to the host's own; the conversation by default. */
  readonly correlationId?: string;
  /** Cancels the call: its reason is thrown and nothing is counted. */
  readonly signal?: AbortSignal;
}

/** Throws where the host's side of a call cannot work, saying what is missing. */
export function checkContext(method: string, call: ToolCall, context: CallContext): void {
  if (typeof call?.id !== "string" || typeof call.name !== "string") {
    throw new ToolContractError(
      `contract.${method}: a call needs the form { id, name, arguments } with texts for id and name.`,
    );
  }
  if (typeof context?.conversationId !== "string" || context.conversationId === "") {
    throw new ToolContractError(
      `contract.${method}: conversationId is missing. Attempts are counted per conversation; pass the id of this one, such as { conversationId: thread.id }.`,
    );
  }
  if (context.tool === undefined && context.tools === undefined) {
    throw new ToolContractError(
      `contract.${method}: pass the called \`tool\` or the table of all \`tools\`.`,
    );
  }
}

/** The called tool; undefined where the host has none of that name. */
export function findTool(name: string, { tool, tools }: CallContext): ToolDefinition | undefined {
  if (tool) return tool;
  if (isList(tools)) return tools.find((candidate) => candidate.name === name);
  return tools && Object.hasOwn(tools, name) ? tools[name] : undefined;
}

/** The names of all tools of the host. */
export function toolNames({ tool, tools }: CallContext): readonly string[] {
  if (isList(tools)) return tools.map((candidate) => candidate.name);
  return tools ? Object.keys(tools) : tool ? [tool.name] : [];
}

function isList(tools: ToolTable | undefined): tools is readonly ToolDefinition[] {
  return Array.isArray(tools);
}
