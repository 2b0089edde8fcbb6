import { onlyContent } from "./hint-type.ts";
import { jsonEqual } from "./json-equal.ts";
import { textsOf } from "./json-type.ts";
import { nearest } from "./near.ts";
import type { SchemaRecord } from "./walk.ts";
import type { Finding } from "../fault.ts";

const MAX_REMARKED = 100;

/** The values that a schema lists with `enum` or `const`; undefined where it lists none. */
export function allowedValues(schema: SchemaRecord): readonly unknown[] | undefined {
  const listed = Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
  if (!Object.hasOwn(schema, "const")) return listed;
  const fixed = schema["const"];
  // Both must hold; a value that the list lacks leaves nothing to send.
  return !listed || listed.some((value) => jsonEqual(value, fixed)) ? [fixed] : [];
}

/** The hint that names the listed value which the sent one was meant to be. */
export function hintForValue(allowed: readonly unknown[], value: unknown): Pick<Finding, "hint"> {
  const near = nearValue(allowed, value);
  return near === undefined ? {} : { hint: `use ${JSON.stringify(near)}` };
}

/** The listed value that the sent one was meant to be; undefined where none surely was. */
export function nearValue(allowed: readonly unknown[], value: unknown): unknown {
  const only = onlyContent(value, undefined);
  if (only) return allowed.find((candidate) => candidate === only.value);
  const text = typeof value === "string" ? withoutRemark(value) : undefined;
  if (text !== value && allowed.includes(text)) return text;
  const literal = allowed.find(
    (candidate) => isPlain(candidate) && String(candidate) === text?.trim().toLowerCase(),
  );
  if (literal !== undefined) return literal;
  const asText =
    text ?? (typeof value === "number" || typeof value === "boolean" ? String(value) : undefined);
  return asText === undefined ? undefined : nearest(asText, textsOf(allowed), "values");
}

/** `Public (default)` without what is said of it. */
function withoutRemark(text: string): string {
  return text.length > MAX_REMARKED ? text : text.replace(/(?<=\S) *\([^()]*\)$/, "");
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === "number" || typeof value === "boolean";
}
