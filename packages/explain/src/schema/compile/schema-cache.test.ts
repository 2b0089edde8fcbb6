import { engineOf } from "../../testing/engine.ts";
import { countCost } from "@toolcontract/case-table/cost";
import { createCompilingCache } from "./schema-cache.ts";
import { describe, expect, test } from "vitest";

const readFile = () => ({
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
});

describe("the schema cache", () => {
  test("a schema rebuilt for every request is compiled once", () => {
    const cache = createCompilingCache(engineOf(false));
    const compiled = Array.from({ length: 50 }, () => cache.get(readFile()));
    expect(new Set(compiled).size).toBe(1);
    expect(cache.compilations).toBe(1);
  });

  test("the same object is found without reading it", () => {
    const cache = createCompilingCache(engineOf(false));
    let reads = 0;
    const schema = {
      ...readFile(),
      get description() {
        return String((reads += 1));
      },
    };
    cache.get(schema);
    const after = reads;
    cache.get(schema);
    expect(reads).toBe(after);
  });

  test("the least recently used schema is evicted first", () => {
    const cache = createCompilingCache(engineOf(false), 2);
    cache.get({ title: "a" });
    cache.get({ title: "b" });
    cache.get({ title: "a" });
    cache.get({ title: "c" });
    cache.get({ title: "a" });
    expect(cache.compilations).toBe(3);
    cache.get({ title: "b" });
    expect(cache.compilations).toBe(4);
  });

  test("schemas that share an $id, outside or inside, stay separate", () => {
    const cache = createCompilingCache(engineOf(false));
    const withId = (type: string) => ({
      $id: "https://example.com/tool",
      properties: {
        a: { $id: "https://example.com/part", type },
        b: { $ref: "https://example.com/part" },
      },
    });
    const text = cache.get(withId("string"));
    const number = cache.get(withId("number"));
    expect([
      text.accepts({ b: "x" }),
      text.accepts({ b: 1 }),
      number.accepts({ b: "x" }),
      number.accepts({ b: 1 }),
    ]).toEqual([true, false, false, true]);
    expect([...text.warnings, ...number.warnings]).toEqual([]);
  });

  test("a circular schema accepts everything", () => {
    const schema: Record<string, unknown> = { type: "object" };
    schema["properties"] = { again: schema };
    const compiled = createCompilingCache(engineOf(false)).get(schema);
    expect(compiled.accepts(5)).toBe(true);
    expect([...compiled.warnings]).toEqual(["schema-not-compiled"]);
  });
});

describe("schemas that cannot be enforced fail open", () => {
  test.each([
    [
      "an unknown dialect",
      { $schema: "https://example.com/mine", type: "object" },
      "unknown-dialect",
    ],
    [
      "a reference to another document",
      { $ref: "https://example.com/other.json" },
      "schema-not-compiled",
    ],
    ["a type that does not exist", { type: "strng" }, "schema-not-compiled"],
    ["a keyword of the wrong type", { type: "object", required: true }, "schema-not-compiled"],
    ["an atomic group of PCRE", { type: "string", pattern: "(?>a)b" }, "pattern-not-compiled"],
  ] as const)("%s", (_title, schema, warning) => {
    const compiled = createCompilingCache(engineOf(false)).get(schema);
    expect(compiled.accepts("anything")).toBe(true);
    expect([...compiled.warnings]).toEqual([warning]);
  });

  test("the rest of a schema is enforced beside an unreadable pattern", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string", pattern: "(unclosed" }, b: { type: "integer" } },
    };
    const compiled = createCompilingCache(engineOf(false)).get(schema);
    expect([compiled.accepts({ a: "x" }), compiled.accepts({ b: "x" })]).toEqual([true, false]);
  });
});

describe("schemas without a dialect", () => {
  test.each([
    [
      "tuples as up to 2019-09",
      { type: "array", items: [{ type: "string" }, { type: "number" }] },
      ["a", 1],
      [1, "a"],
    ],
    [
      "exclusive limits as in draft-04",
      { type: "number", minimum: 0, exclusiveMinimum: true },
      1,
      0,
    ],
    ["definitions", { definitions: { a: { type: "string" } }, $ref: "#/definitions/a" }, "x", 1],
  ] as const)("%s", (_title, schema, good, bad) => {
    const compiled = createCompilingCache(engineOf(false)).get(schema);
    expect([compiled.accepts(good), compiled.accepts(bad), compiled.warnings.size]).toEqual([
      true,
      false,
      0,
    ]);
  });
});

describe("validation", () => {
  test("a long list of unique items takes one pass, not one for each pair", () => {
    const compiled = createCompilingCache(engineOf(false)).get({ uniqueItems: true });
    const items = Array.from({ length: 20_000 }, (_, n) => ({ n, name: `item ${n}` }));
    const cost = countCost();
    expect(compiled.accepts(items)).toBe(true);
    expect(compiled.accepts([...items, { name: "item 7", n: 7 }])).toBe(false);
    expect(cost()).toBeLessThan(1_000);
  });
});
