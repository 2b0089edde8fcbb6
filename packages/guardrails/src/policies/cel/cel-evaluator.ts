import { Environment, ParseError, TypeError as CelTypeError } from "@marcbachmann/cel-js";

import type { PolicyProblem } from "../policy-syntax-error.ts";
import { positionOf } from "../position.ts";

/** A compiled expression. */
export type CelProgram = (variables: Readonly<Record<string, unknown>>) => unknown;

/** Compiles expressions; the default one is `@marcbachmann/cel-js`. */
export interface CelEvaluator {
  /**
   * Compiles an expression.
   *
   * @throws An error that says what is wrong with it, and where.
   */
  compile(expression: string): CelProgram;
}

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};

/** The evaluator of `@marcbachmann/cel-js`, with the variables that a guardrail has. */
export const celJs: CelEvaluator = {
  compile(expression) {
    const program = celEnvironment().parse(expression);
    const { valid, type, error } = program.check();
    if (!valid && error !== undefined) throw error;
    if (type !== undefined && type !== "bool" && type !== "dyn") {
      throw new Error(`it gives a value of type ${type} and not a condition`);
    }
    return (variables) => program(variables) as unknown;
  },
};

function celEnvironment(): Environment {
  const built = new Environment({ unlistedVariablesAreDyn: false });
  for (const name of ["args", "state", "result"]) built.registerVariable(name, "dyn");
  built.registerVariable("tool", "string");
  built.registerVariable("attempt", "int");
  // JSON has one kind of number, which CEL calls double; `args.qty + 1` would fail on the integer.
  for (const [operator, apply] of Object.entries(OPERATORS)) {
    const run = (a: unknown, b: unknown): number => apply(Number(a), Number(b));
    built.registerOperator(`double ${operator} int: double`, run);
    built.registerOperator(`int ${operator} double: double`, run);
  }
  return built.registerOperator("double % double: double", (a, b) => Number(a) % Number(b));
}

/** What is wrong with an expression, and where. */
export function celProblem(expression: string, error: unknown): PolicyProblem {
  const part = "expression";
  if (error instanceof ParseError || error instanceof CelTypeError) {
    const { range, summary: problem } = error;
    if (range === undefined) return { part, problem };
    return { part, problem, at: positionOf(expression, range.start) };
  }
  const [line = ""] = error instanceof Error ? error.message.split("\n", 1) : [];
  return { part, problem: line || "it cannot be compiled" };
}
