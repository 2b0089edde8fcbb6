import type { Finding } from "../fault.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";
import type { SchemaCache } from "../schema/schema-cache.ts";
import { jsonSchemaOf } from "../standard/json-schema-of.ts";
import { judgeStandard, type StandardVerdict } from "../standard/judge-standard.ts";
import { checkDefinition, type ToolDefinition } from "../tool-definition.ts";

/** What a tool's judge says of a value: the judge's own value, or what is wrong. */
export type Verdict = StandardVerdict;

/** The one who decides whether a tool accepts a value, and what else is known of its schema. */
export interface Judge {
  judge(value: unknown): MaybePromise<Verdict>;
  /** A quick yes of a judge that gives the value back as it is; ask `judge` wherever it says no or throws. */
  readonly accepts?: ((value: unknown) => boolean) | undefined;
  /** The JSON Schema behind it, compiled when first asked for. */
  schema(): CompiledSchema | undefined;
}

type OnFault = (stage: string, thrown: unknown) => void;

/** The judge of a tool: its own validator where it has one, else its JSON Schema. */
export function createJudge(
  tool: ToolDefinition,
  cache: SchemaCache,
  onFault: OnFault = () => undefined,
): Judge {
  checkDefinition(tool);
  const { validator, inputSchema } = tool;
  if (validator) {
    const schema = (): CompiledSchema | undefined => {
      const described = inputSchema ?? jsonSchemaOf(validator);
      return described === undefined ? undefined : cache.get(described);
    };
    const onThrow = (thrown: unknown): void => onFault("validator", thrown);
    return { schema, judge: (value) => judgeStandard(validator, value, schema, onThrow) };
  }
  if (inputSchema === undefined) return { schema: () => undefined, judge: accept };
  const compiled = cache.get(inputSchema);
  return judgeBySchema(compiled, onFault);
}

function accept(value: unknown): Verdict {
  return { ok: true, output: value };
}

function judgeBySchema(compiled: CompiledSchema, onFault: OnFault): Judge {
  let reported = 0;
  return {
    schema: () => compiled,
    accepts:
      compiled.validate ??
      ((value) => compiled.accepts(value) && compiled.warnings.size === reported),
    judge(value) {
      const verdict = verdictOf(compiled, value);
      // Some warnings come up only with the values that a pattern is too slow for.
      if (compiled.warnings.size !== reported) {
        reported = compiled.warnings.size;
        for (const warning of compiled.warnings) onFault(`schema: ${warning}`, new Error(warning));
      }
      return verdict;
    },
  };
}

function verdictOf(compiled: CompiledSchema, value: unknown): Verdict {
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
    message: "Arguments are nested too deeply",
    expected: "fewer levels of nesting",
  };
}
