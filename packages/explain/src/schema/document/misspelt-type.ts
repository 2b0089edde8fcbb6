import { JSON_TYPES, type SchemaObject, isRecord, matchesType } from "../../shared/index.ts";

const ANY = "any";

// What schemas written by hand or by Python code mean by other names than those of JSON Schema.
const MEANINGS: Readonly<Record<string, string>> = {
  any: ANY,
  float: "number",
  float32: "number",
  float64: "number",
  double: "number",
  int: "integer",
  int32: "integer",
  int64: "integer",
  long: "integer",
  str: "string",
  text: "string",
  bool: "boolean",
  dict: "object",
  map: "object",
  list: "array",
  tuple: "array",
  none: "null",
  nonetype: "null",
  date: "string",
  datetime: "string",
  "date-time": "string",
  uuid: "string",
  email: "string",
  uri: "string",
  url: "string",
};

// Keywords that say which type is meant.
const KEYWORDS_OF: readonly (readonly [types: readonly string[], keywords: readonly string[]])[] = [
  [["string"], ["minLength", "maxLength", "pattern"]],
  [
    ["number", "integer"],
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ],
  [["number", "integer"], ["multipleOf"]],
  [["array"], ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]],
  [["object"], ["properties", "patternProperties", "additionalProperties", "propertyNames"]],
  [["object"], ["minProperties", "maxProperties", "dependentRequired", "dependentSchemas"]],
];

/** What a `type` that JSON Schema does not know means. */
export type TypeReading =
  /** The types; undefined if any type is meant. */
  | { readonly kind: "meant"; readonly type: string | readonly string[] | undefined }
  /** Nothing certain. */
  | { readonly kind: "unclear" };

/** Reads the misspelt `type` of a schema, if the rest of the schema does not contradict. */
export function readType(schema: SchemaObject): TypeReading {
  const { type } = schema;
  const names: readonly unknown[] = (Array.isArray(type) ? type : [type]).flatMap(separateNames);
  const read = names.map(meantType);
  if (read.includes(undefined)) return { kind: "unclear" };
  if (read.includes(ANY)) return { kind: "meant", type: undefined };
  const types = [...new Set(read)].filter((name) => name !== undefined);
  if (!isPlausible(types, schema)) return { kind: "unclear" };
  const [only] = types;
  return { kind: "meant", type: types.length === 1 ? only : types };
}

/** Several names in one text: `string|null`, `string or null`, `Optional[str]`. */
function separateNames(name: unknown): readonly unknown[] {
  if (name === null) return ["null"];
  if (typeof name !== "string") return [name];
  const [, optional] = /^\s*optional\[(.*)\]\s*$/i.exec(name) ?? [];
  if (optional !== undefined) return [optional, "null"];
  const parts = name.split(/[|,]|\sor\s/i).map((part) => part.trim());
  return parts.length > 1
    ? parts
    : [name.replace(/^\s*(list|array|dict)\s*[[<].+[\]>]\s*$/i, "$1")];
}

function meantType(name: unknown): string | undefined {
  if (typeof name !== "string") return undefined;
  const lower = name.trim().toLowerCase();
  if (JSON_TYPES.includes(lower)) return lower;
  return Object.hasOwn(MEANINGS, lower) ? MEANINGS[lower] : undefined;
}

function isPlausible(types: readonly string[], schema: SchemaObject): boolean {
  const speaksOfOthers = KEYWORDS_OF.some(
    ([of, keywords]) =>
      !of.some((type) => types.includes(type)) &&
      keywords.some((keyword) => Object.hasOwn(schema, keyword)),
  );
  return !speaksOfOthers && examplesOf(schema).every((value) => fitsOneOf(types, value));
}

/** The values that a schema itself shows; a default of null often stands for "left out". */
function examplesOf(schema: SchemaObject): readonly unknown[] {
  const { enum: values, default: standard, examples } = schema;
  return [
    ...(Array.isArray(values) ? values : []),
    ...(Array.isArray(examples) ? examples : []),
    ...(Object.hasOwn(schema, "const") ? [schema["const"]] : []),
    ...(standard === undefined || standard === null ? [] : [standard]),
  ];
}

function fitsOneOf(types: readonly string[], value: unknown): boolean {
  return types.some((type) => (type === "object" ? isRecord(value) : matchesType(value, type)));
}
