import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { CompiledSchema } from "../schema/index.ts";
import { type Finding, type MaybePromise, chain, jsonPointer } from "../shared/index.ts";
import { type Validation, validateStandard } from "../standard/index.ts";
import { type OverBudget, spentOn, tooDeep, tooMuchToCheck } from "./over-budget.ts";

/** Decides whether a value is valid, and knows the schema. */
export interface Validator {
  /** `mayWait` if the caller can wait; if not, only a validator that is certainly asynchronous returns a promise. */
  validate(value: unknown, mayWait: boolean): MaybePromise<Validation>;
  /** A fast path for validators that return the value unchanged; if it returns false or throws, call `validate`. */
  readonly accepts?: ((value: unknown) => boolean) | undefined;
  /** The JSON Schema, compiled on first use. */
  schema(): CompiledSchema | undefined;
}

/** Called with what could not be enforced, and with what threw. */
export type OnFault = (stage: string, thrown: unknown, places?: readonly string[]) => void;

/** Accepts every value. */
export const ACCEPT_ALL: Validator = { schema: () => undefined, validate: accept };

/** Validates with a library's own validator; the JSON Schema, if there is one, only describes it. */
export function standardValidator(
  validator: StandardSchemaV1,
  schema: () => CompiledSchema | undefined,
  onFault: OnFault,
): Validator {
  const onThrow = (thrown: unknown): void => onFault("validator", thrown);
  const told = new Set<string>();
  const onValidation = (validation: Validation): Validation => {
    for (const { beyond, path } of validation.ok ? [] : validation.findings) {
      if (beyond === undefined || told.has(beyond)) continue;
      told.add(beyond);
      // No call of the tool can be valid there, whatever a model does: the author has to know.
      const problem = new Error(`JSON cannot express what the validator wants: ${beyond}`);
      onFault("schema: type-beyond-json", problem, [jsonPointer(path.map(String))]);
    }
    return validation;
  };
  return {
    schema,
    validate: (value, mayWait) =>
      chain(validateStandard(validator, value, schema, { mayWait, onThrow }), onValidation),
  };
}

/**
 * Validates by a JSON Schema.
 *
 * @param overBudget - What happens to a value that would cost too much to check; accepting it is a fault that is reported.
 */
export function schemaValidator(
  compiled: CompiledSchema,
  onFault: OnFault,
  overBudget: OverBudget = "refuse",
): Validator {
  const { takeSlowPatterns } = compiled;
  let reported = 0;

  function reportWarnings(): void {
    if (compiled.warnings.size === reported) return;
    reported = compiled.warnings.size;
    for (const warning of compiled.warnings)
      onFault(`schema: ${warning}`, new Error(warning), compiled.places?.[warning]);
  }

  /** Forgets the strings of other contracts: they validate with the same compiled schema. */
  function forgetOthers(): void {
    takeSlowPatterns?.();
  }

  return {
    schema: () => compiled,
    accepts:
      compiled.validate ??
      ((value) => {
        forgetOthers();
        if (!compiled.accepts(value) || compiled.warnings.size !== reported) return false;
        return takeSlowPatterns?.() === undefined;
      }),
    validate(value) {
      forgetOthers();
      const validation = validationBySchema(compiled, value, overBudget, onFault);
      reportWarnings();
      const slow = takeSlowPatterns?.();
      if (slow === undefined) return validation;
      if (overBudget === "refuse")
        return validation.ok ? refusedFor(tooMuchToCheck("string")) : validation;
      onFault("schema: pattern-too-slow", new Error("pattern-too-slow"), slow);
      return validation;
    },
  };
}

function accept(value: unknown): Validation {
  return { ok: true, output: value };
}

function refusedFor(finding: Finding): Validation {
  return { ok: false, findings: [finding], atLeast: false };
}

function validationBySchema(
  compiled: CompiledSchema,
  value: unknown,
  overBudget: OverBudget,
  onFault: OnFault,
): Validation {
  try {
    return compiled.accepts(value) ? accept(value) : explained(compiled, value, onFault);
  } catch (error) {
    const spent = spentOn(error, value);
    if (spent === "depth") return refusedFor(tooDeep());
    if (spent === "steps" && overBudget === "refuse") return refusedFor(tooMuchToCheck("parts"));
    throw error;
  }
}

/** Explains a value that was refused. Failing to explain it makes it no better. */
function explained(compiled: CompiledSchema, value: unknown, onFault: OnFault): Validation {
  try {
    return { ok: false, ...compiled.explain(value) };
  } catch (error) {
    if (spentOn(error, value) === "depth") return refusedFor(tooDeep());
    onFault("explain", error);
    return { ok: false, findings: [{ code: "VAL-003", path: [] }], atLeast: true };
  }
}
