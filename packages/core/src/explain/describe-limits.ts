import type { SchemaRecord } from "./walk.ts";

/** The limits of a number, as they follow its type: `from 0 to 511`; empty where it has none. */
export function numberRange(schema: SchemaRecord): string {
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  const minimum = bound(schema["minimum"]);
  const maximum = bound(schema["maximum"]);
  const above = exclusiveMinimum === true ? minimum : bound(exclusiveMinimum);
  const below = exclusiveMaximum === true ? maximum : bound(exclusiveMaximum);
  if (above === undefined && below === undefined) return range(minimum, maximum);
  const low = above === undefined ? range(minimum, undefined) : `above ${above}`;
  const high = below === undefined ? range(undefined, maximum) : `below ${below}`;
  return [low, high].filter((part) => part !== "").join(" and ");
}

/** A limit that says something: generators write the safe integers' limits where there is none. */
export function bound(limit: unknown): number | undefined {
  return typeof limit === "number" && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : undefined;
}

function range(minimum: unknown, maximum: unknown): string {
  const hasMinimum = typeof minimum === "number";
  const hasMaximum = typeof maximum === "number";
  if (hasMinimum && hasMaximum) return `from ${minimum} to ${maximum}`;
  if (hasMinimum) return `at least ${minimum}`;
  return hasMaximum ? `at most ${maximum}` : "";
}

/** The limits of a length, as they follow a kind: `, at most 3 items`; empty where there are none. */
export function measured(minimum: unknown, maximum: unknown, unit: string): string {
  const text = range(minimum === 0 && maximum !== undefined ? undefined : minimum, bound(maximum));
  if (text === "") return "";
  return `, ${text} ${text.endsWith(" 1") ? unit : `${unit}s`}`;
}
