import type { ParseOptions } from "../arguments/index.ts";
import type { Faults } from "../observe/index.ts";
import type { CallOptions } from "./options.ts";
import type { CompiledSchema, SchemaCache } from "../schema/index.ts";
import type { Sanitizer } from "../sanitize/index.ts";
import {
  type ExecutionStage,
  type Finding,
  type MaybePromise,
  type Rule,
  type StageReports,
  ToolContractError,
  type ToolDefinition,
  checkDefinition,
} from "../shared/index.ts";
import { watchCallback } from "./watch-callback.ts";
import { type StandardValidation, jsonSchemaOf, validateStandard } from "../standard/index.ts";

/** Everything needed to check calls of one tool, computed once per tool. */
export interface ToolPlan {
  /** The tool's name. */
  readonly tool: string;
  readonly validator: ToolValidator;
  /** The tool's own rules, then those of the contract's options. */
  readonly rules: readonly Rule<never>[];
  /** The contract's stage around execution, which may refuse valid arguments. */
  readonly stage?: ExecutionStage | undefined;
  /** What the stage reports with. */
  readonly reports: StageReports;
  /** The validator's fast path, if there are no rules and no extra strictness. */
  readonly accepts: ToolValidator["accepts"];
  readonly parsing: ParseOptions;
  readonly options: CallOptions;
  readonly sanitizer: Sanitizer;
  /** Reports a fault of core's own; the call continues. */
  readonly onFault: OnFault;
  /** Starts to measure a check and returns the function that ends it; undefined without telemetry. */
  readonly time: (() => () => void) | undefined;
}

/** The plans of a contract's tools. */
export interface ToolPlans {
  readonly get: (tool: ToolDefinition) => ToolPlan;
}

/** The JSON Schemas of a contract's tools. */
export interface ToolSchemas {
  readonly cache: SchemaCache;
  /** False if they only describe what a validator accepts: a tool without one is then a mistake. */
  readonly validate: boolean;
}

/** Creates a cache of plans that keeps no tool alive. */
export function createToolPlans(
  options: CallOptions,
  sanitizer: Sanitizer,
  faults: Faults,
  reports: StageReports,
  schemas: ToolSchemas,
  time?: ToolPlan["time"],
): ToolPlans {
  const plans = new WeakMap<ToolDefinition, ToolPlan>();

  function plan(tool: ToolDefinition): ToolPlan {
    checkDefinition(tool);
    const { name } = tool;
    const onFault: OnFault = (stage, thrown, places) => faults.report(stage, thrown, name, places);
    const validator = createToolValidator(tool, schemas, onFault);
    const extra = Object.hasOwn(options.rules, name) ? (options.rules[name] ?? []) : [];
    const rules = [...(tool.rules ?? []), ...extra].map((rule) =>
      watchCallback(rule, (thrown, [, { signal }]) => {
        // A rule that stops because the call was cancelled did not fail.
        if (signal?.aborted !== true) onFault("rule", thrown);
      }),
    );
    const redact = options.redact.map((redactor) =>
      watchCallback(redactor, (thrown) => onFault("redactor", thrown)),
    );
    const stage = options.guardrails;
    const isPlain =
      rules.length === 0 && options.unknownFields === "schema" && stage?.check === undefined;
    const { repairJson, closeDangling } = options;
    const parsing = { repairJson, closeDangling };
    return {
      tool: name,
      validator,
      rules,
      stage,
      reports,
      accepts: isPlain ? validator.accepts : undefined,
      parsing,
      options: { ...options, redact },
      sanitizer,
      onFault,
      time,
    };
  }

  return {
    get(tool) {
      const known = plans.get(tool);
      if (known) return known;
      const made = plan(tool);
      plans.set(tool, made);
      return made;
    },
  };
}

/** The result of validating a value: the validator's output, or what is wrong. */
export type Validation = StandardValidation;

/** Decides whether a tool accepts a value, and knows its schema. */
export interface ToolValidator {
  /** `mayWait` if the caller can wait; if not, only a validator that is certainly asynchronous returns a promise. */
  validate(value: unknown, mayWait: boolean): MaybePromise<Validation>;
  /** A fast path for validators that return the value unchanged; if it returns false or throws, call `validate`. */
  readonly accepts?: ((value: unknown) => boolean) | undefined;
  /** The tool's JSON Schema, compiled on first use. */
  schema(): CompiledSchema | undefined;
}

type OnFault = (stage: string, thrown: unknown, places?: readonly string[]) => void;

/** Creates a tool's validator: its own if it has one, else its JSON Schema. */
export function createToolValidator(
  tool: ToolDefinition,
  { cache, validate }: ToolSchemas,
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
    return {
      schema,
      validate: (value, mayWait) =>
        validateStandard(validator, value, schema, { mayWait, onThrow }),
    };
  }
  if (inputSchema === undefined) return { schema: () => undefined, validate: accept };
  if (!validate) {
    throw new ToolContractError(
      `tool '${tool.name}' has an \`inputSchema\` and no \`validator\`: createContract() of @toolcontract/core/standard validates only with validators, such as a zod schema. Give the tool one, or use createContract() of @toolcontract/core.`,
    );
  }
  const compiled = cache.get(inputSchema);
  return validateBySchema(compiled, onFault);
}

function accept(value: unknown): Validation {
  return { ok: true, output: value };
}

function validateBySchema(compiled: CompiledSchema, onFault: OnFault): ToolValidator {
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
      const validation = validationOf(compiled, value);
      reportWarnings();
      const slow = takeSlowPatterns?.();
      if (slow) onFault("schema: pattern-too-slow", new Error("pattern-too-slow"), slow);
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
