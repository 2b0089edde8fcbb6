import type { ToolDefinition } from "@toolcontract/core";

/** A validator of any library, as core takes it. */
export type StandardSchema = NonNullable<ToolDefinition["validator"]>;

/** Tells a Standard Schema (zod, valibot, arktype, …) from the SDK's own schema objects. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  const isObject = typeof schema === "object" || typeof schema === "function";
  return isObject && schema !== null && "~standard" in schema;
}
