import type { SecretPlace } from "../../sanitize/index.ts";
import type { JsonSchema } from "../../shared/index.ts";
import { indexSchema, sensitivePlaces } from "../document/index.ts";
import type { CompiledSchema, SchemaWarning } from "./compiled-schema.ts";
import type { Explanation } from "./explain.ts";

/** Whether the JSON of a schema may say that something is a secret. */
export const NAMES_SECRETS: RegExp = /"(?:writeOnly|password)"/;

/** Returns a schema that enforces nothing. */
export function openSchema(...warnings: readonly SchemaWarning[]): CompiledSchema {
  const nothing: Explanation = { findings: [], atLeast: false };
  return {
    accepts: () => true,
    explain: () => nothing,
    unknownFields: () => [],
    declares: () => false,
    warnings: new Set(warnings),
  };
}

/** Finds the secrets of a schema that is not enforced. */
export function placesOfOpen(schema: JsonSchema, json: string): SecretPlace | undefined {
  try {
    if (!NAMES_SECRETS.test(json)) return undefined;
    return sensitivePlaces(indexSchema(schema, "2020-12"), () => true);
  } catch {
    return undefined;
  }
}

/** Reads what a schema declares and where its secrets are, and enforces nothing: a validator decides. */
export function describeSchema(schema: JsonSchema, json: string): CompiledSchema {
  return {
    ...openSchema(),
    declares: (name) => indexSchema(schema, "2020-12").declares(name),
    sensitivePlaces: placesOfOpen(schema, json),
  };
}
