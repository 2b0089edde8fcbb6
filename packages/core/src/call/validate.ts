import {
  type Finding,
  type MaybePromise,
  type ToolDefinition,
  checkDefinition,
} from "../shared/index.ts";
import type { CompiledSchema, SchemaCache } from "../schema/index.ts";
import { type StandardValidation, jsonSchemaOf, validateStandard } from "../standard/index.ts";

/** What a tool's judge says of a value: the judge's own value, or what is wrong. */
export type Validation = StandardValidation;

/** The one who decides whether a tool accepts a value, and what else is known of its schema. */
export interface ToolValidator {
  judge(value: unknown): MaybePromise<Validation>;
  /** A quick yes of a judge that gives the value back as it is; ask `judge` wherever it says no or throws. */
  readonly accepts?: ((value: unknown) => boolean) | undefined;
  /** The JSON Schema behind it, compiled when first asked for. */
  schema(): CompiledSchema | undefined;
}

type OnFault = (stage: string, thrown: unknown) => void;

/** The judge of a tool: its own validator where it has one, else its JSON Schema. */
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
    return { schema, judge: (value) => validateStandard(validator, value, schema, onThrow) };
  }
  if (inputSchema === undefined) return { schema: () => undefined, judge: accept };
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
    judge(value) {
      const verdict = validationOf(compiled, value);
      // Some warnings come up only with the values that a pattern is too slow for.
      if (compiled.warnings.size !== reported) {
        reported = compiled.warnings.size;
        for (const warning of compiled.warnings) onFault(`schema: ${warning}`, new Error(warning));
      }
      return verdict;
    },
  };
}

function validationOf(compiled: CompiledSchema, value: unknown): Validation {
  try {
    return compiled.accepts(value) ? accept(value) : { ok: false, ...compiled.explain(value) };
  } catch (error) {
    // A value nested so deep that judging it overflows the stack is the model's fault; with a flat one it is the schema's.
    const isEndless = error instanceof RangeError || isBudgetSpent(error);
    if (!isEndless || !isNested(value)) throw error;
    return { ok: false, findings: [tooDeep()], atLeast: false };
  }
}

const FLAT = 50;

/** Tells whether a value has more levels than any that is meant to be judged with ease. */
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
