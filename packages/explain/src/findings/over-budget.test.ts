import { describe, expect, test } from "vitest";
import { engineOf } from "../testing/engine.ts";
import { nest, object } from "../testing/webs.ts";
import { createCompilingCache } from "../schema/index.ts";
import type { JsonSchema } from "../shared/index.ts";
import { type Validator, schemaValidator, withUnknownFields } from "./index.ts";

const TOO_MUCH = { code: "VAL-016", path: [], reason: { kind: "too-much-to-check" } };
const TOO_DEEP = { code: "VAL-003", path: [], reason: { kind: "too-deep" } };

/** A list whose items fit the last of many variants. */
const VARIANTS = object({
  rows: {
    type: "array",
    items: {
      anyOf: [...Array.from({ length: 400 }, () => ({ type: "string" })), { type: "object" }],
    },
  },
});
const rowsOf = (count: number): { rows: readonly object[] } => ({
  rows: Array.from({ length: count }, () => ({})),
});
const MANY = rowsOf(4_000);

const SLOW = object({ tag: { type: "string", pattern: "^(a+)+$" }, n: { type: "integer" } });
const LONG = "a".repeat(50_000);

function validatorOf(
  schema: JsonSchema,
  overBudget?: "refuse" | "accept",
  interpreter = false,
): { readonly validator: Validator; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const compiled = createCompilingCache(engineOf(interpreter)).get(schema);
  return {
    validator: schemaValidator(compiled, (stage) => faults.push(stage), overBudget),
    faults,
  };
}

describe("a value that costs too much to check", () => {
  test("is refused, each time, and that is not a fault of ours", () => {
    const { validator, faults } = validatorOf(VARIANTS);
    for (let times = 0; times < 2; times += 1)
      expect(validator.validate(MANY, false)).toEqual({
        ok: false,
        findings: [{ ...TOO_MUCH, hint: { kind: "send-less", of: "parts" } }],
        atLeast: false,
      });
    expect(faults).toEqual([]);
  });

  test("is judged if it is smaller", () => {
    const { validator } = validatorOf(VARIANTS);
    expect(validator.validate(rowsOf(1_000), false)).toMatchObject({ ok: true });
    expect(validator.validate({ rows: [1, ...rowsOf(100).rows] }, false)).toMatchObject({
      findings: [{ code: "VAL-002", path: ["rows", 0] }],
    });
  });

  test("throws if the host wants it accepted: that is reported as a fault", () => {
    const { validator } = validatorOf(VARIANTS, "accept");
    expect(() => validator.validate(MANY, false)).toThrow("too many steps");
  });
});

describe.each([false, true])("a string too long for its pattern, interpreter %s", (interpreter) => {
  test("is refused, if nothing else refuses the value", () => {
    const { validator, faults } = validatorOf(SLOW, "refuse", interpreter);
    expect(validator.validate({ tag: LONG }, false)).toMatchObject({
      ok: false,
      findings: [{ ...TOO_MUCH, hint: { kind: "send-less", of: "string" } }],
    });
    expect(validator.validate({ tag: LONG, n: "x" }, false)).toMatchObject({
      ok: false,
      findings: [{ code: "VAL-002", path: ["n"] }],
    });
    expect(validator.validate({ tag: "aaa" }, false)).toMatchObject({ ok: true });
    expect(faults).toEqual([]);
  });

  test("is accepted if the host wants that, and reported", () => {
    const { validator, faults } = validatorOf(SLOW, "accept", interpreter);
    expect(validator.validate({ tag: LONG }, false)).toMatchObject({ ok: true });
    expect(faults).toEqual(["schema: pattern-too-slow"]);
  });
});

describe("what fails without a size or a depth to blame", () => {
  test("a pattern engine that throws refuses nothing", () => {
    const faults: string[] = [];
    const failing = (): never => {
      throw new Error("no engine");
    };
    const patternEngine = () => ({ test: failing });
    const compiled = createCompilingCache({ patternEngine }).get(SLOW);
    const validator = schemaValidator(compiled, (stage) => faults.push(stage));
    expect(validator.validate({ tag: "b" }, false)).toMatchObject({ ok: true });
    expect(faults).toEqual(["schema: pattern-not-compiled"]);
  });

  test("an explanation that throws does not make the value valid", () => {
    const faults: string[] = [];
    const compiled = createCompilingCache().get({ type: "object" });
    const explain = (): never => {
      throw new TypeError("a bug");
    };
    const validator = schemaValidator({ ...compiled, explain }, (stage) => faults.push(stage));
    expect(validator.validate(5, false)).toEqual({
      ok: false,
      findings: [{ code: "VAL-003", path: [] }],
      atLeast: true,
    });
    expect(faults).toEqual(["explain"]);
  });
});

describe("unknown fields that are rejected", () => {
  const entry = object({ name: { type: "string" } });
  const list = object({ entries: { type: "array", items: entry } });
  const tree = {
    $defs: { node: object({ next: { $ref: "#/$defs/node" } }) },
    $ref: "#/$defs/node",
  };

  const undeclared = (
    schema: JsonSchema,
    value: unknown,
    overBudget?: "refuse" | "accept",
  ): readonly unknown[] => {
    const { validator } = validatorOf(schema, overBudget);
    const faults: unknown[] = [];
    const found = withUnknownFields([], value, validator, {
      unknownFields: "reject",
      overBudget,
      onFault: (stage) => faults.push(stage),
    });
    return [...found, ...faults];
  };

  test("are found behind 3,000 items, 250 levels and 150 other faults", () => {
    const entries = Array.from({ length: 3_000 }, () => ({ name: "a" }));
    expect(undeclared(list, { entries: [...entries, { name: "a", nam: 1 }] })).toMatchObject([
      { code: "VAL-005", path: ["entries", 3_000, "nam"], severity: "error" },
    ]);
    const deep = nest<object>(250, (next) => ({ next }), { other: 1 });
    expect(undeclared(tree, deep)).toMatchObject([{ code: "VAL-005", severity: "error" }]);
    // A validator may convert what its schema refuses.
    const converted = Array.from({ length: 150 }, () => ({ name: 5 }));
    expect(undeclared(list, { entries: converted, other: 1 })).toMatchObject([
      { code: "VAL-005", path: ["other"] },
    ]);
  });

  test("are not let through because the search for them costs too much, or goes too deep", () => {
    const deep = nest<object>(1_500, (next) => ({ next }), { other: 1 });
    expect(undeclared(VARIANTS, MANY)).toMatchObject([TOO_MUCH]);
    expect(undeclared(tree, deep)).toMatchObject([TOO_MUCH]);
    expect(undeclared(tree, deep, "accept")).toEqual(["unknown fields"]);
  });
});

test("a value that is nested too deeply has its own words", () => {
  const deep = nest<object>(1_500, (next) => ({ next }), {});
  const schema = {
    $defs: { node: object({ next: { $ref: "#/$defs/node" } }, { unevaluatedProperties: false }) },
    $ref: "#/$defs/node",
  };
  const { validator } = validatorOf(schema, "accept");
  expect(validator.validate(deep, false)).toMatchObject({ findings: [TOO_DEEP] });
});
