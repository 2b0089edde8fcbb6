import { type SessionRun, ToolFailed, type ToolCallLimits } from "@toolcontract/session";
import { jsonSchema, type ToolSet } from "ai";
import { CallFailedError } from "@toolcontract/core";
import { overlayTool } from "../overlay-tool.ts";
import { answerOf } from "../rejection-error.ts";
import { lastOf } from "../sibling-call.ts";
import type { ResolvedTarget } from "./targets.ts";

type AnyTool = ToolSet[string];
type Execute = NonNullable<AnyTool["execute"]>;
type Options = Parameters<Execute>[1];
type ToModelOutput = NonNullable<AnyTool["toModelOutput"]>;
type Output = Awaited<ReturnType<ToModelOutput>>;
type Run = SessionRun<ResolvedTarget>;

/** The limits of the calls of one run, by the id of the call. */
export interface RunTools {
  /** Whether the SDK says for which call it converts a result; version 5 does not. */
  readonly namesCalls: boolean;
  /** The limits around a call; the same object for each layer of it. */
  of(call: { readonly id: string; readonly name: string; readonly input: unknown }): ToolCallLimits;
}

/** Creates the limits of a run's calls. */
export function createRunTools(run: Run, namesCalls: boolean): RunTools {
  const open = new Map<string, ToolCallLimits>();
  return {
    namesCalls,
    of(call) {
      const known = open.get(call.id) ?? run.tool(call);
      open.set(call.id, known);
      return known;
    },
  };
}

/** Inside of the contract: the tool's queue and time, so that a call that must not run takes no place. */
export function timeTool(name: string, tool: AnyTool, tools: RunTools): AnyTool {
  const run = tool.execute as ((input: unknown, options: Options) => unknown) | undefined;
  if (!run) return tool;
  const start =
    (input: unknown, options: Options) =>
    (abortSignal: AbortSignal): unknown =>
      run.call(tool, input, { ...options, abortSignal });
  const limitsOf = (input: unknown, { toolCallId: id }: Options): ToolCallLimits =>
    tools.of({ id, name, input });
  // The SDK checks synchronously whether a stream of results comes.
  const execute = isGenerator(run)
    ? (input: unknown, options: Options) =>
        limitsOf(input, options).iterate(
          start(input, options) as (signal: AbortSignal) => AsyncIterable<unknown>,
          options.abortSignal,
        )
    : async (input: unknown, options: Options) =>
        limitsOf(input, options).run(
          async (signal) => lastOf(start(input, options)(signal)),
          options.abortSignal,
        );
  return overlayTool(tool, { execute });
}

/** Outside of the contract: whether the call may run, and what the model reads of what it did. */
export function limitTool(name: string, tool: AnyTool, tools: RunTools): AnyTool {
  const run = tool.execute as ((input: unknown, options: Options) => unknown) | undefined;
  if (!run) return tool;
  const convert = tool.toModelOutput;
  /** What the model reads, by call; version 5 does not name the call, so there it is by result. */
  const shown = new Map<unknown, Output>();

  /** What the model is to read; thrown if it does not fit into the context. */
  async function show(value: unknown, input: unknown, options: Options): Promise<void> {
    const { toolCallId } = options;
    const given = tools.namesCalls ? { toolCallId, input, output: value } : value;
    const output = await convert?.call(tool, given as never);
    if (output === undefined) return;
    const { texts, isDropped } = tools.of({ id: toolCallId, name, input }).shown(textsOf(output));
    if (isDropped) throw new ToolFailed(texts[0] ?? "");
    shown.set(tools.namesCalls ? toolCallId : value, withTexts(output, texts));
  }

  function failure(thrown: unknown, input: unknown, { toolCallId, abortSignal }: Options): unknown {
    // The contract's own answer, and an abort by the caller, are no failures of the tool.
    if (answerOf({ error: thrown }) !== undefined || abortSignal?.aborted === true) return thrown;
    const call = tools.of({ id: toolCallId, name, input });
    if (!(thrown instanceof CallFailedError)) return new ToolFailed(call.failed(thrown), thrown);
    call.failed(thrown, thrown.message);
    return thrown;
  }

  async function once(result: unknown, input: unknown, options: Options): Promise<unknown> {
    let value: unknown;
    try {
      value = await result;
    } catch (thrown) {
      throw failure(thrown, input, options);
    }
    await show(value, input, options);
    return value;
  }

  async function* each(
    results: AsyncIterable<unknown>,
    input: unknown,
    options: Options,
  ): AsyncIterable<unknown> {
    let last: unknown;
    try {
      for await (last of results) yield last;
    } catch (thrown) {
      throw failure(thrown, input, options);
    }
    await show(last, input, options);
  }

  // Not async: the SDK checks synchronously whether a stream of results comes.
  const execute = (input: unknown, options: Options): unknown => {
    const refused = tools.of({ id: options.toolCallId, name, input }).refusal();
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
export function reportTool(
  run: Run,
  { description, inputSchema }: { readonly description: string; readonly inputSchema: object },
): AnyTool {
  return {
    description,
    // Without validation: the session reads what the model sent, repairs it and answers.
    inputSchema: jsonSchema(inputSchema),
    execute: async (args: unknown) => {
      const { text, isError } = run.report(args);
      if (isError) throw new ToolFailed(text);
      return text;
    },
  };
}

function isGenerator(run: unknown): boolean {
  return Object.prototype.toString.call(run) === "[object AsyncGeneratorFunction]";
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function textsOf(output: Output): readonly string[] {
  switch (output.type) {
    case "text":
    case "error-text":
      return [output.value];
    case "json":
    case "error-json":
      return [JSON.stringify(output.value)];
    case "content":
      return output.value.flatMap((part) => (part.type === "text" ? [part.text] : []));
    default:
      return [];
  }
}

/** The output with these texts; the same object if they are its own. */
function withTexts(output: Output, texts: readonly string[]): Output {
  const own = textsOf(output);
  if (texts === own || texts.every((text, index) => text === own[index])) return output;
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
