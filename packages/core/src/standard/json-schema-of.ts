import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type JsonSchema, isRecord } from "../shared/index.ts";
import { valibotSchema } from "./valibot-schema.ts";
import { zod3Schema } from "./zod3-schema.ts";

const known = new WeakMap<object, { readonly schema: JsonSchema | undefined }>();

/** The JSON Schema of what a validator takes in, as far as it can be told; never throws. */
export function jsonSchemaOf(validator: StandardSchemaV1): JsonSchema | undefined {
  const earlier = known.get(validator);
  if (earlier) return earlier.schema;
  const schema = read(validator);
  known.set(validator, { schema });
  return schema;
}

function read(validator: StandardSchemaV1): JsonSchema | undefined {
  for (const source of [exported, zod3Schema, valibotSchema]) {
    try {
      const schema = source(validator);
      if (schema !== undefined) return schema;
    } catch {
      // The next source may know more.
    }
  }
  return undefined;
}

/** What the validator itself exports by the Standard JSON Schema extension. */
function exported(validator: StandardSchemaV1): JsonSchema | undefined {
  const standard: Readonly<Record<string, unknown>> = { ...validator["~standard"] };
  const converter = standard["jsonSchema"];
  if (!isRecord(converter) || typeof converter["input"] !== "function") return undefined;
  const convert = converter["input"] as (options: unknown) => unknown;
  // One part that JSON Schema cannot express must not cost the explanation of all others.
  const options = { target: "draft-2020-12", libraryOptions: { unrepresentable: "any" } };
  const schema = convert(options);
  return isRecord(schema) ? schema : undefined;
}
