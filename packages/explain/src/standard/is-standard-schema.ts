import type { StandardSchemaV1 } from "@standard-schema/spec";

/** Whether a value has the Standard Schema interface: a schema of zod, valibot, arktype and others. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  // The schemas of arktype are functions.
  const isHolder = (typeof value === "object" && value !== null) || typeof value === "function";
  return isHolder && "~standard" in value;
}
