import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type JsonSchema, isRecord } from "../shared/index.ts";

const known = new WeakMap<object, { readonly schema: JsonSchema | undefined }>();

/** The JSON Schema of a validator's input, as it exports it itself (Standard JSON Schema); never throws. */
export function jsonSchemaOf(validator: StandardSchemaV1): JsonSchema | undefined {
  const earlier = known.get(validator);
  if (earlier) return earlier.schema;
  const schema = exportedSchema(validator);
  known.set(validator, { schema });
  return schema;
}

function exportedSchema(validator: StandardSchemaV1): JsonSchema | undefined {
  const standard: Readonly<Record<string, unknown>> = { ...validator["~standard"] };
  const converter = standard["jsonSchema"];
  if (!isRecord(converter) || typeof converter["input"] !== "function") return undefined;
  const convert = converter["input"] as (options: unknown) => unknown;
  // A part that JSON Schema cannot express must not cost the explanation of the others.
  const options = { target: "draft-2020-12", libraryOptions: { unrepresentable: "any" } };
  try {
    const schema = convert(options);
    return isRecord(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}
