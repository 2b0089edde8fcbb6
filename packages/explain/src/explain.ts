import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type Degradation, warnOnce } from "./degradation-logger.ts";
import {
  type OnFault,
  type Validator,
  judge,
  schemaValidator,
  standardValidator,
  write,
} from "./findings/index.ts";
import {
  type OptionRule,
  checkMembers,
  isFunction,
  isFunctionList,
  isObject,
  isString,
  oneOf,
  wholeFrom,
} from "./options/index.ts";
import { type Redactor, createSanitizer } from "./sanitize/index.ts";
import {
  type CompileJudge,
  type CompiledSchema,
  type PatternEngine,
  sharedCache,
} from "./schema/index.ts";
import {
  type JsonSchema,
  type MaybePromise,
  ToolContractError,
  type ValidationError,
  chain,
  isPromiseLike,
  isRecord,
} from "./shared/index.ts";
import { isStandardSchema, jsonSchemaOf } from "./standard/index.ts";

/**
 * How values are explained.
 *
 * @example
 * ```ts
 * const options: ExplainOptions = { unknownFields: "reject", maxValuePreview: 60 };
 * ```
 * @see packages/explain/README.md
 */
export interface ExplainOptions {
  /**
   * Whether a field that the schema neither declares nor forbids is nothing, a warning or an error.
   *
   * @default as the schema says
   */
  readonly unknownFields?: "schema" | "warn" | "reject";
  /**
   * Whether a value that would cost too much to check has a finding that says so (VAL-016), or none.
   *
   * @default "refuse"
   */
  readonly overBudget?: "refuse" | "accept";
  /**
   * How many characters of a value are shown.
   *
   * @default 100
   */
  readonly maxValuePreview?: number;
  /** File paths below this folder are shown relative to it. */
  readonly workspaceRoot?: string;
  /** Change what is shown of a value, after secrets of known shapes are masked; `undefined` hides it. */
  readonly redact?: readonly Redactor[];
  /**
   * What redactors read as the name of the tool.
   *
   * @default "value"
   */
  readonly name?: string;
  /**
   * Runs the patterns of schemas, for example in linear time.
   *
   * @default the runtime's regular expressions
   */
  readonly patternEngine?: PatternEngine;
  /** Compiles JSON Schemas to code that says yes or no, such as `compileAjv`; without it the schema is walked. */
  readonly compileJudge?: CompileJudge;
  /**
   * Called with what could not be judged.
   *
   * @default a warning on the console, once for each
   */
  readonly onDegraded?: (degradation: Degradation) => void;
}

const OPTIONS: Readonly<Record<keyof ExplainOptions, OptionRule>> = {
  unknownFields: oneOf("schema", "warn", "reject"),
  overBudget: oneOf("refuse", "accept"),
  maxValuePreview: wholeFrom(1),
  workspaceRoot: isString,
  redact: isFunctionList,
  name: isString,
  patternEngine: isObject,
  compileJudge: isFunction,
  onDegraded: isFunction,
};

/**
 * Says what is wrong with a value: every fault, with its place, what is expected and, if it is nearly certain, the fix.
 * A valid value has none.
 *
 * Secrets are masked, values are cut, and nothing that the value contains can forge a message. It never throws for a
 * value.
 *
 * @param schema - A JSON Schema (draft-04 to 2020-12), or a validator with the Standard Schema interface: zod, valibot,
 * arktype. A validator alone decides.
 * @returns Plain data, errors first. Warnings and infos reject nothing.
 * @throws ToolContractError if an option is unknown or does not fit, the schema is neither of the two, or the validator
 * or a redactor returns a promise: use `explainAsync`.
 * @example
 * ```ts
 * const schema = { type: "object", properties: { limit: { type: "integer", maximum: 100 } } };
 * const [finding] = explain(schema, { limit: "5" });
 * finding?.hint; // "send 5 without quotes"
 * ```
 * @see packages/explain/README.md
 */
export function explain(
  schema: JsonSchema | StandardSchemaV1,
  value: unknown,
  options: ExplainOptions = {},
): readonly ValidationError[] {
  const found = explainedErrors("explain", schema, value, options, false);
  if (!isPromiseLike(found)) return found;
  void Promise.resolve(found).catch(() => undefined);
  throw new ToolContractError(
    "explain: the validator or a redactor is asynchronous. Use `await explainAsync(…)`.",
  );
}

/**
 * Does what `explain` does with validators and redactors that may be asynchronous.
 *
 * @example
 * ```ts
 * const findings = await explainAsync(schema, sent); // also with a refinement that is asynchronous
 * ```
 * @see packages/explain/README.md
 */
export async function explainAsync(
  schema: JsonSchema | StandardSchemaV1,
  value: unknown,
  options: ExplainOptions = {},
): Promise<readonly ValidationError[]> {
  return explainedErrors("explainAsync", schema, value, options, true);
}

function explainedErrors(
  where: string,
  schema: JsonSchema | StandardSchemaV1,
  value: unknown,
  options: ExplainOptions,
  mayWait: boolean,
): MaybePromise<readonly ValidationError[]> {
  checkMembers(where, options, OPTIONS);
  const {
    unknownFields = "schema",
    overBudget,
    maxValuePreview = 100,
    workspaceRoot,
    redact = [],
  } = options;
  const { name = "value", onDegraded = warnOnce } = options;
  const onFault: OnFault = (reason, error, places = []) => onDegraded({ reason, places, error });
  const validator = validatorForSchema(where, schema, options, onFault);
  const sanitizer = createSanitizer({ maxValuePreview, workspaceRoot });
  const judging = { mayWait, unknownFields, overBudget, onFault };
  return chain(judge(value, validator, judging), ({ output, findings }) => {
    if (findings.length === 0) return [];
    const written = write(findings, {
      tool: name,
      sanitizer,
      redactors: redact,
      root: value,
      output,
      schema: () => validator.schema(),
      maxErrors: Infinity,
    });
    return chain(written, ({ errors, advisories }) => [...errors, ...advisories]);
  });
}

function validatorForSchema(
  where: string,
  schema: JsonSchema | StandardSchemaV1,
  { compileJudge, patternEngine, overBudget }: ExplainOptions,
  onFault: OnFault,
): Validator {
  const cache = sharedCache({ compileJudge, patternEngine });
  if (isStandardSchema(schema)) {
    const described = (): CompiledSchema | undefined => {
      const json = jsonSchemaOf(schema);
      return json === undefined ? undefined : cache.get(json);
    };
    return standardValidator(schema, described, onFault);
  }
  if (isRecord(schema) || typeof schema === "boolean")
    return schemaValidator(cache.get(schema), onFault, overBudget);
  throw new ToolContractError(
    `${where}: pass a JSON Schema, or a validator with the Standard Schema interface such as z.object({ … }).`,
  );
}
