import type { StandardSchemaV1 } from "@standard-schema/spec";
import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { zodToJsonSchema } from "zod-to-json-schema";

/** The JSON Schema that a user passes beside a validator whose library exports none: zod 3 and valibot. */
export function schemaOf(validator: StandardSchemaV1): Record<string, unknown> | undefined {
  const { vendor } = validator["~standard"];
  if (vendor === "valibot") {
    return toJsonSchema(validator as unknown as GenericSchema, {
      errorMode: "ignore",
    }) as Record<string, unknown>;
  }
  if (vendor === "zod" && "_def" in validator && !("_zod" in validator)) {
    return zodToJsonSchema(validator as never, { pipeStrategy: "input" }) as Record<
      string,
      unknown
    >;
  }
  return undefined;
}
