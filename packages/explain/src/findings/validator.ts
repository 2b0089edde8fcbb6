import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { CompiledSchema } from "../schema/index.ts";
import type { Finding, MaybePromise } from "../shared/index.ts";
import { type Validation, validateStandard } from "../standard/index.ts";

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
  return {
    schema,
    validate: (value, mayWait) => validateStandard(validator, value, schema, { mayWait, onThrow }),
  };
}

/** Validates by a JSON Schema. */
export function schemaValidator(compiled: CompiledSchema, onFault: OnFault): Validator {
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
      const validation = validationBySchema(compiled, value);
      reportWarnings();
      const slow = takeSlowPatterns?.();
      if (slow) onFault("schema: pattern-too-slow", new Error("pattern-too-slow"), slow);
      return validation;
    },
  };
}

function accept(value: unknown): Validation {
  return { ok: true, output: value };
}

function validationBySchema(compiled: CompiledSchema, value: unknown): Validation {
  try {
    return compiled.accepts(value) ? accept(value) : { ok: false, ...compiled.explain(value) };
  } catch (error) {
    // A stack overflow on a deeply nested value is the model's fault; on a flat one it is the schema's.
    const isEndless = error instanceof RangeError || isBudgetSpent(error);
    if (!isEndless || !isNested(value)) throw error;
    return { ok: false, findings: [tooDeep()], atLeast: false };
  }
}

const FLAT = 50;

/** Whether a value is nested deeper than any reasonable arguments. */
function isNested(value: unknown, levels: number = FLAT): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isNested(inner, levels - 1));
}

function isBudgetSpent(error: unknown): boolean {
  return error instanceof Error && error.name === "WalkBudgetExceeded";
}

function tooDeep(): Finding {
  return {
    code: "VAL-003",
    path: [],
    reason: { kind: "too-deep" },
    expected: { kind: "shallower" },
  };
}
