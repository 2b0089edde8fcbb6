import { interopSafeParseAsync, isInteropZodSchema } from "@langchain/core/utils/types";
import type { ToolDefinition } from "@toolcontract/core";

/** A validator of any library, as core takes it. */
export type StandardSchema = NonNullable<ToolDefinition["validator"]>;

/** The validator that a tool's schema is, if it is one; a JSON Schema is none. */
export function validatorOf(schema: unknown): StandardSchema | undefined {
  if (isStandardSchema(schema)) return schema;
  if (!isInteropZodSchema(schema)) return undefined;
  // A zod from before Standard Schema; everything else of it stays readable through the prototype.
  return Object.create(schema, {
    "~standard": {
      value: {
        version: 1,
        vendor: "zod",
        validate: async (value: unknown) => {
          const parsed = await interopSafeParseAsync(schema, value);
          return parsed.success ? { value: parsed.data } : { issues: parsed.error?.issues };
        },
      },
    },
  }) as StandardSchema;
}

function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return false;
  if (!("~standard" in schema)) return false;
  const standard: unknown = schema["~standard"];
  return (
    typeof standard === "object" &&
    standard !== null &&
    "validate" in standard &&
    typeof standard.validate === "function"
  );
}
