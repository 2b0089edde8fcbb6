import type { StandardSchemaV1 } from "@standard-schema/spec";
import { createTool, isValidationError } from "@mastra/core/tools";
import type { JsonSchema, ToolDefinition } from "@toolcontract/core";
import { isRecord, isStandardSchema, jsonSchemaOf } from "@toolcontract/core/adapter";

/** The vendor of what `createTool` makes of a JSON Schema. */
const JSON_SCHEMA = "json-schema";

/** The definition of a tool; undefined if it has no schema to judge by. */
export function definitionFor(name: string, schema: unknown): ToolDefinition | undefined {
  if (isStandardSchema(schema) && schema["~standard"].vendor !== JSON_SCHEMA) {
    return { name, validator: mastraVerdict(name, schema) };
  }
  // Of JSON Schema, Mastra checks less than the contract does, and says less of what is wrong; of the AI SDK's `jsonSchema()` nothing.
  const inputSchema: unknown = isStandardSchema(schema)
    ? jsonSchemaOf(schema)
    : (Object(schema) as { readonly jsonSchema?: unknown }).jsonSchema;
  return isRecord(inputSchema) ? { name, inputSchema: inputSchema as JsonSchema } : undefined;
}

/**
 * Makes a validator of Mastra's own verdict: it leaves out nulls of optional fields and reads lists that came as a string, and
 * what it accepts must not be refused. The schema says what is wrong with the rest.
 */
function mastraVerdict(name: string, schema: WithJsonSchema): StandardSchemaV1 {
  const { validate, vendor, jsonSchema } = schema["~standard"];
  // A tool that returns what it is given: not every version has its validation apart.
  const probe = createTool({
    id: name,
    description: name,
    inputSchema: schema as never,
    execute: async (value: unknown) => ({ value }),
  });
  const own: WithJsonSchema["~standard"] = {
    version: 1,
    vendor,
    ...(jsonSchema && { jsonSchema }),
    async validate(value: unknown) {
      const accepted: unknown = await probe.execute?.(value as never, {} as never);
      return isValidationError(accepted)
        ? validate(value)
        : (accepted as { readonly value: unknown });
    },
  };
  return { "~standard": own };
}

interface WithJsonSchema extends StandardSchemaV1 {
  readonly "~standard": StandardSchemaV1.Props & { readonly jsonSchema?: object };
}
