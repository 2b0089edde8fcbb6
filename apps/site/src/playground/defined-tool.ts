/** The global variable that holds the tool in a worker for zod. */
export const TOOL = "__tool";

/** What the code of a worker has defined. */
export interface DefinedTool {
  readonly name?: string;
  readonly schema: unknown;
}

/**
 * The tool that the code of this worker has defined: a schema, or an object with a `name` and a schema, as
 * frameworks take it. Undefined in a worker without such code.
 */
export function definedTool(): DefinedTool | undefined {
  const { [TOOL]: defined } = globalThis as unknown as Record<string, unknown>;
  if (defined === undefined) return undefined;
  if (typeof defined !== "object" || defined === null || "~standard" in defined)
    return { schema: defined };
  const { name, inputSchema, parameters, schema } = defined as Readonly<Record<string, unknown>>;
  return {
    ...(typeof name === "string" && { name }),
    schema: inputSchema ?? parameters ?? schema,
  };
}
