/** The one key that all undeclared tool names share, so that inventing names escapes no limit and grows nothing. */
export const UNKNOWN_TOOL = "(unknown)";

/** The name under which a tool's attempts and metrics are kept. */
export function toolKey(toolName: string, declaredTools?: ReadonlySet<string>): string {
  return declaredTools === undefined || declaredTools.has(toolName) ? toolName : UNKNOWN_TOOL;
}
