import { isRecord } from "../shared/index.ts";
import type { Fault, Refusal, SchemaAt } from "./refusal.ts";

/** The fields of `Schema` in Gemini's older form of declarations, `parameters`. */
const FIELDS = new Set(
  (
    "type format title description nullable enum items minItems maxItems properties required minProperties maxProperties " +
    "propertyOrdering minLength maxLength pattern minimum maximum default example anyOf"
  ).split(" "),
);
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

/** Whether Gemini's older form has a field of this name. */
export function isGeminiField(keyword: string): boolean {
  return FIELDS.has(keyword);
}

/** Whether Gemini's older form takes a format with a type. */
export function isGeminiFormat(type: unknown, format: unknown): boolean {
  return FORMATS[String(type)]?.includes(String(format)) ?? false;
}

/** What only Gemini's older form does not know; clients take most of it out. */
export const GEMINI_FORM: readonly Refusal<SchemaAt>[] = [
  {
    shape:
      "A keyword that the older form of declarations has no field for: `$schema`, `additionalProperties`, `$ref`, `const` …",
    who: ["gemini"],
    *finds({ node }) {
      for (const keyword of Object.keys(node))
        if (!isGeminiField(keyword))
          yield { keyword, what: `the older form of declarations has no ${keyword.slice(0, 64)}` };
    },
    write: "leave it out, or send the schema as parametersJsonSchema",
    known: "documented",
    source: "https://ai.google.dev/api/caching#Schema",
    isOnlyAsked: true,
  },
  {
    shape:
      'A `format` beside the few it knows, an `enum` without `type: "string"`, any list of types, keywords beside `anyOf`',
    who: ["gemini"],
    finds: oddValues,
    write: "leave it out, or send the schema as parametersJsonSchema",
    known: "reported",
    source:
      "https://github.com/decolua/9router/issues/359, https://github.com/aoci-spec/aoci-code/issues/61",
    isOnlyAsked: true,
  },
];

function* oddValues({ node }: SchemaAt): Generator<Fault> {
  const { type, format, enum: values, anyOf } = node;
  if (format !== undefined && !isGeminiFormat(type, format))
    yield { keyword: "format", what: `there is no format ${JSON.stringify(format)} of this type` };
  if (Array.isArray(values) && type !== "string")
    yield { keyword: "enum", what: 'an enum without "type": "string"' };
  if (Array.isArray(values) && values.includes(null))
    yield { keyword: "enum", what: "a value of an enum is null" };
  if (Array.isArray(type)) yield { keyword: "type", what: "type is a list" };
  if (anyOf !== undefined && Object.keys(node).length > 1)
    yield { keyword: "anyOf", what: "other keywords stand beside anyOf" };
  if (anyOf !== undefined && !(Array.isArray(anyOf) && anyOf.every(isRecord)))
    yield { keyword: "anyOf", what: "a branch of anyOf is true or false" };
}
