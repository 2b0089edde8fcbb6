/** What the code of a tool has defined. */
export interface DefinedTool {
  readonly name?: string;
  readonly schema: unknown;
}

/** Reads what code exports: a schema, or an object with a `name` and a schema, as frameworks take it. */
export function definedTool(exported: unknown): DefinedTool {
  if (typeof exported !== "object" || exported === null || "~standard" in exported)
    return { schema: exported };
  const tool = exported as Readonly<Record<string, unknown>>;
  const { id, name = id, inputSchema, parameters, schema } = tool;
  return {
    ...(typeof name === "string" && { name }),
    schema: inputSchema ?? parameters ?? schema,
  };
}
