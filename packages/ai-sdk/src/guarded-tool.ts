import type { ValidArguments } from "@toolcontract/core";
import { type Schema, type ToolSet, asSchema, jsonSchema } from "ai";
import type { Guard } from "./guard.ts";
import { type ReportedCall, reportValidCall, runUnlessRefused } from "./valid-call.ts";
import { asArguments, isMcpTool } from "./tool-definitions.ts";
import { validationError } from "./rejection-error.ts";

type AnyTool = ToolSet[string];
type Execute = NonNullable<AnyTool["execute"]>;
type Options = Parameters<Execute>[1];

/** The tool with its arguments under the contract; one that the provider runs stays as it is. */
export function guardTool(name: string, tool: AnyTool, guard: Guard): AnyTool {
  if (isProviderTool(tool)) return tool;
  const { schema, checkedOf } = guardSchema(name, tool, guard);
  const notes = new WeakMap<object, Promise<string>>();

  function report(
    input: unknown,
    checked: ValidArguments | undefined,
    options: Options | undefined,
  ): ReportedCall | undefined {
    // Tools are also called by hand, without all that the SDK tells them.
    if (typeof options?.toolCallId !== "string") return undefined;
    const { toolCallId } = options;
    const messages = (options.messages as Options["messages"] | undefined) ?? [];
    const call = { toolCallId, toolName: name, input, checked, messages };
    const reported = reportValidCall(call, guard);
    if (checked && checked.advisories.length > 0) notes.set(input as object, reported.note());
    return reported;
  }

  // Not async: the SDK looks for a stream of results in what it returns.
  const execute = (input: unknown, options: Options): unknown => {
    const reported = report(input, checkedOf(input), options);
    const run = (): unknown => tool.execute?.(input, options);
    return reported?.wasBlocked === true ? runUnlessRefused(reported, run, guard) : run();
  };
  const onInputAvailable = (options: Options & { readonly input: unknown }): unknown => {
    const checked = checkedOf(options.input);
    // Some versions tell a tool of invalid arguments too.
    if (checked) report(options.input, checked, options);
    return tool.onInputAvailable?.(options as never);
  };
  return overlayTool(tool, {
    ...guardedCaller(tool, (bound) => guardTool(name, bound, guard)),
    inputSchema: schema,
    toModelOutput: withModelOutput(tool, (input) => notes.get(input)),
    ...(tool.execute ? { execute } : { onInputAvailable }),
  });
}

/** Version 7 says who runs the provider's tools; before it, none of them is touched. */
function isProviderTool(tool: AnyTool): boolean {
  const type: string | undefined = tool.type;
  if (type === "provider") return tool.isProviderExecuted !== false;
  return type === "provider-defined";
}

/** The schema that the SDK gets, and what it let pass. */
interface GuardedSchema {
  readonly schema: Schema;
  /** What the contract found in arguments that passed; undefined for values that this schema never saw. */
  readonly checkedOf: (input: unknown) => ValidArguments | undefined;
}

/** Shows the provider the tool's own JSON Schema and lets the contract judge the arguments. */
function guardSchema(name: string, tool: ToolSet[string], guard: Guard): GuardedSchema {
  const own = asSchema(tool.inputSchema);
  const passed = new WeakMap<object, ValidArguments>();
  const schema = jsonSchema(() => own.jsonSchema, {
    async validate(value) {
      const definition = await guard.definitions.get(name);
      if (definition === undefined) return { success: true, value };
      const result = await guard.contract.checkAsync(definition, asArguments(value));
      if (result.status === "invalid") {
        return { success: false, error: validationError(value, result) };
      }
      const { output } = result;
      if (isObject(output)) passed.set(output, result);
      return { success: true, value: output };
    },
  });
  return { schema, checkedOf: (input) => (isObject(input) ? passed.get(input) : undefined) };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

type ToModelOutput = NonNullable<AnyTool["toModelOutput"]>;
type Given = Parameters<ToModelOutput>[0];
type Output = Awaited<ReturnType<ToModelOutput>>;

/**
 * What the model reads of a result: a failed MCP result keeps its error flag, and a note on advisories follows
 * the tool's own answer.
 */
export function withModelOutput(
  tool: AnyTool,
  noteOf: (input: object) => Promise<string> | undefined,
): ToModelOutput {
  return (given: Given) => {
    // Version 5 passes the bare output.
    const call = isCall(given) ? given : undefined;
    const output: unknown = call ? call.output : given;
    // The MCP client's own conversion drops the flag; that of any other tool is its author's word.
    const failure = isMcpTool(tool) || !tool.toModelOutput ? mcpFailure(output) : undefined;
    if (failure) return failure;
    const own = tool.toModelOutput ? tool.toModelOutput(given) : defaultOutput(output);
    const input: unknown = call?.input;
    const note = typeof input === "object" && input !== null ? noteOf(input) : undefined;
    return note === undefined ? own : addNote(own, note);
  };
}

function isCall(given: unknown): given is Given {
  if (typeof given !== "object" || given === null) return false;
  return ["toolCallId", "input", "output"].every((name) => Object.hasOwn(given, name));
}

/** As the SDK does for tools that leave it to it. */
function defaultOutput(output: unknown): Output {
  if (typeof output === "string") return { type: "text", value: output };
  const text = JSON.stringify(output) as string | undefined;
  return { type: "json", value: text === undefined ? null : JSON.parse(text) };
}

async function addNote(own: ReturnType<ToModelOutput>, note: Promise<string>): Promise<Output> {
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

/**
 * A copy of a tool with some members replaced.
 *
 * @remarks Members of a class are not own properties, and hidden ones are not enumerable: a plain copy would lose both.
 */
function overlayTool(tool: AnyTool, replaced: object): AnyTool {
  const copy: object = Object.create(Object.getPrototypeOf(tool) as object | null) as object;
  const own = Object.getOwnPropertyDescriptors(tool);
  for (const key of Reflect.ownKeys(own)) {
    const { enumerable = false } = own[key as keyof typeof own] ?? {};
    define(copy, key, read(tool, key), enumerable);
  }
  // Defined, because a class may have an accessor of that name, which assigning would call.
  for (const [key, value] of Object.entries(replaced)) define(copy, key, value, true);
  for (const key of accessorsOf(tool)) {
    // Asked of the tool itself, whose accessor may read a private field.
    const get = (): unknown => read(tool, key);
    if (!Object.hasOwn(copy, key)) Object.defineProperty(copy, key, { get, configurable: true });
  }
  return copy as AnyTool;
}

function define(copy: object, key: PropertyKey, value: unknown, enumerable: boolean): void {
  Object.defineProperty(copy, key, { value, enumerable, writable: true, configurable: true });
}

function read(tool: AnyTool, key: PropertyKey): unknown {
  return (tool as unknown as Readonly<Record<PropertyKey, unknown>>)[key];
}

/** The accessors of the tool's classes; what every object has is none of them. */
function accessorsOf(tool: object): readonly string[] {
  const parent = Object.getPrototypeOf(tool) as object | null;
  if (parent === null || Object.getPrototypeOf(parent) === null) return [];
  const members = Object.entries(Object.getOwnPropertyDescriptors(parent));
  const own = members.flatMap(([key, descriptor]) => ("get" in descriptor ? [key] : []));
  return [...own, ...accessorsOf(parent)];
}

interface LocalCaller {
  readonly type: "local";
  readonly bind: (...given: readonly unknown[]) => AnyTool;
}

/**
 * The members that make a tool a caller of other tools (code mode in version 7), so that the tool which it makes
 * for a run is guarded as well; none for any other tool.
 */
function guardedCaller(
  tool: AnyTool,
  guarded: (bound: AnyTool) => AnyTool,
): { readonly experimental_toolCaller?: LocalCaller } {
  const caller: unknown = (tool as { readonly experimental_toolCaller?: unknown })
    .experimental_toolCaller;
  if (!isLocal(caller)) return {};
  const bind = (...given: readonly unknown[]): AnyTool => guarded(caller.bind(...given));
  return { experimental_toolCaller: { ...caller, bind } };
}

function isLocal(caller: unknown): caller is LocalCaller {
  if (typeof caller !== "object" || caller === null || !("bind" in caller)) return false;
  return "type" in caller && caller.type === "local" && typeof caller.bind === "function";
}

type McpOutput = Awaited<ReturnType<NonNullable<AnyTool["toModelOutput"]>>>;
type Failure = Extract<McpOutput, { readonly type: "error-text" | "error-json" }>;

/** A failed MCP result as the model reads it, its error flag kept; undefined for every other output. */
function mcpFailure(result: unknown): Failure | undefined {
  if (typeof result !== "object" || result === null || !("isError" in result)) return undefined;
  const { isError, content } = result as { readonly isError: unknown; readonly content?: unknown };
  if (isError !== true || !Array.isArray(content)) return undefined;
  if (!content.every(isTextPart) || (content.length === 0 && "structuredContent" in result)) {
    return { type: "error-json", value: JSON.parse(JSON.stringify(result)) };
  }
  const text = content.map((part) => part.text).join("\n");
  return { type: "error-text", value: text || "The tool failed and gave no reason" };
}

function isTextPart(part: unknown): part is { readonly text: string } {
  if (typeof part !== "object" || part === null) return false;
  return "text" in part && typeof part.text === "string";
}
