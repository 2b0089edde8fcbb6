import { ToolMessage } from "@langchain/core/messages";
import type { ToolRunnableConfig } from "@langchain/core/tools";
import { ToolContractError } from "@toolcontract/core";
import { isControlFlow } from "@toolcontract/core/adapter";
import { failureReason, type ToolCallLimits, toolFailed } from "@toolcontract/session";
import { REPORT_TOOL } from "@toolcontract/session/adapter";
import type { WrapToolCallHook } from "langchain";
import type { ToolHandler, ToolRequest } from "../hooks.ts";
import { unreadTextOf } from "../call-text.ts";
import { callingMessageOf } from "../messages.ts";
import type { ToolErrors } from "../options.ts";
import { overlayTool } from "../overlay-tool.ts";
import { type Invoke, isInvokable } from "../sibling-call.ts";
import type { CurrentRun, CurrentRuns } from "./current-run.ts";
import { showReply } from "./shown-reply.ts";

/** A call that runs. */
interface OpenCall {
  readonly limits: ToolCallLimits;
  hasRun: boolean;
  hasFailed: boolean;
}

/** The limits around the calls of all runs, outside and inside of the contract's hook. */
export interface LimitedTools {
  readonly wrap: (contract: WrapToolCallHook) => WrapToolCallHook;
  /** What the contract's hook shows of what a tool throws. */
  readonly toolErrors: ToolErrors;
}

/** Creates the limits; `own` is the application's text for what a tool throws. */
export function createToolLimits(runs: CurrentRuns, own: ToolErrors | undefined): LimitedTools {
  // Each call has a runtime of its own, and all copies of its request share it.
  const open = new WeakMap<object, OpenCall>();

  const limit = async (
    request: ToolRequest,
    handler: ToolHandler,
    contract: WrapToolCallHook,
  ): Promise<Awaited<ReturnType<ToolHandler>>> => {
    const { toolCall, runtime } = request;
    const { id = "", name, args } = toolCall;
    const { run } = runs.of(runtime);
    if (name === REPORT_TOOL) return takeReport(run, request);
    const limits = run.tool({ id, name, input: args });
    const refused = limits.refusal();
    if (refused !== undefined) {
      return new ToolMessage({ status: "error", name, tool_call_id: id, content: refused });
    }
    const call: OpenCall = { limits, hasRun: false, hasFailed: false };
    open.set(runtime, call);
    const timed: ToolHandler = async (sent) => {
      const isOwn = sent.toolCall.id === toolCall.id;
      const { id: sentId = "", name: tool, args: input } = sent.toolCall;
      const used = isOwn ? limits : run.tool({ id: sentId, name: tool, input });
      const reply = await used.run(
        async (signal) => runs.leave(() => handler(withSignal(sent, signal, runs))),
        runtime.signal,
      );
      if (isOwn) call.hasRun = true;
      return reply;
    };
    try {
      const reply = await contract(request, timed);
      return call.hasRun && !call.hasFailed ? showReply(reply, limits) : reply;
    } catch (thrown) {
      // A tool that an abort ended has an entry too.
      if (!call.hasFailed && !isControlFlow(thrown)) limits.failed(thrown);
      // Version 1.0 writes into the message of what a hook throws, and the reason of an abort is the caller's own object.
      throw thrown === runtime.signal?.reason ? new Error("aborted", { cause: thrown }) : thrown;
    }
  };

  const toolErrors = async (thrown: unknown, request: ToolRequest): Promise<string> => {
    // An invalid limit is the program's mistake, not a failure of the tool.
    if (ToolContractError.isInstance(thrown)) throw thrown;
    const call = open.get(request.runtime);
    const text = typeof own === "function" ? await own(thrown, request) : undefined;
    if (!call) return text ?? toolFailed(failureReason(thrown));
    call.hasFailed = true;
    return call.limits.failed(thrown, text);
  };

  return {
    wrap: (contract) => async (request, handler) => limit(request, handler, contract),
    toolErrors: own === "throw" ? own : toolErrors,
  };
}

/** Takes the report. Nothing validates its arguments before: the session repairs them and answers. */
function takeReport(run: CurrentRun["run"], { toolCall, state }: ToolRequest): ToolMessage {
  const { id, name, args } = toolCall;
  const calling = callingMessageOf(toolCall, state.messages)?.message;
  const { text, isError } = run.report(unreadTextOf(toolCall, calling) ?? args, id);
  return new ToolMessage({
    status: isError ? "error" : "success",
    // Older versions end a run after any message with the name of a tool that returns directly.
    ...(!isError && { name }),
    tool_call_id: id ?? "",
    content: text,
  });
}

/** The request with a tool that gets the signal of its time limit. Version 1.0 runs the agent's own tool instead. */
function withSignal(request: ToolRequest, signal: AbortSignal, runs: CurrentRuns): ToolRequest {
  const tool: unknown = request.tool;
  if (!isInvokable(tool)) return request;
  const invoke: Invoke = async (input, config) =>
    tool.invoke(input, {
      ...config,
      configurable: runs.without(config?.configurable),
      signal,
    } as ToolRunnableConfig);
  return { ...request, tool: overlayTool(tool, { invoke }) as unknown as ToolRequest["tool"] };
}
