import type { AttemptCount } from "../attempts/index.ts";
import type { CheckResult } from "./decision.ts";
import { type ToolCall, ToolContractError, type ToolDefinition } from "../shared/index.ts";

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
  /**
   * The attempts before this turn, as countAttempts gives them, for hosts with a message history; the
   * contract then keeps no count of its own. Count undeclared names as one tool.
   */
  readonly attempts?: AttemptCount;
  /**
   * What check() found in these arguments: they are not judged again. A host's own errors go here too, and are
   * cleaned as in reject().
   */
  readonly checked?: CheckResult;
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

const TEXTS = ["turnId", "runId", "finishReason", "correlationId"] as const;

/** Throws where a call has not the form that the contract needs. */
export function checkCallForm(method: string, call: ToolCall): void {
  if (typeof call?.id === "string" && typeof call.name === "string") return;
  throw new ToolContractError(
    `contract.${method}: a call needs the form { id, name, arguments } with texts for id and name.`,
  );
}

/** Throws where the host's side of a call cannot work, saying what is missing. */
export function checkContext(method: string, call: ToolCall, context: CallContext): void {
  checkCallForm(method, call);
  if (typeof context?.conversationId !== "string" || context.conversationId === "") {
    throw new ToolContractError(
      `contract.${method}: conversationId is missing. Attempts are counted per conversation; pass the id of this one, such as { conversationId: thread.id }.`,
    );
  }
  const { tool, tools, signal, checked } = context;
  if (tool === undefined && tools === undefined) {
    throw new ToolContractError(
      `contract.${method}: pass the called \`tool\` or the table of all \`tools\`.`,
    );
  }
  if (tool !== undefined && !isObject(tool)) {
    throw new ToolContractError(
      `contract.${method}: \`tool\` must be a tool definition, such as { name: "read_file", inputSchema: { … } }.`,
    );
  }
  if (tools !== undefined && !isTable(tools)) {
    throw new ToolContractError(
      `contract.${method}: \`tools\` must be a list of tool definitions, or an object of them by name.`,
    );
  }
  if (checked !== undefined && !isCheckResult(checked)) {
    throw new ToolContractError(
      `contract.${method}: \`checked\` must be what contract.check() or contract.checkAsync() returned.`,
    );
  }
  for (const name of TEXTS) {
    if (context[name] === undefined || typeof context[name] === "string") continue;
    throw new ToolContractError(`contract.${method}: \`${name}\` must be a text.`);
  }
  if (signal !== undefined && typeof signal?.throwIfAborted !== "function") {
    throw new ToolContractError(
      `contract.${method}: \`signal\` must be an AbortSignal, such as that of an AbortController.`,
    );
  }
}

/** Throws where the calls of a turn are no list, or nothing is known of them. */
export function checkTurn(calls: readonly ToolCall[], context: CallContext): void {
  if (!Array.isArray(calls)) {
    throw new ToolContractError("contract.handleTurn: pass the list of a message's calls.");
  }
  if (isObject(context)) return;
  throw new ToolContractError(
    "contract.handleTurn: pass { conversationId, tools, execute } as the second argument.",
  );
}

/** The called tool; undefined where the host has none of that name. */
export function findTool(name: string, { tool, tools }: CallContext): ToolDefinition | undefined {
  if (tool) return tool;
  if (isTableList(tools)) return tools.find((candidate) => candidate.name === name);
  return tools && Object.hasOwn(tools, name) ? tools[name] : undefined;
}

/** The names of all tools of the host. */
export function toolNames({ tool, tools }: CallContext): readonly string[] {
  if (isTableList(tools)) return tools.map((candidate) => candidate.name);
  return tools ? Object.keys(tools) : tool ? [tool.name] : [];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isCheckResult(checked: CheckResult): boolean {
  if (!isObject(checked) || !isList(checked.advisories) || !isList(checked.repairs)) return false;
  return checked.status === "valid" || (isList(checked.errors) && checked.errors.length > 0);
}

/** A Map or a Set has no entries of its own, so every call would be one of an unknown tool. */
function isTable(tools: unknown): boolean {
  if (!isObject(tools) || tools instanceof Map || tools instanceof Set) return false;
  return Object.values(tools).every(isObject);
}

function isTableList(tools: ToolTable | undefined): tools is readonly ToolDefinition[] {
  return Array.isArray(tools);
}

function isList(value: unknown): value is readonly never[] {
  return Array.isArray(value);
}
