import { describe, expect, test } from "vitest";
import { duplicateItems } from "../../shared/index.ts";
import type { SchemaJudge } from "./judge.ts";
import { compileSchema } from "./compile-schema.ts";

/** A schema of so many fields, each of a few words. */
function fields(count: number): Readonly<Record<string, unknown>> {
  const properties = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `field_${index}`,
      { type: "string", enum: [`a${index}`, `b${index}`] },
    ]),
  );
  return { type: "object", properties, required: ["field_0"] };
}

/** Compiles a schema with a judge that counts how often it is asked. */
function counted(schema: Readonly<Record<string, unknown>>, accepts: SchemaJudge["accepts"]) {
  const counts = { compiled: 0, asked: 0 };
  const compiled = compileSchema(schema, JSON.stringify(schema), {
    compileJudge() {
      counts.compiled += 1;
      return {
        accepts(value) {
          counts.asked += 1;
          return accepts(value);
        },
        validate: () => true,
        lastFault: () => undefined,
      };
    },
  });
  return { compiled, counts };
}

const overflow = (): never => {
  throw new RangeError("Maximum call stack size exceeded");
};

describe("a large schema", () => {
  test.each([1_800, 3_000])("of %i fields is walked, never compiled", (count) => {
    const { compiled, counts } = counted(fields(count), overflow);
    expect(compiled.accepts({ field_0: "a0" })).toBe(true);
    expect(compiled.accepts({ field_0: "c0" })).toBe(false);
    expect(compiled.explain({ field_0: "c0", field_1: 7 }).findings).toMatchObject([
      { code: "VAL-008", path: ["field_0"] },
      { code: "VAL-002", path: ["field_1"] },
    ]);
    expect(counts).toEqual({ compiled: 0, asked: 0 });
  });

  test("is compiled if it is of ordinary size", () => {
    const { compiled, counts } = counted(fields(20), () => true);
    compiled.accepts({});
    expect(counts).toEqual({ compiled: 1, asked: 1 });
  });
});

test("of many unknown fields beside many declared ones, the first get hints and all are named", () => {
  const schema = { ...fields(500), required: [], additionalProperties: false };
  const compiled = compileSchema(schema, JSON.stringify(schema), {});
  const sent = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`other${index}`, 1]));
  const { findings } = compiled.explain(sent);
  expect(findings.map(({ code }) => code)).toEqual(Array.from({ length: 90 }, () => "VAL-005"));
  const hinted = findings.filter(({ hint }) => hint !== undefined).length;
  expect(hinted).toBeGreaterThan(10);
  expect(hinted).toBeLessThan(60);
});

test.each([
  [[1, "1", true, "true", null, "null", [1], ["1"], {}, "{}"], undefined],
  [
    [2, 1, "a", 1],
    [1, 3],
  ],
  [
    [{ a: 1, b: 2 }, "x", { b: 2, a: 1 }],
    [0, 2],
  ],
  [
    ["[1]", [1], [1]],
    [1, 2],
  ],
])("equal items of %j are at %j", (items, equal) => {
  expect(duplicateItems(items, Infinity)).toEqual(equal);
});

describe("compiled code that overflows", () => {
  test("on a flat value is not tried again", () => {
    const { compiled, counts } = counted(fields(3), overflow);
    for (const value of ["a0", "a0", "c0"]) {
      expect(compiled.accepts({ field_0: value })).toBe(value === "a0");
    }
    expect(counts.asked).toBe(1);
  });

  test("on a value that is nested too deeply is tried with the next one", () => {
    const schema = { type: "object", additionalProperties: { $ref: "#" } };
    let deep: object = {};
    for (let level = 0; level < 2_000; level += 1) deep = { inner: deep };
    let isFirst = true;
    const { compiled, counts } = counted(schema, () => {
      if (!isFirst) return true;
      isFirst = false;
      return overflow();
    });
    expect(() => compiled.accepts(deep)).toThrow();
    expect(compiled.accepts({})).toBe(true);
    expect(counts.asked).toBe(2);
  });
});
