import type { BaseMessage } from "@langchain/core/messages";
import { ToolInputParsingException, type ToolRunnableConfig } from "@langchain/core/tools";
import { type AttemptCount, ToolContractError } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import {
  type Guard,
  type ToolContractOptions,
  conversationIdOf,
  createGuard,
  threadIdOf,
} from "./options.ts";
import { runGuarded } from "./guarded-run.ts";
import { readCall } from "./read-call.ts";
import type { NativeCall } from "./messages.ts";
import { rejectionMessage } from "./history.ts";
import { isNamedTool } from "./tool-definitions.ts";

/** A tool as far as it is wrapped: what `tool()` makes, a class of your own, a runnable as a tool. */
export interface WrappableTool {
  readonly name: string;
  readonly schema: unknown;
  invoke(input: never, config?: never): Promise<unknown>;
}

type Invoke = (input: unknown, config?: ToolRunnableConfig) => Promise<unknown>;

// A call made by hand is no attempt of a model.
const FIRST: AttemptCount = { failed: 0, history: [], complete: true, blocked: false };

/**
 * Puts a contract around a tool for ToolNode, graphs and calls by hand; it stays a tool of the same kind.
 *
 * An invalid tool call is answered with a ToolMessage; invalid arguments given without a call throw, as ever.
 *
 * @remarks Attempts are counted from the messages of the graph's state, or else by `thread_id`; where there is
 * neither, every call is a first attempt. Bind the same object to the model and to the node, and do not spread it.
 * @throws ToolContractError where the tool or an option is of the wrong kind.
 */
export function wrapTool<TTool extends WrappableTool>(
  tool: TTool,
  options: ToolContractOptions = {},
): TTool {
  const guard = createGuard("wrapTool", options);
  checkTools("wrapTool", [tool]);
  return guardTool(tool, guard);
}

/**
 * Puts one contract around several tools, in their order.
 *
 * @throws ToolContractError where a tool or an option is of the wrong kind.
 */
export function wrapTools<const TTools extends readonly WrappableTool[]>(
  tools: TTools,
  options: ToolContractOptions = {},
): { -readonly [Index in keyof TTools]: TTools[Index] } {
  const guard = createGuard("wrapTools", options);
  checkTools("wrapTools", tools);
  return tools.map((tool) => guardTool(tool, guard)) as {
    -readonly [Index in keyof TTools]: TTools[Index];
  };
}

function guardTool<TTool extends WrappableTool>(tool: TTool, guard: Guard): TTool {
  const original = tool as unknown as { readonly invoke: Invoke; readonly call?: Invoke };
  const invoke: Invoke = async (input, config) => {
    // A tool that takes one text gets it from code, never from a model.
    if (typeof input === "string") return original.invoke(input, config);
    const call = isCall(input) ? input : undefined;
    const made = call ?? { name: tool.name, args: input };
    const messages = call && messagesIn(config);
    const judged = readCall({ call: made, messages }, guard.contract);
    const isCounted =
      call !== undefined && (guard.conversationId ?? threadIdOf(config)) !== undefined;
    const attempts = judged.context.attempts ?? (isCounted ? undefined : FIRST);
    const guarded = await runGuarded(
      {
        judged: { ...judged, context: { ...judged.context, ...(attempts && { attempts }) } },
        tool: guard.definitions.of(tool),
        conversationId: guard.conversationId ?? conversationIdOf(config),
        signal: config?.signal,
        run: async (args) => original.invoke(call ? withArguments(call, args) : args, config),
      },
      guard.contract,
    );
    if (guarded.status === "executed") return guarded.reply;
    if (call) return rejectionMessage({ call, tool: wrapped }, guarded.answer);
    throw new ToolInputParsingException(guarded.answer.result.content);
  };
  // Forwarded, because private members are those of the tool itself.
  const call: Invoke = async (...given) =>
    (original.call ?? original.invoke).apply(original, given);
  const own = (value: Invoke): PropertyDescriptor => ({
    value,
    writable: true,
    configurable: true,
  });
  const wrapped = Object.create(tool, {
    invoke: own(invoke),
    ...("call" in tool && { call: own(call) }),
  }) as TTool;
  return wrapped;
}

function checkTools(where: string, tools: readonly unknown[]): void {
  const isTool = (tool: unknown): boolean => isNamedTool(tool) && "invoke" in tool;
  if (Array.isArray(tools) && tools.every(isTool)) return;
  throw new ToolContractError(
    `${where}: pass tools with a name and an invoke method, such as tool(run, { name, schema }); a provider's own tools run there and need none.`,
  );
}

function isCall(input: unknown): input is NativeCall & { readonly type: "tool_call" } {
  return isRecord(input) && input["type"] === "tool_call";
}

function withArguments(call: NativeCall, args: unknown): unknown {
  return args === call.args ? call : { type: "tool_call", id: call.id, name: call.name, args };
}

/** The messages of the state that a graph's node passes along, which may be the list itself. */
function messagesIn(config: unknown): readonly BaseMessage[] | undefined {
  const state = isRecord(config) ? config["state"] : undefined;
  const messages = isRecord(state) ? state["messages"] : state;
  return Array.isArray(messages) ? (messages as readonly BaseMessage[]) : undefined;
}
