import { ToolContractError } from "@toolcontract/core";
import {
  type OptionRule,
  type OptionTable,
  checkMembers,
  isString,
  oneOf,
} from "@toolcontract/core/adapter";

import {
  GUARDRAIL_ROWS,
  type Guardrail,
  type GuardrailClass,
  type GuardrailContext,
  VIOLATION_ROWS,
  type Violation,
  checkClass,
  withMethods,
} from "../../shared/index.ts";
import { PolicyEvaluationError } from "../policy-evaluation-error.ts";
import { PolicySyntaxError, whereIn } from "../policy-syntax-error.ts";
import { celJs, celProblem } from "./cel-evaluator.ts";
import type { CelEvaluator, CelProgram } from "./cel-evaluator.ts";

/**
 * A guardrail as a condition in CEL.
 *
 * @example
 * ```ts
 * const options: CelGuardrailOptions = {
 *   name: "small",
 *   allow: "args.sum <= 100",
 *   message: "At most 100",
 * };
 * ```
 * @see docs/guardrails-policies.md
 */
export type CelGuardrailOptions = GuardrailClass & {
  /** The guardrail's name. */
  readonly name: string;
  /** True for the calls that are allowed. Either this or `deny`. */
  readonly allow?: string;
  /** True for the calls that are not allowed. */
  readonly deny?: string;
  /** What is wrong with a call that is not allowed, in words for the model. */
  readonly message: string;
  /** What to do instead. */
  readonly hint?: string;
  /** Where in the arguments, as a JSON Pointer such as `/qty`. */
  readonly fieldPath?: string;
  /**
   * The tools that it applies to.
   *
   * @default all of them
   */
  readonly tools?: readonly string[];
  /**
   * `"validate"`: before the tool runs. `"commit"`: after it ran, on the staged state.
   *
   * @default "validate"
   */
  readonly stage?: "validate" | "commit";
  /**
   * Compiles the expression.
   *
   * @default `@marcbachmann/cel-js`
   */
  readonly evaluator?: CelEvaluator;
};

const expressionRow: OptionRule = { ...isString, wants: "an expression in CEL" };

const CEL_OPTIONS: OptionTable<keyof CelGuardrailOptions> = {
  name: GUARDRAIL_ROWS.name,
  allow: expressionRow,
  deny: expressionRow,
  ...VIOLATION_ROWS,
  tools: GUARDRAIL_ROWS.tools,
  stage: oneOf("validate", "commit"),
  evaluator: withMethods("an object with a function compile(expression)", "compile"),
};

/**
 * A guardrail whose check is an expression in CEL, the Common Expression Language, over the variables `args`, `state`,
 * `result`, `tool` and `attempt`. An expression that cannot be evaluated refuses the call and closes the tool.
 *
 * @example
 * ```ts
 * celGuardrail({
 *   name: "stock",
 *   tools: ["add_item"],
 *   allow: "args.qty <= state.stock[args.sku]",
 *   message: "order exceeds stock",
 *   fieldPath: "/qty",
 *   hint: "lower qty",
 * });
 * ```
 * @throws ToolContractError if the expression is not valid; it says where.
 * @see docs/guardrails-policies.md
 */
export function celGuardrail(options: CelGuardrailOptions): Guardrail {
  const { allow, deny, evaluator = celJs, name, stage, tools } = options;
  const where = GUARDRAIL_ROWS.name.fits(name) ? `celGuardrail '${name}'` : "celGuardrail";
  checkMembers(where, options, CEL_OPTIONS);
  checkClass(where, options);
  const given = allow ?? deny;
  if (given === undefined || (allow !== undefined && deny !== undefined)) {
    throw new ToolContractError(
      `${where}: pass an expression as 'allow' or as 'deny', one of them.`,
    );
  }
  const program = compile(name, given, evaluator);
  const violation = violationOf(options);
  return {
    name,
    ...guardrailClass(options),
    ...(tools !== undefined && { tools }),
    ...(stage !== undefined && { stage }),
    check(context) {
      const answer = program(celVariables(context));
      // An evaluator may also return its errors.
      if (typeof answer !== "boolean") {
        throw new PolicyEvaluationError(`The expression of guardrail '${name}' gave no boolean.`);
      }
      return answer === (allow !== undefined) ? null : violation;
    },
  };
}

function compile(name: string, expression: string, evaluator: CelEvaluator): CelProgram {
  try {
    return evaluator.compile(expression);
  } catch (error) {
    const found = celProblem(expression, error);
    const said = [whereIn(found), found.problem].filter((text) => text !== "").join(": ");
    throw new PolicySyntaxError(
      `celGuardrail '${name}': the expression is not valid: ${said}.`,
      found,
    );
  }
}

function celVariables(context: GuardrailContext): Readonly<Record<string, unknown>> {
  const { args, attempt, result, tool } = context;
  return {
    args,
    tool,
    // An integer of CEL.
    attempt: BigInt(attempt),
    result: result ?? null,
    // A guardrail that does not read the state can run before anybody is asked to approve the call.
    get state() {
      return context.state;
    },
  };
}

function violationOf(options: CelGuardrailOptions): Violation {
  const { fieldPath, hint, message } = options;
  return {
    message,
    ...(fieldPath !== undefined && { fieldPath }),
    ...(hint !== undefined && { hint }),
    ...guardrailClass(options),
  };
}

function guardrailClass(options: GuardrailClass): GuardrailClass {
  return options.class === "terminal_guardrail"
    ? { class: options.class, reason: options.reason }
    : {};
}
