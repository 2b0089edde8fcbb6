import { parseNestedJson } from "../../arguments/index.ts";
import {
  type Finding,
  type PathSegment,
  type SchemaObject,
  hasField,
  isRecord,
  jsonEqual,
  jsonTypeOf,
  matchesType,
  stringsOf,
  typesOf,
} from "../../shared/index.ts";
import { nearest } from "./near-name.ts";

const MAX_LITERAL = 40;
const MAX_ITEM = 60;
const MAX_REMARKED = 100;
const MAX_LIST = 200;
const MAX_ITEMS = 20;
/** A longer string, or one with longer items, is more likely a sentence than a list. */
const MAX_PHRASES = 80;
const MAX_WORDS = 3;
const WRAPPERS: readonly unknown[] = ["value", "text"];
const SEPARATORS = /[,;\n]/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const ITEM_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A hint, and the value that it leads to. */
export type TypeHint = Pick<Finding, "hint" | "nested"> & {
  readonly fixed?: {
    readonly value: unknown;
    /** True if the hint holds even if there are faults further in. */
    readonly isDeep?: boolean;
  };
};

/** A value of the wrong type, and the place that it was sent to. */
interface HintedValue {
  readonly value: unknown;
  readonly path: readonly PathSegment[];
  /** True if the value may be left out. */
  readonly optional: boolean;
}

/** Finds the literal fix of a wrong type, if one is nearly certain. */
export function hintForType(
  types: readonly string[],
  schema: SchemaObject,
  location: HintedValue,
  allowed?: readonly unknown[],
): TypeHint {
  const { value } = location;
  if (value === null) return location.optional ? { hint: { kind: "leave-out" } } : {};
  if (typeof value === "string") {
    const hint = hintForString(types, value);
    if (hint.hint !== undefined) return hint;
  }
  const only = onlyContent(value, location.path.at(-1));
  const bare = only === undefined ? {} : hintForOnlyContent(types, only.value);
  if (bare.hint !== undefined) return bare;
  if (types.includes("array")) return hintForArray(schema, value);
  return hintForScalar(types, schema, value, allowed);
}

function hintForString(types: readonly string[], text: string): TypeHint {
  const literal = types
    .map((type) => literalFor(type, text.trim()))
    .find((found) => found !== undefined);
  if (literal !== undefined) {
    const fixed = { value: JSON.parse(literal) as unknown };
    return { hint: { kind: "unquote", literal, echoes: true }, fixed };
  }
  const value = parseNestedJson(text);
  const type = jsonTypeOf(value);
  if (value === undefined || !types.includes(type)) return {};
  return { hint: { kind: "unstringify", type }, nested: { value } };
}

function literalFor(type: string, text: string): string | undefined {
  if (text.length > MAX_LITERAL) return undefined;
  if (type === "boolean" && /^(?:true|false)$/i.test(text)) return text.toLowerCase();
  if (type === "null" && /^(?:null|none)$/i.test(text)) return "null";
  if ((type !== "number" && type !== "integer") || !NUMBER.test(text)) return undefined;
  const number = Number(text);
  return matchesType(number, type) && Number.isSafeInteger(Math.trunc(number))
    ? String(number)
    : undefined;
}

/** Returns the only value in an array or a wrapper object; undefined if the value is neither. */
function onlyContent(
  value: unknown,
  name: PathSegment | undefined,
): { readonly value: unknown } | undefined {
  if (Array.isArray(value)) return value.length === 1 ? { value: value[0] } : undefined;
  if (!isRecord(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 1 && [...WRAPPERS, name].includes(keys[0]))
    return { value: value[keys[0] ?? ""] };
  // A copy of the schema with the value in it.
  const isTyped = keys.length === 2 && hasField(value, "type") && hasField(value, "value");
  return isTyped ? { value: value["value"] } : undefined;
}

/** Hints to send a wrapped value without its wrapper. */
function hintForOnlyContent(types: readonly string[], item: unknown): TypeHint {
  // Only a scalar is written here: an array can hold one huge or deeply nested item.
  const isScalar = ["string", "number", "boolean"].includes(typeof item);
  if (!isScalar || String(item).length > MAX_ITEM) return {};
  const fits = types.some((type) => matchesType(item, type));
  if (!fits) return {};
  return { hint: { kind: "use", value: item, echoes: true }, fixed: { value: item } };
}

/** Hints at the array in a value that is not one. */
function hintForArray(schema: SchemaObject, value: unknown): TypeHint {
  const inner = isRecord(value) ? Object.values(value) : [];
  // An empty object is hardly an item: an empty array may have been meant.
  if (isRecord(value) && inner.length === 0) return {};
  if (inner.length === 1 && Array.isArray(inner[0])) {
    return { hint: { kind: "unwrap-array" }, fixed: { value: inner[0] } };
  }
  const list = typeof value === "string" ? listInString(schema, value) : undefined;
  // A string with a comma is several items, or one item that contains a comma.
  const isSeveral = typeof value === "string" && SEPARATORS.test(value);
  if (list && (isSeveral || typeof list[0] === "number"))
    return { hint: { kind: "use", value: list, echoes: true }, fixed: { value: list } };
  if (isSeveral) return hintForPhrases(schema, value);
  if (!fitsItems(schema, value)) return {};
  return { hint: { kind: "wrap-in-array" }, fixed: { value: [value], isDeep: true } };
}

/** Hints at the array of short strings in a string with commas: an example, because a comma may belong to an item. */
function hintForPhrases(schema: SchemaObject, text: string): TypeHint {
  const { items } = schema;
  if (!isRecord(items) || !typesOf(items).includes("string") || text.length > MAX_PHRASES)
    return {};
  const [, inner = text] = /^\[(.*)\]$/s.exec(text.trim()) ?? [];
  const list = inner.split(SEPARATORS).map((piece) => piece.trim().replace(/^(["'])(.*)\1$/, "$2"));
  const areShort = list.every((piece) => piece !== "" && piece.split(/\s+/).length <= MAX_WORDS);
  if (!areShort || list.length < 2) return {};
  return { hint: { kind: "send-array", value: list, echoes: true }, fixed: { value: list } };
}

function fitsItems(schema: SchemaObject, value: unknown): boolean {
  const { items } = schema;
  if (!isRecord(items)) return true;
  const types = typesOf(items);
  if (types.length > 0 && !types.some((type) => matchesType(value, type))) return false;
  return !isRecord(value) || stringsOf(items["required"]).every((name) => hasField(value, name));
}

/** Splits a string into array items; undefined if it is not certain that each piece is an item. */
function listInString(schema: SchemaObject, text: string): readonly unknown[] | undefined {
  const { items } = schema;
  if (!isRecord(items) || text.length > MAX_LIST) return undefined;
  const pieces = text.split(SEPARATORS).map((piece) => piece.trim());
  if (pieces.length > MAX_ITEMS) return undefined;
  const allowed = items["enum"];
  if (Array.isArray(allowed))
    return pieces.every((piece) => allowed.includes(piece)) ? pieces : undefined;
  const types = typesOf(items);
  if (!acceptsNumbers(types) || !pieces.every((piece) => ITEM_NUMBER.test(piece))) return undefined;
  const numbers = pieces.map(Number);
  return numbers.every((number) => types.some((type) => matchesType(number, type)))
    ? numbers
    : undefined;
}

/** Hints to send a number or boolean in quotes if a string is expected. */
function hintForScalar(
  types: readonly string[],
  schema: SchemaObject,
  value: unknown,
  allowed: readonly unknown[] | undefined,
): TypeHint {
  const isFree = schema["pattern"] === undefined && schema["format"] === undefined;
  if (!isFree || !types.includes("string")) return {};
  // If numbers are accepted too, a number was refused for its value, not for its missing quotes.
  const isMeantAsString = typeof value === "number" && !acceptsNumbers(types);
  if (!isMeantAsString && typeof value !== "boolean") return {};
  const text = String(value);
  const isAllowed = !allowed || allowed.includes(text);
  return isAllowed
    ? { hint: { kind: "use", value: text, echoes: true }, fixed: { value: text } }
    : {};
}

function acceptsNumbers(types: readonly string[]): boolean {
  return types.includes("number") || types.includes("integer");
}

/** Returns the values that a schema lists with `enum` or `const`; undefined if it lists none. */
export function allowedValues(schema: SchemaObject): readonly unknown[] | undefined {
  const listed = Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
  if (!Object.hasOwn(schema, "const")) return listed;
  const fixed = schema["const"];
  // Both apply: if the list lacks the constant, no value is allowed.
  return !listed || listed.some((value) => jsonEqual(value, fixed)) ? [fixed] : [];
}

/** Hints at the allowed value that was meant, if one surely was. */
export function hintForValue(allowed: readonly unknown[], value: unknown): Pick<Finding, "hint"> {
  const meant = nearestValue(allowed, value);
  return meant === undefined ? {} : { hint: { kind: "use", value: meant } };
}

/** Finds the allowed value that was meant; undefined if none surely was. */
export function nearestValue(allowed: readonly unknown[], value: unknown): unknown {
  const only = onlyContent(value, undefined);
  if (only) return allowed.find((candidate) => candidate === only.value);
  const text = typeof value === "string" ? withoutRemark(value) : undefined;
  if (text !== value && allowed.includes(text)) return text;
  const literal = allowed.find(
    (candidate) => isLiteral(candidate) && String(candidate) === text?.trim().toLowerCase(),
  );
  if (literal !== undefined) return literal;
  const asText =
    text ?? (typeof value === "number" || typeof value === "boolean" ? String(value) : undefined);
  return asText === undefined ? undefined : nearest(asText, stringsOf(allowed), "values");
}

/** Drops a trailing remark: `Public (default)` becomes `Public`. */
function withoutRemark(text: string): string {
  return text.length > MAX_REMARKED ? text : text.replace(/(?<=\S) *\([^()]*\)$/, "");
}

function isLiteral(value: unknown): boolean {
  return value === null || typeof value === "number" || typeof value === "boolean";
}
