import { celEnv, parse, plan } from "@bufbuild/cel";
import { ToolContractError } from "@toolcontract/core";
import { describe, expect, test } from "vitest";

import type { GuardrailContext, Verdict } from "../../shared/index.ts";
import { contextOf } from "../../testing/index.ts";
import { PolicyEvaluationError } from "../policy-evaluation-error.ts";
import { celGuardrail } from "./cel-guardrail.ts";
import type { CelGuardrailOptions } from "./cel-guardrail.ts";
import type { CelEvaluator } from "./cel-evaluator.ts";

const bufbuild: CelEvaluator = {
  compile(expression) {
    const run = plan(celEnv(), parse(expression));
    return (variables) => run(variables as Parameters<typeof run>[0]);
  },
};

/** An evaluator that can compile nothing. */
const failing = (words: string): CelEvaluator => ({
  compile() {
    throw new Error(words);
  },
});

const EVALUATORS: readonly (readonly [string, Pick<CelGuardrailOptions, "evaluator">])[] = [
  ["@marcbachmann/cel-js", {}],
  ["@bufbuild/cel", { evaluator: bufbuild }],
];

function judge(
  options: Partial<CelGuardrailOptions>,
  args: unknown,
  fields?: Partial<GuardrailContext>,
): Verdict {
  const all = { name: "stock", message: "order exceeds stock", ...options } as CelGuardrailOptions;
  return celGuardrail(all).check(contextOf(args, fields)) as Verdict;
}

describe.each(EVALUATORS)("with %s", (_, evaluator) => {
  const violation = { message: "order exceeds stock" };
  test.each<readonly [string, object, unknown, Partial<GuardrailContext>, boolean]>([
    ["allow, true", { allow: "args.qty <= 5.0" }, { qty: 5 }, {}, true],
    ["allow, false", { allow: "args.qty <= 5.0" }, { qty: 6 }, {}, false],
    ["deny, true", { deny: "args.sku.startsWith('X')" }, { sku: "X1" }, {}, false],
    ["deny, false", { deny: "args.sku.startsWith('X')" }, { sku: "A1" }, {}, true],
    ["a list", { deny: "args.skus.exists(s, s == 'X')" }, { skus: ["A", "X"] }, {}, false],
    ["a field that is absent", { allow: "!has(args.note)" }, {}, {}, true],
    [
      "the state",
      { allow: "args.qty <= state.stock['A1']" },
      { qty: 3 },
      { state: { stock: { A1: 2 } } },
      false,
    ],
    ["the result", { deny: "result.total > 100.0" }, {}, { result: { total: 101 } }, false],
    ["no result yet", { allow: "result == null" }, {}, {}, true],
    ["the tool", { allow: "tool == 'refund'" }, {}, {}, true],
    ["the attempt", { allow: "attempt < 3" }, {}, { attempt: 3 }, false],
  ])("%s", (_name, options, args, fields, allowed) => {
    expect(judge({ ...options, ...evaluator }, args, fields)).toEqual(allowed ? null : violation);
  });

  test.each<readonly [string, string, unknown]>([
    ["a field that is absent", "args.qty > 1.0", {}],
    ["a value of another type", "args.qty > 1.0", { qty: "many" }],
    ["no condition", "args.qty", { qty: 1 }],
  ])("an expression that fails, fails closed: %s", (_name, expression, args) => {
    for (const side of ["allow", "deny"]) {
      expect(() => judge({ [side]: expression, ...evaluator }, args)).toThrow(Error);
    }
  });

  test.each([
    ["args.state == 'open'", { state: "open" }],
    ["args.list.exists(state, state == 'a')", { list: ["a"] }],
    ["tool == 'state' || attempt == 1", {}],
  ])("the state is read only by an expression that names it: %s", (allow, args) => {
    const guardrail = celGuardrail({ name: "n", message: "m", allow, ...evaluator });
    const context = Object.defineProperty(contextOf(args), "state", {
      get: () => expect.unreachable(),
    });
    expect(guardrail.check(context)).toBeNull();
  });

  test("a syntax error is a mistake of the program", () => {
    const create = () => judge({ allow: "args.qty <= \n ] 5", ...evaluator }, {});
    expect(create).toThrow(ToolContractError);
    expect(create).toThrow(/celGuardrail 'stock': the expression is not valid: .*\d+\D+\d+/);
  });
});

test.each([
  ["args.qty * 2 + 1 == 7", true],
  ["args.qty + 1 == 5", false],
  ["7 % args.qty == 1 && args.qty % 2 == 1 && args.qty % args.two == 1", true],
  ["args.qty - args.two == 1 && args.qty * 2 == 6 && 2 * args.qty == 6", true],
  ["args.qty / 2 == 1.5 && 9 - args.qty == 6 && 1 + args.qty == 4", true],
  ["args.qty - 1 < 2.5 && 6 / args.qty == 2", true],
  ["args.qty + 1 in [4]", true],
  ["size(args.skus) + args.qty > 4", false],
])("numbers of JSON and integers of CEL can be combined: %s", (allow, allowed) => {
  expect(judge({ allow }, { qty: 3, two: 2, skus: ["A1"] }) === null).toBe(allowed);
});

test("the violation carries the words, the class and the reason", () => {
  const words = { hint: "lower qty", fieldPath: "/qty" };
  expect(judge({ allow: "false", ...words }, {})).toEqual({
    message: "order exceeds stock",
    ...words,
  });
  const terminal = { class: "terminal_guardrail", reason: "missing_credentials" } as const;
  expect(judge({ deny: "true", ...terminal }, {})).toEqual({
    message: "order exceeds stock",
    ...terminal,
  });
});

test("the guardrail has the name, tools and stage that were given", () => {
  const options = {
    name: "n",
    message: "m",
    allow: "true",
    stage: "commit",
    tools: ["t"],
  } as const;
  expect(celGuardrail(options)).toEqual({
    name: "n",
    tools: ["t"],
    stage: "commit",
    check: expect.any(Function) as unknown,
  });
});

test("no boolean is said to be one", () => {
  const answer = (): Verdict => judge({ allow: "args.qty" }, { qty: 1 });
  expect(answer).toThrow(PolicyEvaluationError);
  expect(answer).toThrow("The expression of guardrail 'stock' gave no boolean.");
});

test.each<readonly [string, object, RegExp]>([
  ["no name", { name: "", allow: "true" }, /celGuardrail: option 'name' must be a name/],
  ["no expression", {}, /celGuardrail 'stock': pass an expression as 'allow' or as 'deny'/],
  ["two expressions", { allow: "true", deny: "false" }, /one of them/],
  ["no message", { allow: "true", message: " " }, /option 'message' must be a sentence/],
  ["an unknown variable", { allow: "arg.qty > 1" }, /line 1, column 1: Unknown variable: arg\./],
  ["a number", { allow: "1 + 1" }, /it gives a value of type int and not a condition\./],
  [
    "types that do not fit",
    { allow: "tool > 1" },
    /line 1, column 1: no such overload: string > int/,
  ],
  [
    "a number in place of an expression",
    { allow: 5 },
    /option 'allow' must be an expression in CEL/,
  ],
  [
    "an invalid evaluator",
    { allow: "true", evaluator: {} },
    /option 'evaluator' must be an object with a function compile\(expression\)/,
  ],
  [
    "an evaluator that fails without words",
    { allow: "true", evaluator: failing("") },
    /the expression is not valid: it cannot be compiled\./,
  ],
  [
    "an evaluator that fails in two lines",
    { allow: "true", evaluator: failing("no such function\nat line 1") },
    /the expression is not valid: no such function\.$/,
  ],
  ["an end too early", { allow: "args.qty >\n  1 &&" }, /line 2, column 7: Unexpected token: EOF/],
])("a mistake of the program: %s", (_, options, message) => {
  const create = () => judge(options, {});
  expect(create).toThrow(ToolContractError);
  expect(create).toThrow(message);
});
