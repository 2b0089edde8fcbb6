import type { ValidArguments } from "@toolcontract/core";
import type { ToolSet } from "ai";
import type { Guard } from "./guard.ts";
import { guardSchema } from "./guarded-schema.ts";
import { withModelOutput } from "./model-output.ts";
import { overlayTool } from "./overlay-tool.ts";
import { guardedCaller } from "./tool-caller.ts";
import { type ReportedCall, reportValidCall, runUnlessRefused } from "./valid-call.ts";

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
