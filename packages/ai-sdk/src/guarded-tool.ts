import type { ValidationError } from "@toolcontract/core";
import type { ToolSet } from "ai";
import type { Guard } from "./guard.ts";
import { guardSchema } from "./guarded-schema.ts";
import { withModelOutput } from "./model-output.ts";
import { type ReportedCall, reportValidCall, runUnlessRefused } from "./valid-call.ts";

type AnyTool = ToolSet[string];
type Execute = NonNullable<AnyTool["execute"]>;
type Options = Parameters<Execute>[1];

/** The tool with its arguments under the contract; one that the provider runs stays as it is. */
export function guardTool(name: string, tool: AnyTool, guard: Guard): AnyTool {
  if (isProviderTool(tool)) return tool;
  const { schema, advisoriesOf } = guardSchema(name, tool, guard);
  const notes = new WeakMap<object, Promise<string>>();

  function report(
    input: unknown,
    advisories: readonly ValidationError[],
    options: Options | undefined,
  ): ReportedCall | undefined {
    // Tools are also called by hand, without all that the SDK tells them.
    if (typeof options?.toolCallId !== "string") return undefined;
    const { toolCallId } = options;
    const messages = (options.messages as Options["messages"] | undefined) ?? [];
    const call = { toolCallId, toolName: name, input, advisories, messages };
    const reported = reportValidCall(call, guard);
    if (advisories.length > 0) notes.set(input as object, reported.note());
    return reported;
  }

  // Not async: the SDK looks for a stream of results in what it returns.
  const execute = (input: unknown, options: Options): unknown => {
    const reported = report(input, advisoriesOf(input) ?? [], options);
    const run = (): unknown => tool.execute?.(input, options);
    return reported?.wasBlocked === true ? runUnlessRefused(reported, run, guard) : run();
  };
  const onInputAvailable = (options: Options & { readonly input: unknown }): unknown => {
    const advisories = advisoriesOf(options.input);
    // Some versions tell a tool of invalid arguments too.
    if (advisories) report(options.input, advisories, options);
    return tool.onInputAvailable?.(options as never);
  };
  return overlay(tool, {
    inputSchema: schema,
    toModelOutput: withModelOutput(tool, (input) => notes.get(input)),
    ...(tool.execute ? { execute } : { onInputAvailable }),
  });
}

/** Members of a class are not own properties, and a plain copy would lose them. */
function overlay(tool: AnyTool, guarded: object): AnyTool {
  const copy: object = Object.create(Object.getPrototypeOf(tool) as object | null) as object;
  const members: Readonly<Record<PropertyKey, unknown>> = { ...tool, ...guarded };
  for (const key of Reflect.ownKeys(members)) {
    // Defined, because a class may have an accessor of that name, which assigning would call.
    const value = members[key];
    Object.defineProperty(copy, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  for (const key of accessorsOf(tool)) {
    // Asked of the tool itself, whose accessor may read a private field.
    const get = (): unknown => (tool as unknown as Readonly<Record<string, unknown>>)[key];
    if (!Object.hasOwn(copy, key)) Object.defineProperty(copy, key, { get, configurable: true });
  }
  return copy as AnyTool;
}

/** The accessors of the tool's classes; what every object has is none of them. */
function accessorsOf(tool: object): readonly string[] {
  const parent = Object.getPrototypeOf(tool) as object | null;
  if (parent === null || Object.getPrototypeOf(parent) === null) return [];
  const members = Object.entries(Object.getOwnPropertyDescriptors(parent));
  const own = members.flatMap(([key, descriptor]) => ("get" in descriptor ? [key] : []));
  return [...own, ...accessorsOf(parent)];
}

/** Version 7 says who runs the provider's tools; before it, none of them is touched. */
function isProviderTool(tool: AnyTool): boolean {
  const type: string | undefined = tool.type;
  if (type === "provider") return tool.isProviderExecuted !== false;
  return type === "provider-defined";
}
