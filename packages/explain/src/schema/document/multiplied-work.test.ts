import { describe, expect, test } from "vitest";
import { DOUBLING, DOUBLING_ITEMS, EXPRESSION, object, ofNodes, web } from "../../testing/webs.ts";
import { multipliesWork } from "./multiplied-work.ts";
import { indexSchema } from "./schema-index.ts";

const node = { $ref: "#/$defs/node" };
const list = { type: "array", items: node };
const many = <Item>(count: number, make: (index: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

const multiplies = (schema: object): boolean => multipliesWork(indexSchema(schema, "2020-12"));

describe("a schema multiplies the work of checking a value", () => {
  test.each(Object.entries({ ...DOUBLING, ...DOUBLING_ITEMS, expressions: EXPRESSION }))(
    "with %s",
    (_, schema) => expect(multiplies(schema)).toBe(true),
  );

  test.each(["allOf", "anyOf", "oneOf"])("with a web of %s", (keyword) => {
    expect(multiplies(web(keyword, 20))).toBe(true);
  });

  test.each<[string, object]>([
    ["that refers to itself at once", { $ref: "#" }],
    ["with a dynamic reference", { $dynamicRef: "#node", $dynamicAnchor: "node" }],
    [
      "that checks a little more on each level", // 1 + 2 + 3 + … times
      ofNodes(object({ child: { allOf: [node, { $ref: "#/$defs/leaf" }] } }), {
        leaf: object({ child: { $ref: "#/$defs/leaf" } }),
      }),
    ],
  ])("%s", (_, schema) => expect(multiplies(schema)).toBe(true));
});

describe("a schema does not multiply the work", () => {
  test.each<[string, object]>([
    ["without references", { allOf: many(100, (index) => object({ [`f${index}`]: {} })) }],
    ["of a tree", ofNodes(object({ left: node, right: node, kids: list }))],
    [
      "of any JSON",
      ofNodes({ anyOf: [{ type: ["string", "number"] }, list, { additionalProperties: node }] }),
    ],
    [
      "of filters",
      ofNodes(
        object({ and: list, or: list, not: node }, { additionalProperties: { type: "string" } }),
      ),
    ],
    ["that may be null", ofNodes(object({ next: { anyOf: [node, { type: "null" }] } }))],
    [
      "of kinds that have different fields",
      ofNodes({ anyOf: many(20, (index) => object({ [`left${index}`]: node })) }),
    ],
    [
      "of many fields of one type",
      {
        ...object(Object.fromEntries(many(200, (index) => [`f${index}`, { $ref: "#/$defs/a" }]))),
        $defs: { a: object({ b: {} }) },
      },
    ],
    [
      "of many kinds with a common base",
      {
        anyOf: many(30, () => ({ allOf: [{ $ref: "#/$defs/base" }] })),
        $defs: { base: object({}) },
      },
    ],
    ["that names a definition a few times", web("anyOf", 4)],
  ])("%s", (_, schema) => expect(multiplies(schema)).toBe(false));

  test.each([1_000, 4_000])("of %i nested lists, however deep", (levels) => {
    const deep = many(levels, () => 0).reduce<object>((items) => ({ items }), { type: "integer" });
    expect(multiplies(deep)).toBe(false);
  });
});

test("up to draft-07 a reference overrides what is beside it", () => {
  const schema = ofNodes({ $ref: "#/$defs/base", allOf: [node, node] }, { base: object({}) });
  expect(multipliesWork(indexSchema(schema, "draft-07"))).toBe(false);
  expect(multiplies(schema)).toBe(true);
});
