import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type JsonSchema, isRecord } from "../shared/index.ts";

type ConverterProps = StandardSchemaV1.Props & { readonly jsonSchema?: unknown };

const exportedSchemas = new WeakMap<object, { readonly schema: JsonSchema | undefined }>();

/** The JSON Schema of a validator's input, as it exports it itself (Standard JSON Schema); never throws. */
export function jsonSchemaOf(validator: StandardSchemaV1): JsonSchema | undefined {
  const earlier = exportedSchemas.get(validator);
  if (earlier) return earlier.schema;
  const schema = exportedSchema(validator["~standard"]);
  exportedSchemas.set(validator, { schema });
  return schema;
}

function exportedSchema(standard: ConverterProps): JsonSchema | undefined {
  const { vendor, jsonSchema: converter } = standard;
  if (!isRecord(converter) || typeof converter["input"] !== "function") return undefined;
  const convert = converter["input"] as (options: unknown) => unknown;
  // A part that JSON Schema cannot express must not cost the explanation of the others.
  const libraryOptions = {
    unrepresentable: "any",
    ...(vendor === "zod" && { override: closeAbsent }),
  };
  try {
    const schema = convert({ target: "draft-2020-12", libraryOptions });
    return isRecord(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}

/** Zod writes `undefined`, which no JSON can be, as a schema that accepts everything. */
function closeAbsent({ zodSchema, jsonSchema }: ZodPart): void {
  const { type } = zodSchema._zod.def;
  if (type === "undefined" || type === "void") jsonSchema["not"] = {};
}

/** What zod hands to its `override`. */
interface ZodPart {
  readonly zodSchema: { readonly _zod: { readonly def: { readonly type: string } } };
  readonly jsonSchema: Record<string, unknown>;
}
