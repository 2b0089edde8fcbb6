import type { JsonSchema } from "../shared/index.ts";

/** A schema with one more rule; a keyword that is taken goes beside it. */
export function withRule(schema: JsonSchema, rule: JsonSchema | undefined): JsonSchema {
  if (typeof schema === "boolean" || typeof rule !== "object") return schema;
  const isNarrower = schema["type"] === "number" && rule["type"] === "integer";
  const taken = Object.keys(rule).some(
    (keyword) => Object.hasOwn(schema, keyword) && schema[keyword] !== rule[keyword],
  );
  if (!taken || isNarrower) return { ...schema, ...rule };
  const parts: readonly unknown[] = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  return { ...schema, allOf: [...parts, rule] };
}

/** A schema that null passes too. */
export function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

/** A schema that lists values, with their type where they share one. */
export function listing(values: readonly unknown[]): JsonSchema {
  const types = new Set(values.map((value) => typeof value));
  const [only] = types;
  const isTyped =
    types.size === 1 && (only === "string" || only === "number" || only === "boolean");
  return { ...(isTyped ? { type: only } : {}), enum: values };
}

/** The members of a list; none where it is no list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
