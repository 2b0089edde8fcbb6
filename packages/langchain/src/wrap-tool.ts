import type { BaseMessage } from "@langchain/core/messages";
import { ToolInputParsingException, type ToolRunnableConfig } from "@langchain/core/tools";
import { type AttemptCount, type CallTool, ToolContractError } from "@toolcontract/core";
import { type OptionRule, isFunction, isRecord } from "@toolcontract/core/adapter";
import { type AskPerson, createAsking, saidBy } from "./ask-person.ts";
import { type GuardedReply, runGuarded } from "./guarded-run.ts";
import { messageOfFailure, rejectionMessage } from "./history.ts";
import { withOwnState } from "./isolated-state.ts";
import type { NativeCall } from "./messages.ts";
import { overlayTool } from "./overlay-tool.ts";
import { createGuard, type Guard, type ToolContractOptions } from "./options.ts";
import { messageOfOutcome } from "./outcome.ts";
import { nameOfCall, positionOf, turnOf } from "./position.ts";
import { readCall } from "./read-call.ts";
import { originOfTool, taskOf } from "./runs.ts";
import { type Invoke, siblingCall, siblingOf } from "./sibling-call.ts";
import { isNamedTool } from "./tool-definitions.ts";

/** The part of a tool that is wrapped: what `tool()` returns, your own tool class, or a runnable as a tool. */
export interface WrappableTool {
  readonly name: string;
  /** The schema of the arguments. */
  readonly schema: unknown;
  /** Runs the tool with parsed arguments or with a whole tool call. */
  invoke(input: never, config?: never): Promise<unknown>;
}

/**
 * Options of `wrapTool` and `wrapTools` only.
 *
 * @example
 * ```ts
 * const options: WrapToolOwnOptions = { ask: interrupt };
 * ```
 * @see packages/langchain/README.md
 */
export interface WrapToolOwnOptions {
  /**
   * Asks a person about a call that a guardrail asks about, such as `interrupt` of `@langchain/langgraph`, with
   * `{ type: "toolcontract.ask", request }`. With `{ grant }` the call runs if the grant is good for it; the model reads a string, and
   * anything else leaves the contract's answer.
   *
   * @default the contract's answer, at once
   */
  readonly ask?: AskPerson;
}

/**
 * Options of `wrapTool` and `wrapTools`: a contract or the options of a new one, and their own.
 *
 * @example
 * ```ts
 * const options: WrapToolOptions = { maxAttempts: 3, ask: interrupt };
 * ```
 * @see packages/langchain/README.md
 */
export type WrapToolOptions = ToolContractOptions<WrapToolOwnOptions>;

const OWN: Readonly<Record<keyof WrapToolOwnOptions, OptionRule>> = {
  ask: { ...isFunction, wants: "a function such as interrupt of @langchain/langgraph" },
};

// Direct calls, and calls outside of any conversation, are always first attempts.
const FIRST: AttemptCount = { failed: 0, history: [], complete: true, blocked: false };

/**
 * Puts a contract around a tool for `ToolNode`, graphs and direct calls. The result is a tool of the same type.
 *
 * An invalid tool call is answered with a `ToolMessage`. Invalid arguments passed without a call throw
 * `ToolInputParsingException`, as LangChain does.
 *
 * @remarks Attempts are counted from the messages in the graph's state, else by `thread_id`; with neither, every call
 * is a first attempt. Bind the same object to the model and to the node, and do not spread it.
 * @throws ToolContractError if the tool or an option is of the wrong type, or guardrails cannot guard the tool.
 * @example
 * ```ts
 * const guarded = wrapTool(weather, { maxAttempts: 3 });
 * ```
 * @see packages/langchain/README.md
 */
export function wrapTool<TTool extends WrappableTool>(
  tool: TTool,
  options: WrapToolOptions = {},
): TTool {
  const guard = createGuard("wrapTool", options, OWN);
  checkTools("wrapTool", [tool], guard);
  return guardTool(tool, guard, [tool], options.ask);
}

/**
 * Puts one contract around several tools, and returns them in the same order.
 *
 * @throws ToolContractError if a tool or an option is of the wrong type, or guardrails cannot guard one of them.
 * @example
 * ```ts
 * const [guarded] = wrapTools([weather], { maxAttempts: 3 }); // one contract for all
 * ```
 * @see packages/langchain/README.md
 */
export function wrapTools<const TTools extends readonly WrappableTool[]>(
  tools: TTools,
  options: WrapToolOptions = {},
): { -readonly [Index in keyof TTools]: TTools[Index] } {
  const guard = createGuard("wrapTools", options, OWN);
  checkTools("wrapTools", tools, guard);
  return tools.map((tool) => guardTool(tool, guard, tools, options.ask)) as {
    -readonly [Index in keyof TTools]: TTools[Index];
  };
}

function guardTool<TTool extends WrappableTool>(
  tool: TTool,
  guard: Guard,
  siblings: readonly WrappableTool[],
  ask: AskPerson | undefined,
): TTool {
  const runAsking = createAsking();
  const original = tool as unknown as { readonly invoke: Invoke; readonly call?: Invoke };
  const invoke: Invoke = async (input, config) => {
    // Only code passes a bare string; a model sends an object.
    if (typeof input === "string") return original.invoke(input, config);
    const call = isCallInput(input) ? input : undefined;
    const made = call ?? { name: tool.name, args: input };
    const messages = call && messagesIn(config);
    const origin = originOfTool(guard, config, made.args);
    const read = readCall({ call: made, messages, origin }, guard.contract);
    const isCounted = call !== undefined && origin.conversationId !== undefined;
    const attempts = read.context.attempts ?? (isCounted ? undefined : FIRST);
    // Older versions of ToolNode pass no state.
    const known = messages ?? messagesOf(taskOf(config).input);
    const position = call && positionOf(call, known, config);
    const turnId = call && turnOf(call, known, origin, config);
    const context = {
      ...read.context,
      ...(attempts && { attempts }),
      ...(turnId !== undefined && { turnId }),
    };
    const attempt = async (grants: readonly string[]): Promise<GuardedReply<unknown>> =>
      runGuarded(
        {
          read: { ...read, context },
          tool: guard.definitions.of(tool),
          sent: made.args,
          ...origin,
          grants,
          position,
          signal: config?.signal,
          run: async (args) =>
            original.invoke(call ? callWithArguments(call, args) : args, configFor(config, guard)),
          replyTo: (value) => (call ? messageOfOutcome(call, value) : value),
          callTool: siblingCaller(siblings, call, config),
        },
        guard.contract,
      );
    const answered =
      ask && call
        ? await runAsking(attempt, ask, nameOfCall(call, origin, turnId, position))
        : { guarded: await attempt([]) };
    if ("text" in answered) return saidBy(made, answered.text);
    const { guarded } = answered;
    if (guarded.status === "executed") return guarded.reply;
    if (guarded.status === "failed") {
      if (call) return messageOfFailure(call, guarded.failure);
      throw guarded.failure;
    }
    if (call) return rejectionMessage({ call, tool: wrapped }, guarded.answer);
    throw new ToolInputParsingException(guarded.answer.result.content);
  };
  // Runs on the tool itself, because private members are not inherited by the wrapper.
  const call: Invoke = async (...given) =>
    (original.call ?? original.invoke).apply(original, given);
  const schema = guard.shown(tool);
  const wrapped = overlayTool(tool, {
    invoke,
    ...("call" in tool && { call }),
    ...(schema && { schema }),
  });
  return wrapped;
}

/** The tool's configuration; with a stage, which may refuse what the tool did, the state in it is a copy. */
function configFor<TConfig>(config: TConfig, { contract }: Guard): TConfig {
  return contract.settings.hasStage ? withOwnState(config) : config;
}

/** Calls another of the wrapped tools, beside the contract and whatever was aborted. */
function siblingCaller(
  siblings: readonly WrappableTool[],
  call: NativeCall | undefined,
  config: ToolRunnableConfig | undefined,
): CallTool {
  return async (name, args) => {
    const tool = siblingOf(name, siblings) as unknown as { readonly invoke: Invoke };
    const { signal: _, ...others } = config ?? {};
    return tool.invoke(call ? siblingCall(call.id, name, args) : args, others);
  };
}

function checkTools(where: string, tools: readonly WrappableTool[], { contract }: Guard): void {
  const isTool = (tool: unknown): boolean => isNamedTool(tool) && "invoke" in tool;
  if (!Array.isArray(tools) || !tools.every(isTool)) {
    throw new ToolContractError(
      `${where}: pass tools with a name and an invoke method, such as tool(run, { name, schema }). A provider's built-in tools run on its side and cannot be wrapped.`,
    );
  }
  // The graph may have others.
  contract.settings.checkTools(
    tools.map(({ name }) => name),
    false,
  );
}

function isCallInput(input: unknown): input is NativeCall & { readonly type: "tool_call" } {
  return isRecord(input) && input["type"] === "tool_call";
}

function callWithArguments(call: NativeCall, args: unknown): unknown {
  return args === call.args ? call : { type: "tool_call", id: call.id, name: call.name, args };
}

/** The messages in the state that a graph passes to its tools; the state may be the array itself. */
function messagesIn(config: unknown): readonly BaseMessage[] | undefined {
  return messagesOf(isRecord(config) ? config["state"] : undefined);
}

function messagesOf(state: unknown): readonly BaseMessage[] | undefined {
  const messages = isRecord(state) ? state["messages"] : state;
  return Array.isArray(messages) ? (messages as readonly BaseMessage[]) : undefined;
}
