import { type AttemptCount, UNKNOWN_TOOL } from "../attempts/index.ts";
import { isAnyObject } from "../kit/index.ts";
import type { CheckResult } from "./decision.ts";
import { hasLateAdvisories } from "./late-property.ts";
import {
  type CallTool,
  checkShape,
  type HostContext,
  type ToolCall,
  type ToolDefinition,
} from "../shared/index.ts";
import { ToolContractError } from "@toolcontract/explain";

/** All tools of a host: an array, or an object keyed by name. */
export type ToolTable = readonly ToolDefinition[] | Readonly<Record<string, ToolDefinition>>;

/** What is known of a tool that the model is not offered in a turn. */
export interface UnavailableTool {
  /** The offered tool that finds it; absent if it is offered at another time without being searched for. */
  readonly foundWith?: string;
}

/** What the host knows about a call. */
export interface CallContext {
  /** Attempts are counted per conversation; required, because a default would mix tenants. */
  readonly conversationId: string;
  /** The called tool, if the host has already looked it up. */
  readonly tool?: ToolDefinition;
  /** All tools of the host: the called one is looked up by name; for an unknown name, similar ones are suggested. */
  readonly tools?: ToolTable;
  /**
   * Set if the called name is that of a tool that exists and that the model is not offered in this turn: the answer says so, and the call
   * counts among those of unknown names, so that the tool has all its attempts when its time comes. `tools` are the offered ones.
   */
  readonly unavailable?: UnavailableTool;
  /**
   * The attempts before this turn as countAttempts() returns them, for hosts with a message history; the
   * contract then keeps no count itself. Count undeclared names as one tool.
   */
  readonly attempts?: AttemptCount;
  /**
   * The result of check() on these arguments: they are not validated again. A host can pass errors that it found
   * itself; they are sanitized as in reject().
   */
  readonly checked?: CheckResult;
  /** The model turn; without it, calls that overlap in time are one turn. */
  readonly turnId?: string;
  /**
   * The position of the call among those of its message that have the same id, name and arguments, from 0, for hosts that hand the calls
   * of a message over one by one: some providers repeat ids.
   *
   * @default 0; `handleTurn` and `admitTurn` see it themselves
   */
  readonly position?: number;
  /**
   * For hosts that cannot name turns: calls of a tool within this many milliseconds are one turn, also on other machines
   * that share the `store`. A call with the arguments of one that was rejected in that turn begins another.
   */
  readonly together?: number;
  /**
   * When the call arrived, by the contract's `clock`, for `together`.
   *
   * @default when it is counted
   */
  readonly at?: number;
  /** The run, usually one per user message; a new one restarts the count in scope `"run"`. */
  readonly runId?: string;
  /**
   * False if the host cannot tell this run from others under the same `conversationId`: a stage then keeps nothing of the
   * call for later ones.
   */
  readonly knowsRun?: boolean;
  /**
   * True if no other message of any run or user has this `turnId`, such as one that is made for each: a call of it that comes again is then
   * known even if the run is not.
   */
  readonly knowsMessage?: boolean;
  /**
   * The key under which whoever sent the call sends it again if its answer was lost: a call with the same key, tool and arguments is the same
   * call, whatever its id, turn, run and conversation are. No call of another user may have it.
   */
  readonly idempotencyKey?: string;
  /**
   * Names the agent that makes the call, if several work in one conversation, such as sub-agents: their calls are others, whatever else they
   * share.
   */
  readonly agent?: string;
  /** The agent that makes the call, as people call it: in logs and events. */
  readonly agentName?: string;
  /** False if `conversationId` is a default that calls of unrelated users share. */
  readonly knowsConversation?: boolean;
  /** What the host knows about who calls, for rules and guardrails, such as `{ user: "u-17" }`. */
  readonly context?: HostContext;
  /** Grants of a person that came with this call, such as with an approval of the framework; beside those of `context`. */
  readonly grants?: readonly string[];
  /**
   * The provider's finish reason, verbatim: `"length"` and the like reject arguments that may be cut off. A call without arguments
   * runs only if the reason is known to be good, such as `"stop"` or `"tool_use"`, or if the API has none.
   *
   * @remarks null is the reason of an API that has not said it yet, as in the middle of a stream.
   */
  readonly finishReason?: string | null | undefined;
  /**
   * Correlates log entries with the host's.
   *
   * @default the conversation's id
   */
  readonly correlationId?: string;
  /**
   * False if the tool runs outside of the contract, such as in a client: for the `check` of a stage.
   *
   * @default true
   */
  readonly runsHere?: boolean;
  /** True if the host cannot run an admitted call a second time: for a stage that repeats runs. */
  readonly runsOnce?: boolean;
  /**
   * True if another program than the host may have put quotes around numbers and booleans, as clients of MCP do: the model
   * cannot take them away, so a call with no other fault does not spend the last attempt.
   */
  readonly mayBeQuoted?: boolean;
  /** Makes another call of a tool, beside the contract: for a stage that undoes what a call did. */
  readonly callTool?: CallTool;
  /** Cancels the call: the signal's reason is thrown and nothing is counted. */
  readonly signal?: AbortSignal;
}

const STRINGS = [
  "turnId",
  "runId",
  "idempotencyKey",
  "agent",
  "agentName",
  "correlationId",
] as const;
const TIMES = ["together", "at"] as const;
const FLAGS = [
  "knowsRun",
  "knowsMessage",
  "knowsConversation",
  "runsHere",
  "runsOnce",
  "mayBeQuoted",
] as const;

/** Throws if the call or what the host passes with it is unusable, saying what to pass. */
export function checkContext(method: string, call: ToolCall, context: CallContext): void {
  if (typeof context?.conversationId !== "string" || context.conversationId === "") {
    throw new ToolContractError(
      `contract.${method}: \`conversationId\` is missing. Attempts are counted per conversation, so pass its id, such as { conversationId: thread.id }.`,
    );
  }
  const { tool, tools, signal, checked, callTool } = context;
  if (tool === undefined && tools === undefined) {
    throw new ToolContractError(
      `contract.${method}: pass the called tool as \`tool\`, or all of them as \`tools\`.`,
    );
  }
  if (tool !== undefined && !isAnyObject(tool)) {
    throw new ToolContractError(
      `contract.${method}: \`tool\` must be a tool definition, such as { name: "read_file", inputSchema: { … } }.`,
    );
  }
  if (tools !== undefined && !isTable(tools)) {
    throw new ToolContractError(
      `contract.${method}: \`tools\` must be an array of tool definitions, or an object of them keyed by name.`,
    );
  }
  checkToolOfCall(method, call, tool);
  if (tools !== undefined) checkToolNames(method, tools);
  if (checked !== undefined && !isCheckResult(checked)) {
    throw new ToolContractError(
      `contract.${method}: \`checked\` must be the result of contract.check() or contract.checkAsync().`,
    );
  }
  for (const name of STRINGS) {
    if (context[name] === undefined || typeof context[name] === "string") continue;
    throw new ToolContractError(`contract.${method}: \`${name}\` must be a string.`);
  }
  if (typeof (context.finishReason ?? "") !== "string") {
    throw new ToolContractError(`contract.${method}: \`finishReason\` must be a string or null.`);
  }
  for (const name of TIMES) {
    if (context[name] === undefined || Number.isFinite(context[name])) continue;
    throw new ToolContractError(
      `contract.${method}: \`${name}\` must be a number of milliseconds.`,
    );
  }
  const { position = 0 } = context;
  if (!Number.isInteger(position) || position < 0) {
    throw new ToolContractError(
      `contract.${method}: \`position\` must be a whole number of at least 0.`,
    );
  }
  for (const name of FLAGS) {
    if (context[name] === undefined || typeof context[name] === "boolean") continue;
    throw new ToolContractError(`contract.${method}: \`${name}\` must be true or false.`);
  }
  if (context.context !== undefined && !isAnyObject(context.context)) {
    throw new ToolContractError(
      `contract.${method}: \`context\` must be an object, such as { user: "u-17" }.`,
    );
  }
  if (context.unavailable !== undefined && !isAnyObject(context.unavailable)) {
    throw new ToolContractError(
      `contract.${method}: \`unavailable\` must be an object, such as { foundWith: "search" }, or {}.`,
    );
  }
  if (context.grants !== undefined && !Array.isArray(context.grants)) {
    throw new ToolContractError(`contract.${method}: \`grants\` must be an array of grants.`);
  }
  if (callTool !== undefined && typeof callTool !== "function") {
    throw new ToolContractError(
      `contract.${method}: \`callTool\` must be a function (name, args) => Promise<result>.`,
    );
  }
  if (signal !== undefined && typeof signal?.throwIfAborted !== "function") {
    throw new ToolContractError(
      `contract.${method}: \`signal\` must be an AbortSignal, such as controller.signal.`,
    );
  }
}

/**
 * Throws if the tool that a host looked up is not the called one: one tool would run on arguments of another. A tool
 * named `(unknown)` stands for any, so that an invented name is counted and logged as no tool.
 */
export function checkToolOfCall(
  method: string,
  call: ToolCall,
  tool: ToolDefinition | undefined,
): void {
  if (tool === undefined) return;
  checkShape(tool);
  const { name } = tool;
  if (name === call.name || name === UNKNOWN_TOOL) return;
  throw new ToolContractError(
    `contract.${method}: \`tool\` is ${quotedToolName(tool)}, but the call is of another tool. Pass the definition of the tool that was called.`,
  );
}

const checkedTables = new WeakSet<ToolTable>();

/** Throws if a table of tools is ambiguous: each name may stand for one tool only. */
function checkToolNames(method: string, tools: ToolTable): void {
  if (checkedTables.has(tools)) return;
  const named = new Map<string, ToolDefinition>();
  for (const [key, tool] of Object.entries(tools)) {
    checkShape(tool);
    const { name } = tool;
    if (!isTableList(tools) && key !== name) {
      throw new ToolContractError(
        `contract.${method}: \`tools\` has the tool ${quotedToolName(tool)} under another key. Key each tool by its name, or pass an array.`,
      );
    }
    if (named.has(name) && named.get(name) !== tool) {
      throw new ToolContractError(
        `contract.${method}: \`tools\` has two tools named ${quotedToolName(tool)}. Give each tool a name of its own.`,
      );
    }
    named.set(name, tool);
  }
  checkedTables.add(tools);
}

function quotedToolName({ name }: ToolDefinition): string {
  return `'${name.slice(0, 64)}'`;
}

/** Throws if the arguments of handleTurn() are not an array and a context. */
export function checkTurn(
  method: "admitTurn" | "handleTurn",
  calls: readonly unknown[],
  context: CallContext,
): void {
  if (!Array.isArray(calls)) {
    throw new ToolContractError(
      `contract.${method}: the first argument must be an array of calls.`,
    );
  }
  if (isAnyObject(context)) return;
  const members =
    method === "handleTurn" ? "conversationId, tools, execute" : "conversationId, tools";
  throw new ToolContractError(`contract.${method}: the second argument must be { ${members} }.`);
}

/** Finds the called tool; undefined if the host has none of that name. */
export function findTool(name: string, { tool, tools }: CallContext): ToolDefinition | undefined {
  if (tool) return tool;
  if (isTableList(tools)) return tools.find((candidate) => candidate.name === name);
  return tools && Object.hasOwn(tools, name) ? tools[name] : undefined;
}

/** Lists the names of all tools of the host. */
export function toolNames({ tool, tools }: CallContext): readonly string[] {
  if (tools && !isTableList(tools)) return Object.keys(tools);
  return (tools ?? (tool ? [tool] : [])).map(({ name }) => name);
}

function isCheckResult(checked: CheckResult): boolean {
  if (!isAnyObject(checked)) return false;
  if (checked.status === "valid" && hasLateAdvisories(checked)) return true;
  if (!Array.isArray(checked.advisories) || !Array.isArray(checked.repairs)) return false;
  return checked.status === "valid" || (Array.isArray(checked.errors) && checked.errors.length > 0);
}

/** A Map or a Set has no enumerable properties, so every call would be of an unknown tool. */
function isTable(tools: unknown): boolean {
  if (!isAnyObject(tools) || tools instanceof Map || tools instanceof Set) return false;
  return Object.values(tools).every(isAnyObject);
}

function isTableList(tools: ToolTable | undefined): tools is readonly ToolDefinition[] {
  return Array.isArray(tools);
}
