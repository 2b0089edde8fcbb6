import {
  type CompileJudge,
  FORMAT_NAMES,
  type JudgedFault,
  formatOf,
  isMultiple,
  refOverrides,
} from "../schema/index.ts";
import { duplicateItems } from "../shared/index.ts";
import { Ajv, Ajv2019, Ajv2020, type Format, type Options, formatLimitDefinition } from "./ajv.ts";

// Names that every object inherits: ajv checks for own properties only if a schema has one.
const INHERITED =
  /"(?:__proto__|constructor|toString|toLocaleString|valueOf|hasOwnProperty|isPrototypeOf|propertyIsEnumerable)"/;

/**
 * Compiles a schema with ajv; throws what ajv throws for an invalid schema.
 *
 * @example
 * ```ts
 * const found = explain(schema, sent, { compileJudge: compileAjv });
 * ```
 */
export const compileAjv: CompileJudge = (schema, dialect, json, compilePattern) => {
  const ajv = createAjv(dialect, INHERITED.test(json), compilePattern);
  const validate = ajv.compile(schema);
  return { accepts, validate, lastFault };

  function accepts(value: unknown): boolean | undefined {
    try {
      return validate(value);
    } catch (error) {
      if (error instanceof RangeError) throw error;
      // Its comparison breaks on `{"toString": ""}`.
      return undefined;
    }
  }

  function lastFault(): JudgedFault | undefined {
    const [error] = validate.errors ?? [];
    if (!error) return undefined;
    const { keyword, instancePath, params, parentSchema, data } = error;
    return {
      keyword,
      pointer: instancePath,
      field: fieldOf(params),
      schema: parentSchema,
      value: data,
    };
  }
};

function fieldOf(params: Readonly<Record<string, unknown>>): string | undefined {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params;
  return [missingProperty, additionalProperty, unevaluatedProperty].find(
    (name) => typeof name === "string",
  );
}

function createAjv(
  dialect: Parameters<CompileJudge>[1],
  ownProperties: boolean,
  compilePattern: Parameters<CompileJudge>[3],
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
  for (const name of FORMAT_NAMES) ajv.addFormat(name, (formatOf(name) ?? true) as Format);
  ajv.addKeyword(formatLimitDefinition);
  // ajv reads draft-06 as draft-07, which has conditions.
  if (dialect === "draft-06") ajv.removeKeyword("if");
  // ajv compares every pair of items; one pass over their JSON gives the same result.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    errors: false,
    validate: (unique: boolean, items: readonly unknown[]) =>
      !unique || duplicateItems(items, Infinity) === undefined,
  });
  // ajv finds that 19.99 is not a multiple of 0.01.
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
