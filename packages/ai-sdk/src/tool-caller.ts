import type { ToolSet } from "ai";

type AnyTool = ToolSet[string];

interface LocalCaller {
  readonly type: "local";
  readonly bind: (...given: readonly unknown[]) => AnyTool;
}

/**
 * The members that make a tool a caller of other tools (code mode in version 7), so that the tool which it makes
 * for a run is guarded as well; none for any other tool.
 */
export function guardedCaller(
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
