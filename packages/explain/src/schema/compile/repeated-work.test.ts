import {
  expectCostBelow,
  expectLinearCost,
  expectSimilarCost,
} from "@toolcontract/case-table/cost";
import { describe, expect, test } from "vitest";
import { aggregate, schemaValidator } from "../../findings/index.ts";
import { isPromiseLike } from "../../shared/index.ts";
import { engineOf } from "../../testing/engine.ts";
import { DOUBLING, DOUBLING_ITEMS, EXPRESSION, nest, object, web } from "../../testing/webs.ts";
import { createCompilingCache } from "./schema-cache.ts";

const BOTH = [
  ["compiled", false],
  ["interpreted", true],
] as const;

/** What a schema says of a value, as `code pointer`; nothing if it is valid. */
function judge(schema: object, value: unknown, interpreter: boolean): readonly string[] {
  const compiled = createCompilingCache(engineOf(interpreter)).get(schema as never);
  const faults: unknown[] = [];
  const validation = schemaValidator(compiled, (stage) => faults.push(stage)).validate(
    value,
    false,
  );
  expect(faults).toEqual([]);
  if (isPromiseLike(validation) || validation.ok) return [];
  return aggregate(validation.findings).map(({ code, path }) => `${code} /${path.join("/")}`);
}

const childOf = (depth: number): unknown => nest<object>(depth, (child) => ({ child }), {});
const kidsOf = (depth: number): unknown => nest<object>(depth, (kid) => ({ kids: [kid] }), {});
const termOf = (depth: number, leaf: unknown = 1): unknown =>
  nest<unknown>(depth, (left) => ({ left, extra0: 1, extra1: 1 }), leaf);

describe.each(BOTH)(
  "what leads to one place in many ways is judged there once, %s",
  (_, interpreter) => {
    const rows = [
      ...Object.entries(DOUBLING).map(([name, schema]) => [name, schema, childOf] as const),
      ...Object.entries(DOUBLING_ITEMS).map(([name, schema]) => [name, schema, kidsOf] as const),
      ["expressions", EXPRESSION, termOf] as const,
    ];

    test.each(rows)("%s, 60 levels", (_name, schema, rootOf) => {
      const root = rootOf(60);
      expect(judge(schema, { root, to: "me" }, interpreter)).toEqual([]);
      expect(judge(schema, { root, to: "mallory" }, interpreter)).toEqual(["VAL-008 /to"]);
    });

    test.each(rows)("%s: the work grows with the value", async (_name, schema, rootOf) => {
      const compiled = createCompilingCache(engineOf(interpreter)).get(schema);
      await expectLinearCost((depth) => {
        const value = { root: rootOf(depth), to: "me" };
        return () => compiled.accepts(value);
      }, 40);
    });

    test("a fault at the bottom is found there", () => {
      const [fault, ...more] = judge(EXPRESSION, { root: termOf(30, "x"), to: "me" }, interpreter);
      expect(fault).toBe(`VAL-002 /root${"/left".repeat(30)}`);
      expect(more).toEqual([]);
    });

    test.each(["allOf", "anyOf", "oneOf"])("a web of %s, 40 levels", async (keyword) => {
      const schema = web(keyword, 40);
      // Every branch of `oneOf` fits if one does.
      const valid = keyword === "oneOf" ? ["VAL-014 /x"] : [];
      await expectCostBelow(300, () => {
        expect(judge(schema, { x: 1 }, interpreter)).toEqual(valid);
        expect(judge(schema, { x: "q" }, interpreter)).toEqual(["VAL-002 /x"]);
      });
    });

    test.each(["allOf", "anyOf"])(
      "a web of %s of objects: their faults are each named once",
      (keyword) => {
        const leaf = object(
          { a: { type: "string" }, b: { enum: ["x"] } },
          { required: ["a", "c"] },
        );
        expect(judge(web(keyword, 30, leaf), { x: { b: "z" } }, interpreter)).toEqual([
          "VAL-001 /x/a",
          "VAL-008 /x/b",
          "VAL-001 /x/c",
        ]);
      },
    );

    test("unions of unions say what they take, once", () => {
      const names = ["d", "e"];
      const $defs = Object.fromEntries(
        Array.from({ length: 25 }, (_level, level) =>
          names.map((name) => {
            const next = names.map((other) => ({ $ref: `#/$defs/${other}${level + 1}` }));
            const leaf = { type: name === "d" ? "integer" : "boolean" };
            return [`${name}${level}`, level === 24 ? leaf : { anyOf: next }] as const;
          }),
        ).flat(),
      );
      const schema = { ...object({ x: { $ref: "#/$defs/d0" } }), $defs };
      const compiled = createCompilingCache(engineOf(interpreter)).get(schema);
      const [fault] = compiled.explain({ x: "q" }).findings;
      expect(JSON.stringify(fault?.expected).length).toBeLessThan(2_000);
      expect(judge(schema, { x: "q" }, interpreter)).toEqual(["VAL-002 /x"]);
    });

    test("lists in lists whose items must differ: each is read once", async () => {
      const node = { $ref: "#/$defs/node" };
      const schema = {
        $defs: { node: { anyOf: [{ type: "array", uniqueItems: true, items: node }, {}] } },
        ...object({ root: node }),
      };
      const compiled = createCompilingCache(engineOf(interpreter)).get(schema);
      await expectLinearCost((size) => {
        const leaf: unknown = Array.from({ length: size }, (_item, index) => index);
        const value = { root: nest<unknown>(size / 20, (inner) => [inner, [1]], leaf) };
        return () => compiled.accepts(value);
      }, 1_000);
    });
  },
);

describe("a list of many variants", () => {
  const block = (index: number): object =>
    object(
      { kind: { const: `kind_${index}` }, text: { type: ["string", "array"] } },
      { required: ["kind", "text"], additionalProperties: false },
    );
  const listOf = (kinds: number): object =>
    object({
      blocks: {
        type: "array",
        items: { anyOf: Array.from({ length: kinds }, (_, index) => block(index)) },
      },
    });
  const blocks = Array.from({ length: 2_000 }, () => ({ kind: "kind_0", text: "a" }));

  test("costs no more for each item than a few variants do", async () => {
    await expectSimilarCost(
      (kinds) => {
        const compiled = createCompilingCache().get(listOf(kinds) as never);
        return () => expect(compiled.accepts({ blocks })).toBe(true);
      },
      [4, 64],
    );
  });

  test.each(BOTH)("whose tag is none of them is refused, %s", (_, interpreter) => {
    const wrong = { kind: "kind_99", text: "a" };
    const schema = listOf(64);
    expect(judge(schema, { blocks: [wrong, ...blocks] }, interpreter)).toEqual([
      "VAL-008 /blocks/0/kind",
    ]);
    // Beyond what is explained.
    expect(judge(schema, { blocks: [...blocks, wrong] }, interpreter)).toEqual([
      "VAL-013 /blocks/2000",
    ]);
  });
});
