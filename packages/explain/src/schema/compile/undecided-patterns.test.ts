import { engineOf } from "../../testing/engine.ts";
import type { JsonSchema } from "../../shared/index.ts";
import { compileSchema } from "./compile-schema.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { describe, expect, test } from "vitest";

// An atomic group of PCRE: no runtime of JavaScript reads it.
const UNREADABLE = "(?>a)b";
// Backtracks for years on a long string.
const SLOW = "^(a+)+$";
const LONG = `${"a".repeat(50_000)}!`;

interface Row {
  readonly name: string;
  readonly schema: (pattern: string) => object;
  /** Nothing but the pattern could refuse these; `TEXT` is a string on which the pattern cannot decide. */
  readonly accepts: (text: string) => readonly unknown[];
  /** What the rest of the schema refuses. */
  readonly refuses: (text: string) => readonly unknown[];
}

const BOTH = [
  ["compiled", false],
  ["interpreted", true],
] as const;

/** A schema of a field `q` beside a field that must stay enforced. */
function beside(q: unknown, more: object = {}): object {
  return { type: "object", properties: { q, n: { type: "integer" } }, ...more };
}

const field = (name: string, q: (pattern: string) => unknown, bad: unknown = 5): Row => ({
  name,
  schema: (pattern) => beside(q(pattern)),
  accepts: (text) => [{ q: text, n: 1 }, { n: 1 }],
  refuses: (text) => [{ q: text, n: "x" }, ...(bad === undefined ? [] : [{ q: bad }])],
});

const POSITIONS: readonly Row[] = [
  field("pattern", (pattern) => ({ type: "string", pattern })),
  field("allOf", (pattern) => ({ allOf: [{ type: "string" }, { pattern }] })),
  field("anyOf", (pattern) => ({ type: "string", anyOf: [{ enum: ["x"] }, { pattern }] })),
  field("oneOf", (pattern) => ({ type: "string", oneOf: [{ pattern }, { minLength: 1 }] })),
  field("oneOf of two patterns", (pattern) => ({
    type: "string",
    oneOf: [{ pattern }, { pattern: `${pattern}|c` }],
  })),
  field("not", (pattern) => ({ type: "string", not: { pattern } })),
  field("not, deeper", (pattern) => ({
    type: "string",
    not: { allOf: [{ type: "string" }, { anyOf: [{ pattern }] }] },
  })),
  field("not of not", (pattern) => ({ type: "string", not: { not: { pattern } } })),
  field("if", (pattern) => ({ type: "string", if: { pattern }, then: { enum: ["x"] } })),
  field("then", (pattern) => ({ type: "string", if: { minLength: 1 }, then: { pattern } })),
  field("else", (pattern) => ({ type: "string", if: { maxLength: 0 }, else: { pattern } })),
  {
    name: "not, through a reference",
    schema: (pattern) =>
      beside({ type: "string", not: { $ref: "#/$defs/a" } }, { $defs: { a: { pattern } } }),
    accepts: (text) => [{ q: text }],
    refuses: (text) => [{ q: text, n: "x" }, { q: 5 }],
  },
  {
    name: "items",
    schema: (pattern) => beside({ type: "array", items: { type: "string", pattern } }),
    accepts: (text) => [{ q: [text, text] }],
    refuses: (text) => [{ q: [text, 5] }, { q: text }],
  },
  {
    name: "prefixItems",
    schema: (pattern) => beside({ prefixItems: [{ pattern }, { type: "integer" }] }),
    accepts: (text) => [{ q: [text, 1] }],
    refuses: (text) => [{ q: [text, "x"] }],
  },
  {
    name: "contains",
    schema: (pattern) => beside({ type: "array", contains: { pattern } }),
    accepts: (text) => [{ q: [text] }],
    refuses: (text) => [{ q: [] }, { q: [text], n: "x" }],
  },
  {
    name: "contains with maxContains",
    schema: (pattern) => beside({ type: "array", contains: { pattern }, maxContains: 1 }),
    accepts: (text) => [{ q: [text, text] }],
    refuses: (text) => [{ q: text }, { q: [text], n: "x" }],
  },
  {
    name: "a key of patternProperties",
    schema: (pattern) => ({
      type: "object",
      properties: { n: { type: "integer" } },
      patternProperties: { [pattern]: { type: "boolean" }, "^k": { type: "string" } },
    }),
    accepts: (text) => [
      { n: 1, other: "x" },
      { [text]: 1, k: "x" },
    ],
    refuses: (text) => [{ n: "x" }, { [text]: 1, k: 5 }],
  },
  {
    name: "a key of patternProperties in a closed object",
    schema: (pattern) => ({
      type: "object",
      properties: { n: { type: "integer" } },
      patternProperties: { [pattern]: { type: "boolean" } },
      additionalProperties: false,
    }),
    accepts: (text) => [{ [text]: 1, n: 1 }],
    refuses: (text) => [{ [text]: 1, n: "x" }],
  },
  {
    name: "a key of patternProperties beside unevaluatedProperties",
    schema: (pattern) => ({
      type: "object",
      properties: { n: { type: "integer" } },
      patternProperties: { [pattern]: { type: "boolean" } },
      unevaluatedProperties: { type: "boolean" },
    }),
    accepts: (text) => [{ [text]: 1, n: 1 }],
    refuses: (text) => [{ [text]: 1, n: "x" }],
  },
  {
    name: "a key of patternProperties under not",
    schema: (pattern) =>
      beside({ type: "object", not: { patternProperties: { [pattern]: { type: "string" } } } }),
    accepts: (text) => [{ q: { [text]: "x" } }, { q: { [text]: 5 } }],
    refuses: (text) => [{ q: { [text]: 5 }, n: "x" }, { q: 5 }],
  },
  {
    name: "propertyNames",
    schema: (pattern) => beside({ type: "object", propertyNames: { pattern } }),
    accepts: (text) => [{ q: { [text]: 5 } }],
    refuses: (text) => [{ q: { [text]: 5 }, n: "x" }, { q: 5 }],
  },
  {
    name: "propertyNames under not",
    schema: (pattern) => beside({ type: "object", propertyNames: { not: { pattern } } }),
    accepts: (text) => [{ q: { [text]: 5 } }],
    refuses: (text) => [{ q: { [text]: 5 }, n: "x" }, { q: 5 }],
  },
  {
    name: "additionalProperties",
    schema: (pattern) => ({
      type: "object",
      properties: { n: { type: "integer" } },
      additionalProperties: { type: "string", not: { pattern } },
    }),
    accepts: (text) => [{ q: text }],
    refuses: (text) => [{ q: text, n: "x" }, { q: 5 }],
  },
  {
    name: "dependentSchemas",
    schema: (pattern) =>
      beside(
        { type: "string" },
        { dependentSchemas: { n: { properties: { q: { not: { pattern } } } } } },
      ),
    accepts: (text) => [{ q: text, n: 1 }],
    refuses: (text) => [{ q: text, n: "x" }, { q: 5 }],
  },
  {
    name: "dependencies of draft-07",
    schema: (pattern) => ({
      $schema: "http://json-schema.org/draft-07/schema#",
      ...beside({ type: "string" }),
      dependencies: { n: { properties: { q: { not: { pattern } } } } },
    }),
    accepts: (text) => [{ q: text, n: 1 }],
    refuses: (text) => [{ q: text, n: "x" }, { q: 5 }],
  },
  {
    name: "nothing else to enforce",
    schema: (pattern) => ({ properties: { q: { not: { pattern } } } }),
    accepts: (text) => [{ q: text }],
    refuses: () => [],
  },
];

function compile(schema: object, interpreter: boolean): CompiledSchema {
  return compileSchema(schema as JsonSchema, JSON.stringify(schema), engineOf(interpreter));
}

describe.each(BOTH)("a pattern that cannot decide refuses nothing, %s", (_, interpreter) => {
  describe.each([
    ["unreadable", UNREADABLE, "text", ["pattern-not-compiled"]],
    ["too slow", SLOW, LONG, []],
  ] as const)("%s", (__, pattern, text, warnings) => {
    test.each(POSITIONS)("$name", ({ schema, accepts, refuses }) => {
      const compiled = compile(schema(pattern), interpreter);
      const bad = refuses(text);
      expect(accepts(text).filter((value) => !compiled.accepts(value))).toEqual([]);
      expect(bad.filter((value) => compiled.accepts(value))).toEqual([]);
      expect([...compiled.warnings]).toEqual(warnings);
      // Nothing is reported at the place of the pattern.
      const shown = bad.flatMap((value) => compiled.explain(value).findings);
      expect(shown.length).toBeGreaterThanOrEqual(bad.length);
      const codes = new Set(shown.map(({ code }) => code));
      expect([...codes].filter((code) => !["VAL-002", "VAL-006"].includes(code))).toEqual([]);
    });
  });
});

describe.each(BOTH)("what can be validated is, %s", (_, interpreter) => {
  test("a pattern that was too slow is named once for each time it is asked", () => {
    const compiled = compile(beside({ pattern: SLOW }), interpreter);
    const named = [LONG, "aaa", LONG].map((q) => {
      compiled.accepts({ q });
      return compiled.takeSlowPatterns?.();
    });
    const place = ["/properties/q/pattern"];
    expect(named).toEqual([place, undefined, place]);
    expect(compiled.takeSlowPatterns?.()).toBeUndefined();
  });

  test("a slow pattern validates short strings, before and after a long one", () => {
    const compiled = compile(beside({ type: "string", not: { pattern: SLOW } }), interpreter);
    const verdicts = ["aaa", LONG, "aaa", "b"].map((q) => compiled.accepts({ q }));
    expect(verdicts).toEqual([false, true, false, true]);
  });

  test("a pattern that is not asked leaves its `not` as it is", () => {
    const compiled = compile(beside({ not: { pattern: UNREADABLE } }), interpreter);
    expect([5, "text"].map((q) => compiled.accepts({ q }))).toEqual([false, true]);
  });

  test("a readable pattern beside an unreadable one is enforced", () => {
    const q = { allOf: [{ not: { pattern: UNREADABLE } }, { not: { pattern: "^x" } }] };
    const compiled = compile(beside(q), interpreter);
    expect(["xy", "y"].map((value) => compiled.accepts({ q: value }))).toEqual([false, true]);
  });

  test("an engine that fails on a string refuses nothing", () => {
    const schema = beside({ not: { pattern: "^a" } }) as JsonSchema;
    const failing = (): never => {
      throw new RangeError("out of memory");
    };
    const patternEngine = (): { test: () => never } => ({ test: failing });
    const compiled = compileSchema(schema, JSON.stringify(schema), {
      ...engineOf(interpreter),
      patternEngine,
    });
    const verdicts = [{ q: "a" }, { q: "a", n: "x" }].map((value) => compiled.accepts(value));
    expect(verdicts).toEqual([true, false]);
  });

  test("the places of unreadable patterns are reported, before any value", () => {
    const q = { patternProperties: { [UNREADABLE]: { not: { pattern: "a/(?<b" } }, "^k": {} } };
    expect(compile(beside(q), interpreter).places).toEqual({
      "pattern-not-compiled": [
        `/properties/q/patternProperties/${UNREADABLE}`,
        `/properties/q/patternProperties/${UNREADABLE}/not/pattern`,
      ],
    });
  });

  test("a place of secrets stays one, and all other names may be one", () => {
    const q = { patternProperties: { [UNREADABLE]: { writeOnly: true } } };
    const compiled = compile(beside(q), interpreter);
    expect(compiled.sensitivePlaces?.inside("q")?.inside("anything")?.hidden).toBe(true);
  });
});
