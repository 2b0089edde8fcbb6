import type { CheckResult } from "@toolcontract/core";
import {
  authorOf,
  chain,
  failureOfAgent,
  isAnyObject,
  isMcpResult,
  isRecord,
  mcpText,
  isObserving,
  viewOf,
} from "@toolcontract/core/adapter";
import { asSchema, jsonSchema, type Schema } from "ai";
import { needsPerson } from "./approvals.ts";
import type { Guard } from "./guard.ts";
import { overlayTool } from "./overlay-tool.ts";
import { rejectionError, validationError } from "./rejection-error.ts";
import type { ExecuteOptions, ModelOutput, SdkTool, ToModelOutput } from "./sdk.ts";
import { stepFrom } from "./runs.ts";
import { siblingCaller } from "./sibling-call.ts";
import { asArguments, isMcpTool, isProviderTool } from "./tool-definitions.ts";
import {
  type DecidedCall,
  reportValidCall,
  runCounted,
  runInContract,
  runUnlessRefused,
  type AcceptedCall,
  hasNote,
} from "./valid-call.ts";

/** What the model reads of a failure without words. */
const SILENT = "The tool failed and gave no reason";

/** The call id of a tool that the application calls itself. */
const BY_HAND = "called by hand";

type Given = Parameters<ToModelOutput>[0];
type FailedOutput = Extract<ModelOutput, { readonly type: "error-text" | "error-json" }>;

/** Copies a tool and puts its arguments under the contract; a tool that the provider runs is returned unchanged. */
export function guardTool(name: string, tool: SdkTool, guard: Guard): SdkTool {
  if (isProviderTool(tool)) return tool;
  const { schema, checkedOf } = guardSchema(name, tool, guard);
  const notes = new WeakMap<object, Promise<string>>();

  function callOf(input: unknown, options: ExecuteOptions | undefined): AcceptedCall | undefined {
    // Tools are also called by hand, without the SDK's options.
    const given: Partial<ExecuteOptions> = options ?? {};
    const { toolCallId = BY_HAND, abortSignal: signal, messages = [] } = given;
    if (toolCallId === BY_HAND && !guard.contract.settings.runsTools) return undefined;
    const found = checkedOf(input);
    const checked = found?.status === "valid" ? found : undefined;
    const observed = found?.status === "invalid" ? found : undefined;
    const runsHere = tool.execute !== undefined;
    return { toolCallId, toolName: name, input, checked, observed, messages, signal, runsHere };
  }

  function report(call: AcceptedCall): DecidedCall {
    const reported = reportValidCall(call, guard);
    keepNote(call, () => reported.note());
    return reported;
  }

  function keepNote({ checked, input }: AcceptedCall, note: () => Promise<string>): void {
    if (checked && hasNote(checked, guard)) notes.set(input as object, note());
  }

  // Not async: the SDK checks synchronously whether it returns a stream of results.
  const execute = (input: unknown, options: ExecuteOptions): unknown => {
    const call = callOf(input, options);
    const run = (): unknown => chain(tool.execute?.(input, options), orFailure);
    if (call === undefined) return run();
    if (guard.contract.settings.runsTools) {
      const { toolCallId, messages } = call;
      const callTool = siblingCaller(guard.tools, {
        ...options,
        toolCallId,
        messages: [...messages],
      });
      const { output, note } = runInContract(call, run, callTool, guard);
      keepNote(call, async () => note);
      return output;
    }
    const reported = report(call);
    const counted = (): unknown => runCounted(call, run, guard);
    return reported.mayRefuse ? runUnlessRefused(reported, counted, guard) : counted();
  };
  /** What the tool returns; thrown if it is the text for a person of an agent that gave up. */
  function orFailure(output: unknown): unknown {
    const failure = failureOfAgent(name, output);
    if (failure !== undefined) throw rejectionError(failure);
    return output;
  }

  const onInputAvailable = (options: ExecuteOptions & { readonly input: unknown }): unknown => {
    const call = callOf(options.input, options);
    // Some versions call this with invalid arguments too.
    if (call?.checked || call?.observed) report(call);
    return tool.onInputAvailable?.(options as never);
  };
  return overlayTool(tool, {
    ...guardedCaller(tool, (bound) => guardTool(name, bound, guard), guard),
    inputSchema: schema,
    toModelOutput: withModelOutput(tool, (input) => notes.get(input)),
    ...(tool.execute
      ? { execute, ...approvalOf({ name, tool, checkedOf }, guard) }
      : { onInputAvailable }),
  });
}

/** Has the SDK ask a person about the calls that a guardrail asks about, besides those that the tool itself needs approval for. */
function approvalOf(
  {
    name,
    tool,
    checkedOf,
  }: { readonly name: string; readonly tool: SdkTool } & Omit<GuardedSchema, "schema">,
  guard: Guard,
): Pick<SdkTool, "needsApproval"> {
  if (!guard.contract.settings.runsTools || isObserving(guard.contract)) return {};
  const own = tool.needsApproval;
  return {
    async needsApproval(input: unknown, options: Parameters<NeedsApproval>[1]) {
      const isNeeded = typeof own === "function" ? await own.call(tool, input, options) : own;
      const { toolCallId, messages } = options;
      const judged = stepFrom(messages).judged.get(toolCallId);
      if (isNeeded === true || judged === "waits") return true;
      const checked = checkedOf(input);
      // The schema has changed what was sent, and would not take it again.
      const sent = (checked?.status === "valid" ? checked.input : undefined) ?? input;
      const call = { toolCallId, toolName: name, input: sent, messages };
      return needsPerson(call, judged !== undefined, guard);
    },
  };
}

type NeedsApproval = Extract<SdkTool["needsApproval"], (...given: never[]) => unknown>;

/** The schema for the SDK, and the results for the arguments that it accepted. */
interface GuardedSchema {
  readonly schema: Schema;
  /** The contract's result for accepted arguments; undefined for values that this schema did not return. */
  readonly checkedOf: (input: unknown) => CheckResult | undefined;
}

/**
 * Shows the provider the tool's JSON Schema as it takes it, and validates with the contract.
 *
 * @remarks By the tool's schema alone: the SDK validates the calls of stored messages too, and what refuses a call today must not end a
 * conversation in which it was made before. The rest is asked when a call is made, and when it runs.
 */
function guardSchema(name: string, tool: SdkTool, guard: Guard): GuardedSchema {
  const own = asSchema(tool.inputSchema);
  const author = authorOf(guard.contract);
  const accepted = new WeakMap<object, CheckResult>();
  const shown = (): Schema["jsonSchema"] =>
    chain(own.jsonSchema, (it) => (guard.shown?.(name, it) ?? it) as typeof it);
  const schema = jsonSchema(shown, {
    async validate(value) {
      const definition = await guard.definitions.get(name);
      if (definition === undefined) return { success: true, value };
      const result = await author.checkSchema(definition, asArguments(value));
      if (isObserving(guard.contract)) {
        const judged = (await own.validate?.(value)) ?? { success: true, value };
        if (judged.success && isAnyObject(judged.value)) accepted.set(judged.value, result);
        return judged;
      }
      if (result.status === "invalid") {
        return { success: false, error: validationError(value, result) };
      }
      const { output } = result;
      if (isAnyObject(output)) accepted.set(output, result);
      return { success: true, value: output };
    },
  });
  const checkedOf = (input: unknown): CheckResult | undefined =>
    isAnyObject(input) ? accepted.get(input) : undefined;
  return { schema, checkedOf };
}

/**
 * Converts a tool's output for the model as the tool does, with two additions: a failed MCP result keeps its error
 * flag, and a note on advisories follows.
 */
export function withModelOutput(
  tool: SdkTool,
  noteOf: (input: object) => Promise<string> | undefined,
): ToModelOutput {
  return (given: Given) => {
    // Version 5 passes the bare output.
    const call = isExecutedCall(given) ? given : undefined;
    const output: unknown = call ? call.output : given;
    // The MCP client's own conversion drops the flag; any other tool's conversion is its author's decision.
    const failure = isMcpTool(tool) || !tool.toModelOutput ? failedOutput(tool, output) : undefined;
    if (failure) return failure;
    const own = tool.toModelOutput ? tool.toModelOutput(given) : defaultOutput(output);
    const input: unknown = call?.input;
    const note = isAnyObject(input) ? noteOf(input) : undefined;
    return note === undefined ? own : outputWithNote(own, note);
  };
}

function isExecutedCall(given: unknown): given is Given {
  return (
    isAnyObject(given) &&
    ["toolCallId", "input", "output"].every((name) => Object.hasOwn(given, name))
  );
}

/** What the SDK does for tools without `toModelOutput`. */
function defaultOutput(output: unknown): ModelOutput {
  if (typeof output === "string") return { type: "text", value: output };
  const text = JSON.stringify(output) as string | undefined;
  return { type: "json", value: text === undefined ? null : JSON.parse(text) };
}

async function outputWithNote(
  own: ReturnType<ToModelOutput>,
  note: Promise<string>,
): Promise<ModelOutput> {
  const [output, text] = await Promise.all([own, note]);
  if (text === "") return output;
  switch (output.type) {
    case "text":
      return { ...output, value: `${output.value}\n\n${text}` };
    case "json":
      return { type: "text", value: `${JSON.stringify(output.value)}\n\n${text}` };
    case "content":
      return { ...output, value: [...output.value, { type: "text", text }] };
    default:
      return output;
  }
}

/** A failed result as the model reads it, with its error flag; undefined for any other output. */
function failedOutput(tool: SdkTool, result: unknown): FailedOutput | undefined {
  if (!isAnyObject(result) || !("isError" in result)) return undefined;
  const { isError, content } = result as { readonly isError: unknown; readonly content?: unknown };
  if (isError !== true || !Array.isArray(content)) return undefined;
  // A tool's own object says more than the texts in it.
  const isMcp = isMcpTool(tool) || isMcpResult(result);
  const isStructured = content.length === 0 && "structuredContent" in result;
  if (!isMcp || isStructured) {
    return { type: "error-json", value: JSON.parse(JSON.stringify(result)) };
  }
  const parts = content.filter(isRecord);
  const isMute = parts.every((part) => part["type"] === "text" && part["text"] === "");
  const value = isMute ? SILENT : mcpText({ content: parts, isError });
  return { type: "error-text", value };
}

interface LocalCaller {
  readonly type: "local";
  readonly bind: (...given: readonly unknown[]) => SdkTool;
  /** Tells the model which tools it can call. */
  readonly prepareModelMessage?: (...given: readonly unknown[]) => unknown;
}

/**
 * The members of a tool that calls other tools (code mode in version 7), changed so that the tool it binds for a run
 * is guarded too; empty for any other tool.
 */
function guardedCaller(
  tool: SdkTool,
  guarded: (bound: SdkTool) => SdkTool,
  { announcements }: Guard,
): { readonly experimental_toolCaller?: LocalCaller } {
  const caller = callerOf(tool);
  if (caller === undefined) return {};
  const bind = (...given: readonly unknown[]): SdkTool => guarded(caller.bind(...given));
  const announce = caller.prepareModelMessage?.bind(caller);
  const prepareModelMessage = (...given: readonly unknown[]): unknown => {
    const content = announce?.(...given);
    announcements.add(content);
    return content;
  };
  const members = { bind, ...(announce && { prepareModelMessage }) };
  return { experimental_toolCaller: viewOf(caller, members) };
}

/** Whether the SDK tells the model, in a message, which tools a tool can call. */
export function announcesTools(tool: SdkTool): boolean {
  return callerOf(tool)?.prepareModelMessage !== undefined;
}

function callerOf(tool: SdkTool): LocalCaller | undefined {
  const { experimental_toolCaller: caller } = tool as {
    readonly experimental_toolCaller?: unknown;
  };
  if (!isAnyObject(caller) || !("bind" in caller) || !("type" in caller)) return undefined;
  const isLocal = caller.type === "local" && typeof caller.bind === "function";
  return isLocal ? (caller as LocalCaller) : undefined;
}
