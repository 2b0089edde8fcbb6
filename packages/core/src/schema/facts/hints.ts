import { parseNestedJson } from "../../arguments/index.ts";
import {
  type Finding,
  type PathSegment,
  hasField,
  isRecord,
  jsonEqual,
  jsonTypeOf,
  matchesType,
  stringsOf,
  typesOf,
  type SchemaObject,
} from "../../shared/index.ts";
import { nearest } from "./near-name.ts";

const MAX_ITEM = 60;
const WRAPPERS: readonly unknown[] = ["value", "text"];

/** A hint, and the value that following it would give. */
export type TypeHint = Pick<Finding, "hint" | "nested"> & {
  readonly fixed?: {
    readonly value: unknown;
    /** True where faults further in do not matter to the hint. */
    readonly isDeep?: boolean;
  };
};

/** A value of the wrong type, and where it was sent. */
interface HintedValue {
  readonly value: unknown;
  readonly path: readonly PathSegment[];
  /** True if the value may be left out. */
  readonly optional: boolean;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The literal fix of a wrong type, where one is nearly certain. */
export function hintForType(
  types: readonly string[],
  schema: SchemaObject,
  location: HintedValue,
  allowed?: readonly unknown[],
): TypeHint {
  const { value } = location;
  if (value === null) return location.optional ? { hint: { kind: "leave-out" } } : {};
  if (typeof value === "string") {
    const hint = hintForText(types, value);
    if (hint.hint !== undefined) return hint;
  }
  const only = onlyContent(value, location.path.at(-1));
  const bare = only === undefined ? {} : hintForOnlyContent(types, only.value);
  if (bare.hint !== undefined) return bare;
  if (types.includes("array")) return hintForArray(schema, value);
  return hintForScalar(types, schema, value, allowed);
}

/** What is no array where one is wanted. */
function hintForArray(schema: SchemaObject, value: unknown): TypeHint {
  const inner = isRecord(value) ? Object.values(value) : [];
  if (inner.length === 1 && Array.isArray(inner[0])) {
    return { hint: { kind: "unwrap-array" }, fixed: { value: inner[0] } };
  }
  const list = typeof value === "string" ? listInText(schema, value) : undefined;
  // Several in one text are several items, or one text that holds a comma.
  const isSeveral = typeof value === "string" && /[,;\n]/.test(value);
  if (list && (isSeveral || typeof list[0] === "number"))
    return { hint: { kind: "use", value: list, echoes: true }, fixed: { value: list } };
  if (isSeveral || !fitsItems(schema, value)) return {};
  return { hint: { kind: "wrap-in-array" }, fixed: { value: [value], isDeep: true } };
}

function acceptsNumbers(types: readonly string[]): boolean {
  return types.includes("number") || types.includes("integer");
}

/** A number or boolean where text is wanted: the same in quotes. */
function hintForScalar(
  types: readonly string[],
  schema: SchemaObject,
  value: unknown,
  allowed: readonly unknown[] | undefined,
): TypeHint {
  const isFree = schema["pattern"] === undefined && schema["format"] === undefined;
  if (!isFree || !types.includes("string")) return {};
  // Where numbers are accepted too, a number was refused for what it is, not for its quotes.
  const isMeantAsText = typeof value === "number" && !acceptsNumbers(types);
  if (!isMeantAsText && typeof value !== "boolean") return {};
  const text = String(value);
  const isAllowed = !allowed || allowed.includes(text);
  return isAllowed
    ? { hint: { kind: "use", value: text, echoes: true }, fixed: { value: text } }
    : {};
}

/** What a list of one or an object around a single value holds; undefined where the value is neither. */
function onlyContent(
  value: unknown,
  name: PathSegment | undefined,
): { readonly value: unknown } | undefined {
  if (Array.isArray(value)) return value.length === 1 ? { value: value[0] } : undefined;
  if (!isRecord(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 1 && [...WRAPPERS, name].includes(keys[0]))
    return { value: value[keys[0] ?? ""] };
  // The shape of a schema's own description, with the value in it.
  const isTyped = keys.length === 2 && hasField(value, "type") && hasField(value, "value");
  return isTyped ? { value: value["value"] } : undefined;
}

/** A wrapped value where the bare one was wanted. */
function hintForOnlyContent(types: readonly string[], item: unknown): TypeHint {
  // Written only once it is known to be short: a list can hold one huge or endlessly nested item.
  const isScalar = ["string", "number", "boolean"].includes(typeof item);
  if (!isScalar || String(item).length > MAX_ITEM) return {};
  const fits = types.some((type) => matchesType(item, type));
  if (!fits) return {};
  return { hint: { kind: "use", value: item, echoes: true }, fixed: { value: item } };
}

function hintForText(types: readonly string[], text: string): TypeHint {
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
  if (text.length > 40) return undefined;
  if (type === "boolean" && /^(?:true|false)$/i.test(text)) return text.toLowerCase();
  if (type === "null" && /^(?:null|none)$/i.test(text)) return "null";
  if ((type !== "number" && type !== "integer") || !NUMBER.test(text)) return undefined;
  const number = Number(text);
  return matchesType(number, type) && Number.isSafeInteger(Math.trunc(number))
    ? String(number)
    : undefined;
}

function fitsItems(schema: SchemaObject, value: unknown): boolean {
  const { items } = schema;
  if (!isRecord(items)) return true;
  const types = typesOf(items);
  if (types.length > 0 && !types.some((type) => matchesType(value, type))) return false;
  return !isRecord(value) || stringsOf(items["required"]).every((name) => hasField(value, name));
}

const MAX_TEXT = 200;
const MAX_PIECES = 20;
const ITEM_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The items that a text names one after the other, where each is surely one; undefined where that is open. */
function listInText(schema: SchemaObject, text: string): readonly unknown[] | undefined {
  const { items } = schema;
  if (!isRecord(items) || text.length > MAX_TEXT) return undefined;
  const pieces = text.split(/[,;\n]/).map((piece) => piece.trim());
  if (pieces.length > MAX_PIECES) return undefined;
  const allowed = items["enum"];
  if (Array.isArray(allowed))
    return pieces.every((piece) => allowed.includes(piece)) ? pieces : undefined;
  const types = typesOf(items);
  const isNumeric = types.includes("number") || types.includes("integer");
  if (!isNumeric || !pieces.every((piece) => ITEM_NUMBER.test(piece))) return undefined;
  const numbers = pieces.map(Number);
  return numbers.every((number) => types.some((type) => matchesType(number, type)))
    ? numbers
    : undefined;
}

const MAX_REMARKED = 100;

/** The values that a schema lists with `enum` or `const`; undefined where it lists none. */
export function allowedValues(schema: SchemaObject): readonly unknown[] | undefined {
  const listed = Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
  if (!Object.hasOwn(schema, "const")) return listed;
  const fixed = schema["const"];
  // Both must hold; a value that the list lacks leaves nothing to send.
  return !listed || listed.some((value) => jsonEqual(value, fixed)) ? [fixed] : [];
}

/** The hint that names the listed value which the sent one was meant to be. */
export function hintForValue(allowed: readonly unknown[], value: unknown): Pick<Finding, "hint"> {
  const near = nearValue(allowed, value);
  return near === undefined ? {} : { hint: { kind: "use", value: near } };
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
  return asText === undefined ? undefined : nearest(asText, stringsOf(allowed), "values");
}

/** `Public (default)` without what is said of it. */
function withoutRemark(text: string): string {
  return text.length > MAX_REMARKED ? text : text.replace(/(?<=\S) *\([^()]*\)$/, "");
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === "number" || typeof value === "boolean";
}
