import { isMultiple } from "../explain/check-number.ts";
import { duplicateItems } from "../explain/json-equal.ts";
import type { JsonSchema } from "../json-schema.ts";
import { Ajv, Ajv2019, Ajv2020, ajvFormats, type ErrorObject, type Options } from "./ajv.ts";
import { formatOf, LENIENT_FORMATS } from "./format.ts";
import { type Dialect, refOverrides } from "./dialect.ts";
import type { Pattern } from "./pattern.ts";

/** A compiled judge of one schema: the verdict, and what it stumbled over last. */
export interface AjvJudge {
  /** The verdict; undefined where ajv broke on the value (`{"toString": ""}` breaks its comparison). */
  accepts(value: unknown): boolean | undefined;
  /** The verdict of ajv itself, which throws where it breaks. */
  readonly validate: (value: unknown) => boolean;
  /** The first error of the last refused value. */
  lastError(): ErrorObject | undefined;
}

// Names that every object inherits: only with these must ajv look closely at own properties.
const INHERITED =
  /"(?:__proto__|constructor|toString|toLocaleString|valueOf|hasOwnProperty|isPrototypeOf|propertyIsEnumerable)"/;

/** Compiles a schema with ajv; throws what ajv throws where the schema is none. */
export function compileAjv(
  schema: JsonSchema,
  dialect: Dialect,
  text: string,
  compilePattern: (source: string) => Pattern,
): AjvJudge {
  const ajv = createAjv(dialect, INHERITED.test(text), compilePattern);
  const validate = ajv.compile(schema);
  return { accepts, validate, lastError: () => validate.errors?.[0] };

  function accepts(value: unknown): boolean | undefined {
    try {
      return validate(value);
    } catch (error) {
      if (error instanceof RangeError) throw error;
      return undefined;
    }
  }
}

function createAjv(
  dialect: Dialect,
  ownProperties: boolean,
  compilePattern: (source: string) => Pattern,
): Ajv {
  const options: Options = {
    strict: false,
    validateSchema: false,
    logger: false,
    verbose: true,
    ownProperties,
    ignoreKeywordsWithRef: refOverrides(dialect),
    code: { regExp: Object.assign(compilePattern, { code: "compilePattern" }) },
  };
  const ajv =
    dialect === "2020-12"
      ? new Ajv2020(options)
      : dialect === "2019-09"
        ? new Ajv2019(options)
        : new Ajv(options);
  ajvFormats.default(ajv);
  for (const name of Object.keys(LENIENT_FORMATS)) ajv.addFormat(name, formatOf(name) ?? true);
  // ajv compares every two items; one pass over their texts judges the same.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    errors: false,
    validate: (unique: boolean, items: readonly unknown[]) =>
      !unique || duplicateItems(items, Infinity) === undefined,
  });
  // ajv takes 19.99 for no multiple of 0.01.
  ajv.removeKeyword("multipleOf");
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    errors: false,
    validate: (step: number, value: number) => isMultiple(value, step),
  });
  return ajv;
}
