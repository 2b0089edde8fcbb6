import {
  type Finding,
  type MaybePromise,
  type ToolDefinition,
  checkDefinition,
} from "../shared/index.ts";
import type { CompiledSchema, SchemaCache } from "../schema/index.ts";
import { type StandardValidation, jsonSchemaOf, validateStandard } from "../standard/index.ts";

/** The result of validating a value: the validator's output, or what is wrong. */
export type Validation = StandardValidation;

/** Decides whether a tool accepts a value, and knows its schema. */
export interface ToolValidator {
  validate(value: unknown): MaybePromise<Validation>;
  /** A fast path for validators that return the value unchanged; if it returns false or throws, call `validate`. */
  readonly accepts?: ((value: unknown) => boolean) | undefined;
  /** The tool's JSON Schema, compiled on first use. */
  schema(): CompiledSchema | undefined;
}

type OnFault = (stage: string, thrown: unknown) => void;

/** Creates a tool's validator: its own if it has one, else its JSON Schema. */
export function createToolValidator(
  tool: ToolDefinition,
  cache: SchemaCache,
  onFault: OnFault = () => undefined,
): ToolValidator {
  checkDefinition(tool);
  const { validator, inputSchema } = tool;
  if (validator) {
    const schema = (): CompiledSchema | undefined => {
      const described = jsonSchemaOf(validator) ?? inputSchema;
      return described === undefined ? undefined : cache.get(described);
    };
    const onThrow = (thrown: unknown): void => onFault("validator", thrown);
    return { schema, validate: (value) => validateStandard(validator, value, schema, onThrow) };
  }
  if (inputSchema === undefined) return { schema: () => undefined, validate: accept };
  const compiled = cache.get(inputSchema);
  return validateBySchema(compiled, onFault);
}

function accept(value: unknown): Validation {
  return { ok: true, output: value };
}

function validateBySchema(compiled: CompiledSchema, onFault: OnFault): ToolValidator {
  let reported = 0;
  return {
    schema: () => compiled,
    accepts:
      compiled.validate ??
      ((value) => compiled.accepts(value) && compiled.warnings.size === reported),
    validate(value) {
      const validation = validationOf(compiled, value);
      // Some warnings appear only with values that a pattern is too slow for.
      if (compiled.warnings.size !== reported) {
        reported = compiled.warnings.size;
        for (const warning of compiled.warnings) onFault(`schema: ${warning}`, new Error(warning));
      }
      return validation;
    },
  };
}

function validationOf(compiled: CompiledSchema, value: unknown): Validation {
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
