import { parseNestedJson } from "../arguments/unwrap-strings.ts";
import { hasField, isRecord, jsonTypeOf, matchesType, textsOf, typesOf } from "./json-type.ts";
import type { Finding, Location, SchemaRecord } from "./walk.ts";

const MAX_ITEM = 60;

/** A hint, and the value that following it would give. */
export type TypeHint = Pick<Finding, "hint" | "hintEchoes" | "nested"> & {
  readonly fixed?: { readonly value: unknown };
};

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The literal fix of a wrong type, where one is nearly certain. */
export function hintForType(
  types: readonly string[],
  schema: SchemaRecord,
  location: Location,
  allowed?: readonly unknown[],
): TypeHint {
  const { value } = location;
  if (value === null) return location.optional ? { hint: "leave it out" } : {};
  if (typeof value === "string") {
    const hint = hintForText(types, value);
    if (hint.hint !== undefined) return hint;
  }
  if (Array.isArray(value) && value.length === 1) return hintForOnlyItem(types, value[0]);
  if (types.includes("array") && fitsItems(schema, value)) {
    return { hint: "put it in an array", fixed: { value: [value] } };
  }
  const isFree = schema["pattern"] === undefined && schema["format"] === undefined;
  if (
    isFree &&
    types.includes("string") &&
    (typeof value === "number" || typeof value === "boolean")
  ) {
    const text = String(value);
    const isAllowed = !allowed || allowed.includes(text);
    return isAllowed ? { hint: `use "${text}"`, hintEchoes: true, fixed: { value: text } } : {};
  }
  return {};
}

/** A list of one where the one was wanted. */
function hintForOnlyItem(types: readonly string[], item: unknown): TypeHint {
  // Written only once it is known to be short: a list can hold one huge or endlessly nested item.
  const isPlain = ["string", "number", "boolean"].includes(typeof item);
  if (!isPlain || String(item).length > MAX_ITEM) return {};
  const fits = types.some((type) => matchesType(item, type));
  if (!fits) return {};
  return { hint: `use ${JSON.stringify(item)}`, hintEchoes: true, fixed: { value: item } };
}

function hintForText(types: readonly string[], text: string): TypeHint {
  const literal = types
    .map((type) => literalFor(type, text.trim()))
    .find((found) => found !== undefined);
  if (literal !== undefined) {
    const fixed = { value: JSON.parse(literal) as unknown };
    return { hint: `send ${literal} without quotes`, hintEchoes: true, fixed };
  }
  const value = parseNestedJson(text);
  const type = jsonTypeOf(value);
  if (value === undefined || !types.includes(type)) return {};
  return { hint: `send the ${type} itself, not a JSON string`, nested: { value } };
}

function literalFor(type: string, text: string): string | undefined {
  if (text.length > 40) return undefined;
  if (type === "boolean" && /^(?:true|false)$/i.test(text)) return text.toLowerCase();
  if (type === "null" && /^(?:null|none)$/i.test(text)) return "null";
  if ((type !== "number" && type !== "integer") || !NUMBER.test(text)) return undefined;
  const number = Number(text);
  return matchesType(number, type) && Number.isSafeInteger(Math.trunc(number))
    ? String(number)
    : undefined;
}

function fitsItems(schema: SchemaRecord, value: unknown): boolean {
  const { items } = schema;
  if (!isRecord(items)) return true;
  const types = typesOf(items);
  if (types.length > 0 && !types.some((type) => matchesType(value, type))) return false;
  return !isRecord(value) || textsOf(items["required"]).every((name) => hasField(value, name));
}
