import { describe, expect, test } from "vitest";
import { isSection, memberSchema, schemaAt } from "./index.ts";

const LEAF = { type: "string" };

describe("the schema of a member", () => {
  test.each([
    ["a property", { type: "object", properties: { a: LEAF } }, "a", LEAF],
    ["an item of a list", { type: "array", items: LEAF }, "0", LEAF],
    ["a value of a mapping", { type: "object", additionalProperties: LEAF }, "any", LEAF],
    [
      "a property before the others",
      { type: "object", properties: { a: LEAF }, additionalProperties: {} },
      "a",
      LEAF,
    ],
    ["what may be anything", {}, "a", {}],
  ])("is that of %s", (_, schema, key, expected) => {
    expect(memberSchema(schema, key)).toEqual(expected);
  });

  test.each([
    ["an unknown key", { type: "object", properties: { a: LEAF } }],
    ["a closed mapping", { type: "object", additionalProperties: false }],
    ["a name of every object", { type: "object", properties: {} }],
    ["a value without members", LEAF],
    ["no schema", undefined],
  ])("does not exist for %s", (_, schema) => {
    expect(memberSchema(schema, "toString")).toBeUndefined();
  });

  test("is found along a pointer", () => {
    const list = { type: "array", items: { type: "object", properties: { a: LEAF } } };
    expect(schemaAt({ type: "object", properties: { list } }, "/list/3/a")).toBe(LEAF);
    expect(schemaAt({ type: "object", properties: { list } }, "/list/3/b")).toBeUndefined();
  });
});

test.each([
  [{ type: "object" }, true],
  [{ type: ["array", "null"] }, true],
  [LEAF, false],
  [{}, false],
  [undefined, false],
])("%j is a section: %s", (schema, expected) => {
  expect(isSection(schema)).toBe(expected);
});
