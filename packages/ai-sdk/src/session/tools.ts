import { ToolFailed, type ToolCallLimits } from "@toolcontract/session";
import { jsonSchema } from "ai";
import { CallFailedError } from "@toolcontract/core";
import { overlayTool } from "../overlay-tool.ts";
import { answerOf } from "../rejection-error.ts";
import type { ExecuteOptions, ModelOutput, SdkTool, ToModelOutput } from "../sdk.ts";
import { isAsyncIterable, lastOf } from "../sibling-call.ts";
import type { SdkRun } from "./targets.ts";

/** The limits of the calls of one run. */
export interface RunTools {
  /** Whether the SDK says for which call it converts a result; version 5 does not. */
  readonly namesCalls: boolean;
  /** Why a call that the SDK could not read must not be answered by the contract. */
  refusal(call: {
    readonly id: string;
    readonly name: string;
    readonly input: unknown;
  }): string | undefined;
  /** The limits around a call: the same object for each layer of it, and another for a call of the same id. */
  of(name: string, input: unknown, options: ExecuteOptions): ToolCallLimits;
}

/** Creates the limits of a run's calls. */
export function createRunTools(run: SdkRun, namesCalls: boolean): RunTools {
  // The contract passes the SDK's options on.
  const open = new WeakMap<object, ToolCallLimits>();
  return {
    namesCalls,
    refusal: (call) => run.tool(call).refusal(),
    of(name, input, options) {
      const known = open.get(options) ?? run.tool({ id: options.toolCallId, name, input });
      open.set(options, known);
      return known;
    },
  };
}

/** Inside of the contract: the tool's queue and time, so that a call that must not run takes no place. */
export function timeTool(name: string, tool: SdkTool, tools: RunTools): SdkTool {
  const run = tool.execute as ((input: unknown, options: ExecuteOptions) => unknown) | undefined;
  if (!run) return tool;
  const start =
    (input: unknown, options: ExecuteOptions) =>
    (abortSignal: AbortSignal): unknown =>
      run.call(tool, input, { ...options, abortSignal });
  // The SDK checks synchronously whether a stream of results comes.
  const execute = isGenerator(run)
    ? (input: unknown, options: ExecuteOptions) =>
        tools
          .of(name, input, options)
          .iterate(
            start(input, options) as (signal: AbortSignal) => AsyncIterable<unknown>,
            options.abortSignal,
          )
    : async (input: unknown, options: ExecuteOptions) =>
        tools
          .of(name, input, options)
          .run(async (signal) => lastOf(start(input, options)(signal)), options.abortSignal);
  return overlayTool(tool, { execute });
}

/** Outside of the contract: whether the call may run, and what the model reads of what it did. */
export function limitTool(name: string, tool: SdkTool, tools: RunTools): SdkTool {
  const run = tool.execute as ((input: unknown, options: ExecuteOptions) => unknown) | undefined;
  if (!run) return tool;
  const convert = tool.toModelOutput;
  /** What the model reads, by call; version 5 does not name the call, so there it is by result. */
  const shown = new Map<unknown, ModelOutput>();

  /** Notes what the model is to read. Returns what it reads instead if that does not fit into the context. */
  async function show(
    value: unknown,
    input: unknown,
    options: ExecuteOptions,
  ): Promise<string | undefined> {
    const { toolCallId } = options;
    const given = tools.namesCalls ? { toolCallId, input, output: value } : value;
    const output = await convert?.call(tool, given as never);
    if (output === undefined) return undefined;
    const { texts, isDropped } = tools
      .of(name, input, options)
      .shown(outputTexts(output), errorIn(output));
    if (isDropped) return texts.join("");
    shown.set(tools.namesCalls ? toolCallId : value, outputWithTexts(output, texts));
    return undefined;
  }

  /** What the SDK is to show for a call that failed: the contract's own answer, or the tool's failure. */
  function failure(thrown: unknown, input: unknown, options: ExecuteOptions): unknown {
    const isAnswer =
      answerOf({ error: thrown }) !== undefined || CallFailedError.isInstance(thrown);
    const text = tools
      .of(name, input, options)
      .failed(thrown, isAnswer ? (thrown as Error).message : undefined);
    // An abort by the caller is not a failure of the tool.
    return isAnswer || options.abortSignal?.aborted === true
      ? thrown
      : new ToolFailed(text, thrown);
  }

  async function once(result: unknown, input: unknown, options: ExecuteOptions): Promise<unknown> {
    let value: unknown;
    let stub: string | undefined;
    try {
      value = await result;
      stub = await show(value, input, options);
    } catch (thrown) {
      throw failure(thrown, input, options);
    }
    if (stub !== undefined) throw new ToolFailed(stub);
    return value;
  }

  async function* each(
    results: AsyncIterable<unknown>,
    input: unknown,
    options: ExecuteOptions,
  ): AsyncIterable<unknown> {
    let last: unknown;
    let stub: string | undefined;
    try {
      for await (last of results) yield last;
      stub = await show(last, input, options);
    } catch (thrown) {
      throw failure(thrown, input, options);
    }
    if (stub !== undefined) throw new ToolFailed(stub);
  }

  // Not async: the SDK checks synchronously whether a stream of results comes.
  const execute = (input: unknown, options: ExecuteOptions): unknown => {
    const refused = tools.of(name, input, options).refusal();
    if (refused !== undefined) return Promise.reject(new ToolFailed(refused));
    const result = run.call(tool, input, options);
    return isAsyncIterable(result) ? each(result, input, options) : once(result, input, options);
  };
  const toModelOutput = (given: Parameters<ToModelOutput>[0]): ReturnType<ToModelOutput> => {
    const key: unknown = tools.namesCalls ? given.toolCallId : given;
    return shown.get(key) ?? (convert as ToModelOutput).call(tool, given);
  };
  return overlayTool(tool, { execute, toModelOutput });
}

/** The tool that takes the final report. */
export function sdkReportTool(
  run: SdkRun,
  { description, inputSchema }: { readonly description: string; readonly inputSchema: object },
): SdkTool {
  return {
    description,
    // Without validation: the session reads what the model sent, repairs it and answers.
    inputSchema: jsonSchema(inputSchema),
    execute: async (args: unknown, { toolCallId }) => {
      const { text, isError } = run.report(args, toolCallId);
      if (isError) throw new ToolFailed(text);
      return text;
    },
  };
}

function isGenerator(run: unknown): boolean {
  return Object.prototype.toString.call(run) === "[object AsyncGeneratorFunction]";
}

function outputTexts(output: ModelOutput): readonly string[] {
  switch (output.type) {
    case "text":
    case "error-text":
      return [output.value];
    case "json":
    case "error-json":
      return [JSON.stringify(output.value) ?? "null"];
    case "content":
      return output.value.flatMap((part) => (part.type === "text" ? [part.text] : []));
    default:
      return [];
  }
}

/** The text of a result that reports a failure, as an MCP server's may. */
function errorIn(output: ModelOutput): string | undefined {
  return output.type === "error-text" || output.type === "error-json"
    ? outputTexts(output).join("")
    : undefined;
}

/** The output with these texts; the same object if they are its own. */
function outputWithTexts(output: ModelOutput, texts: readonly string[]): ModelOutput {
  const own = outputTexts(output);
  if (texts.every((text, index) => text === own[index])) return output;
  const [first = ""] = texts;
  switch (output.type) {
    case "text":
    case "error-text":
      return { ...output, value: first };
    case "json":
      return { type: "text", value: first };
    case "error-json":
      return { type: "error-text", value: first };
    case "content": {
      const left = [...texts];
      const value = output.value.map((part) =>
        part.type === "text" ? { ...part, text: left.shift() ?? "" } : part,
      );
      return { ...output, value };
    }
    default:
      return output;
  }
}
