import { ToolContractError } from "@toolcontract/explain";
import {
  type FinishReason,
  type ParseOptions,
  type CompiledSchema,
  type SchemaCache,
  type Sanitizer,
  jsonSchemaOf,
  ACCEPT_ALL,
  type OnFault,
  type Validator,
  isRecord,
  schemaValidator,
  standardValidator,
} from "@toolcontract/explain/adapter";
import type { Reporter } from "../observe/index.ts";
import type { CallOptions } from "./options.ts";
import {
  type ExecutionStage,
  type Rule,
  type StageReports,
  type ToolDefinition,
  checkDefinition,
} from "../shared/index.ts";
import { watchCallback } from "./watch-callback.ts";

/** Everything needed to check calls of one tool, computed once per tool. */
export interface ToolPlan {
  /** The tool's name. */
  readonly tool: string;
  /** The tool as the host defines it. */
  readonly definition: ToolDefinition;
  readonly validator: Validator;
  /** The tool's own rules, then those of the contract's options. */
  readonly rules: readonly Rule<never>[];
  /** The contract's stage around execution, which may refuse valid arguments. */
  readonly stage?: ExecutionStage | undefined;
  /** What the stage reports with. */
  readonly reports: StageReports;
  /** The validator's fast path, if there are no rules and no extra strictness. */
  readonly accepts: Validator["accepts"];
  /** The fields that its JSON Schema declares at the root; undefined if there are none, or it has a validator of its own. */
  readonly declared: object | undefined;
  readonly parsing: ParseOptions;
  readonly options: CallOptions;
  readonly sanitizer: Sanitizer;
  /** Reports a fault of core's own; the call continues. */
  readonly onFault: OnFault;
  /** Says once that a call without arguments did not run, because its finish reason is in no list. */
  readonly onDoubt: (finishReason: FinishReason) => void;
  /** Starts to measure a check and returns the function that ends it; undefined without telemetry. */
  readonly time: (() => () => void) | undefined;
}

const SHORT = { maxLength: 64 } as const;

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
  reporter: Reporter,
  reports: StageReports,
  schemas: ToolSchemas,
): ToolPlans {
  const plans = new WeakMap<ToolDefinition, ToolPlan>();
  const time = checkTimer(reporter);
  const onDoubt: ToolPlan["onDoubt"] = (reason) => {
    const finishReason = typeof reason === "string" ? sanitizer.text(reason, SHORT) : null;
    reporter.once({ kind: "doubted", finishReason });
  };

  function plan(tool: ToolDefinition): ToolPlan {
    checkDefinition(tool);
    const { name } = tool;
    const onFault: OnFault = (stage, thrown, places) => reporter.fault(stage, thrown, name, places);
    const validator = createToolValidator(tool, schemas, options.overBudget, onFault);
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
    if (validator === ACCEPT_ALL && rules.length === 0)
      reporter.once({ kind: "unjudged", toolName: name });
    const stage = options.guardrails;
    const isPlain =
      rules.length === 0 && options.unknownFields === "schema" && stage?.check === undefined;
    const { repairJson, closeDangling } = options;
    const parsing = { repairJson, closeDangling };
    return {
      tool: name,
      definition: tool,
      validator,
      rules,
      stage,
      reports,
      accepts: isPlain ? validator.accepts : undefined,
      declared: tool.validator ? undefined : declaredBy(tool.inputSchema),
      parsing,
      options: { ...options, redact },
      sanitizer,
      onFault,
      onDoubt,
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

function declaredBy(schema: unknown): object | undefined {
  const { properties } = isRecord(schema) ? schema : {};
  return isRecord(properties) ? properties : undefined;
}

function checkTimer({ isTimed, report }: Reporter): ToolPlan["time"] {
  if (!isTimed) return undefined;
  return () => {
    const startedAt = performance.now();
    return () => report({ kind: "checked", seconds: (performance.now() - startedAt) / 1000 });
  };
}

/** Creates a tool's validator: its own if it has one, else its JSON Schema. */
function createToolValidator(
  tool: ToolDefinition,
  { cache, validate }: ToolSchemas,
  overBudget: CallOptions["overBudget"],
  onFault: OnFault,
): Validator {
  checkDefinition(tool);
  const { validator, inputSchema } = tool;
  if (validator) {
    const schema = (): CompiledSchema | undefined => {
      const described = jsonSchemaOf(validator) ?? inputSchema;
      return described === undefined ? undefined : cache.get(described);
    };
    return standardValidator(validator, schema, onFault);
  }
  if (inputSchema === undefined) return ACCEPT_ALL;
  if (!validate) {
    throw new ToolContractError(
      `tool '${tool.name}' has an \`inputSchema\` and no \`validator\`: createContract() of @toolcontract/core/standard validates only with validators, such as a zod schema. Give the tool one, or use createContract() of @toolcontract/core.`,
    );
  }
  return schemaValidator(cache.get(inputSchema), onFault, overBudget);
}
