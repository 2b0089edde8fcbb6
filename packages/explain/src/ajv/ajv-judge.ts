import {
  type CompileJudge,
  FORMAT_NAMES,
  type JudgedFault,
  formatOf,
  isMultiple,
  refOverrides,
} from "../schema/index.ts";
import { type Identify, createIdentities, duplicateItems } from "../shared/index.ts";
import {
  Ajv,
  Ajv2019,
  Ajv2020,
  type Format,
  type FuncKeywordDefinition,
  type Options,
  formatLimitDefinition,
} from "./ajv.ts";

// Names that every object inherits: ajv checks for own properties only if a schema has one.
const INHERITED =
  /"(?:__proto__|constructor|toString|toLocaleString|valueOf|hasOwnProperty|isPrototypeOf|propertyIsEnumerable)"/;

const UNIQUE = /"uniqueItems"/;

// Adding the meta-schemas takes longer than compiling most schemas, and few schemas refer to them.
const REFERS_TO_META = /"(?!\$schema")[^"]*":"https?:\/\/json-schema\.org\//;

/**
 * Compiles a schema with ajv; throws what ajv throws for an invalid schema.
 *
 * @example
 * ```ts
 * const found = explain(schema, sent, { compileJudge: compileAjv });
 * ```
 */
export const compileAjv: CompileJudge = (schema, dialect, json, compilePattern) => {
  const options = { ownProperties: INHERITED.test(json), meta: REFERS_TO_META.test(json) };
  let identify: Identify | undefined;
  const ajv = createAjv(dialect, options, compilePattern, (item) =>
    (identify ??= createIdentities())(item),
  );
  const compiled = ajv.compile(schema);
  const validate = UNIQUE.test(json) || options.meta ? validateUnique : compiled;
  return { accepts, validate, lastFault };

  /** Forgets the value of the call: it may change before the next one. */
  function validateUnique(value: unknown): boolean {
    try {
      return compiled(value);
    } finally {
      identify = undefined;
    }
  }

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
    const [error] = compiled.errors ?? [];
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

const ownKeywords = (
  identify: Identify,
): readonly (FuncKeywordDefinition & { readonly keyword: string })[] => [
  {
    // ajv compares every pair of items; one pass over them gives the same result.
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    errors: false,
    validate: (unique: boolean, items: readonly unknown[]) =>
      !unique || duplicateItems(items, Infinity, identify) === undefined,
  },
  {
    // ajv finds that 19.99 is not a multiple of 0.01.
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    errors: false,
    validate: (step: number, value: number) => isMultiple(value, step),
  },
];

function createAjv(
  dialect: Parameters<CompileJudge>[1],
  chosen: Pick<Options, "ownProperties" | "meta">,
  compilePattern: Parameters<CompileJudge>[3],
  identify: Identify,
): Ajv {
  const options: Options = {
    strict: false,
    validateSchema: false,
    logger: false,
    verbose: true,
    ...chosen,
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
  for (const own of ownKeywords(identify)) ajv.removeKeyword(own.keyword).addKeyword(own);
  return ajv;
}
