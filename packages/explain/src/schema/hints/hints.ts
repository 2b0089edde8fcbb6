import { isCutOff, parseNestedJson, parseNestedLiteral } from "../../arguments/index.ts";
import {
  type Finding,
  type Hint,
  type PathSegment,
  type SchemaObject,
  hasField,
  isRecord,
  jsonTypeOf,
  matchesType,
  stringsOf,
  typesOf,
} from "../../shared/index.ts";
import { onlyContent } from "./nearest-value.ts";

const MAX_LITERAL = 40;
const MAX_ITEM = 60;
/** Longer texts are not searched for where they end. */
const MAX_CUT = 65_536;
/** The longest list that a hint writes out, as JSON. */
export const MAX_LIST = 400;
const YES = /^(?:yes|on|1)$/i;
const NO = /^(?:no|off|0)$/i;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

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
    if (location.optional && isNothing(value)) return { hint: { kind: "leave-out" } };
  }
  if (isSchemaLike(value) && !types.includes("object")) return { hint: { kind: "not-schema" } };
  const truth = types.includes("boolean") && !acceptsNumbers(types) ? truthOf(value) : undefined;
  if (truth !== undefined)
    return { hint: { kind: "use", value: truth, echoes: true }, fixed: { value: truth } };
  const only = onlyContent(value, location.path.at(-1));
  const bare = only === undefined ? {} : hintForOnlyContent(types, only.value);
  if (bare.hint !== undefined) return bare;
  if (Array.isArray(value) && types.includes("object") && declaresSome(schema, only?.value))
    return { hint: { kind: "unwrap-object" }, fixed: { value: only?.value, isDeep: true } };
  if (types.includes("array")) return hintForArray(schema, value);
  return hintForScalar(types, schema, location, allowed);
}

/** Whether an object has a declared field; in a map, `{ "name": …, "value": … }` is hardly the map itself. */
function declaresSome({ properties }: SchemaObject, value: unknown): boolean {
  return (
    isRecord(properties) &&
    isRecord(value) &&
    Object.keys(value).some((name) => Object.hasOwn(properties, name))
  );
}

/** What a schema consists of; `value` beside them is a copy of the schema with the value in it. */
const SCHEMA_KEYWORDS = new Set(
  "type items properties required enum description default format title minimum maximum examples".split(
    " ",
  ),
);
const TYPES = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);

/** Whether a value is a schema, which was sent instead of a value. */
function isSchemaLike(value: unknown): boolean {
  return (
    isRecord(value) &&
    TYPES.has(String(value["type"])) &&
    Object.keys(value).every((key) => SCHEMA_KEYWORDS.has(key))
  );
}

/** Whether a string is what models write for a field that they leave empty. */
export function isNothing(text: string): boolean {
  return /^\s*(?:none|null)?\s*$/i.test(text);
}

function truthOf(value: unknown): boolean | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const word = String(value).trim();
  return YES.test(word) || (NO.test(word) ? false : undefined);
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
  if (value !== undefined)
    return types.includes(type) ? { hint: { kind: "unstringify", type }, nested: { value } } : {};
  const foreign = hintForLiteral(types, text);
  return foreign.hint === undefined && isCutJson(types, text)
    ? { hint: { kind: "words", text: "its JSON ends too early" } }
    : foreign;
}

/** Whether a string is the beginning of the JSON of what is wanted. */
function isCutJson(types: readonly string[], text: string): boolean {
  if (text.length > MAX_CUT || !/^\s*(?:\{\s*"|\[\s*[[{"])/.test(text)) return false;
  const type = text.trimStart().startsWith("{") ? "object" : "array";
  return types.includes(type) && isCutOff(text);
}

/** Hints at the list or object in a string that holds it as a literal of Python or JavaScript. */
function hintForLiteral(types: readonly string[], text: string): TypeHint {
  const value = parseNestedLiteral(text);
  const type = jsonTypeOf(value);
  if (value === undefined || !types.includes(type)) return {};
  const isShort = Array.isArray(value) && JSON.stringify(value).length <= MAX_LIST;
  const hint: Hint = isShort
    ? { kind: "use", value, echoes: true }
    : { kind: "unstringify", type, echoes: true };
  return { hint, fixed: { value, isDeep: true } };
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
  // Such a string is a list, or several items, or one item that contains a comma.
  if (typeof value === "string" && /[,;\n]|^\s*[[({]/.test(value)) return {};
  if (!fitsItems(schema, value)) return {};
  return { hint: { kind: "wrap-in-array" }, fixed: { value: [value], isDeep: true } };
}

function fitsItems(schema: SchemaObject, value: unknown): boolean {
  const { items } = schema;
  if (!isRecord(items)) return true;
  const types = typesOf(items);
  if (types.length > 0 && !types.some((type) => matchesType(value, type))) return false;
  return !isRecord(value) || stringsOf(items["required"]).every((name) => hasField(value, name));
}

/** Hints to send a number or boolean in quotes if a string is expected. */
function hintForScalar(
  types: readonly string[],
  schema: SchemaObject,
  location: HintedValue,
  allowed: readonly unknown[] | undefined,
): TypeHint {
  if (isSeveral(types, location, allowed)) return { hint: { kind: "one-by-one" } };
  const { value } = location;
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

/** Whether several values were sent to a field that takes one: an item of a list may lack a level instead. */
function isSeveral(
  types: readonly string[],
  { value, path }: HintedValue,
  allowed: readonly unknown[] | undefined,
): boolean {
  if (!Array.isArray(value) || value.length < 2 || typeof path.at(-1) !== "string") return false;
  return value.every(
    (item: unknown) =>
      typeof item !== "object" &&
      (allowed?.includes(item) ?? types.some((type) => matchesType(item, type))),
  );
}

function acceptsNumbers(types: readonly string[]): boolean {
  return types.includes("number") || types.includes("integer");
}
