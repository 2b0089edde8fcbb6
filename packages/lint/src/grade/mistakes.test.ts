import { describe, expect, test } from "vitest";
import { proofsFor } from "../engine/index.ts";
import { readTools } from "../input/index.ts";
import type { Proof } from "./index.ts";

function proofs(inputSchema: object): readonly Proof[] {
  return readTools({ name: "t", description: "t", inputSchema }).flatMap(proofsFor);
}

/** What is sent for a field `x` with this schema, by the kind of the mistake; nothing if it is left out. */
function sent(field: object, required: readonly string[] = []): object {
  const properties = { x: field, other: { const: 1 } };
  return Object.fromEntries(
    proofs({ type: "object", properties, required })
      .filter(({ path }) => path === "/x")
      .map(({ kind, arguments: args }) => [kind, (args as { readonly x?: unknown }).x]),
  );
}

const string = { type: "string" };
const KEPT = undefined;

describe("the mistakes of", () => {
  test.each<[what: string, field: object, required: readonly string[], mistakes: object]>([
    [
      "a required string",
      string,
      ["x"],
      {
        missing: KEPT,
        "a list for one value": ["example", "example"],
        "a number for a string": 12,
        "null for a required field": null,
      },
    ],
    [
      "an optional string",
      string,
      [],
      {
        "null for an optional field": null,
        "a list for one value": ["example", "example"],
        "a number for a string": 12,
      },
    ],
    ["what may be anything", {}, [], {}],
    ["what may be anything, and is required", {}, ["x"], { missing: KEPT }],
    [
      "a whole number",
      { type: ["integer", "null"] },
      [],
      {
        "text for a number or an object": "unknown",
        "a list for one value": [1, 1],
        "a number or boolean in quotes": "1",
        "a fraction for a whole number": 1.5,
      },
    ],
    [
      "a number",
      { type: ["number", "null"] },
      [],
      {
        "text for a number or an object": "unknown",
        "a list for one value": [1, 1],
        "a number or boolean in quotes": "1",
      },
    ],
    [
      "a whole number or a string",
      { type: ["integer", "string", "null"] },
      [],
      { "a list for one value": [1, 1], "a fraction for a whole number": 1.5 },
    ],
    [
      "a whole number or a long string, which refuses other strings too",
      { type: ["integer", "string", "null"], minLength: 9 },
      [],
      { "a list for one value": [1, 1], "a fraction for a whole number": 1.5 },
    ],
    [
      "a string or a short list, which refuses other lists too",
      { type: ["string", "array", "null"], maxItems: 0 },
      [],
      { "one value for a list": KEPT, "a number for a string": 12 },
    ],
    [
      "a string or a large number, which refuses other numbers too",
      { type: ["string", "number", "null"], minimum: 20 },
      [],
      { "a list for one value": ["example", "example"] },
    ],
    [
      "a string or a large whole number",
      { type: ["string", "integer", "null"], minimum: 20 },
      [],
      { "a list for one value": ["example", "example"], "a fraction for a whole number": 1.5 },
    ],
    [
      "a whole number or any small one",
      { type: ["integer", "number", "null"], maximum: 1 },
      [],
      {
        "text for a number or an object": "unknown",
        "a list for one value": [1, 1],
        "a number or boolean in quotes": "1",
      },
    ],
    ["a boolean", { type: ["boolean", "null"] }, [], { "a number or boolean in quotes": "true" }],
    [
      "an object",
      { type: ["object", "null"] },
      [],
      { "text for a number or an object": "unknown" },
    ],
    [
      "a list",
      { type: ["array", "null"], items: { type: "integer" } },
      [],
      { "one value for a list": 1 },
    ],
    [
      "a list without items",
      { type: ["array", "null"], items: false },
      [],
      { "one value for a list": "example" },
    ],
    [
      "a list or null, and only the empty list",
      { type: ["array", "null"], enum: [null, []] },
      [],
      { "one value for a list": "example" },
    ],
    [
      "a list or a string",
      { type: ["string", "array", "null"] },
      [],
      { "a number for a string": 12 },
    ],
  ])("%s", (_, field, required, mistakes) => {
    expect(sent(field, required)).toEqual(mistakes);
  });

  test.each<[other: unknown, field: object]>([
    ["ASC", { enum: ["asc", "desc"] }],
    ["asc", { enum: ["ASC"] }],
    ["X", { enum: [1, "", "x"] }],
    ["a_other", { enum: ["a", "A"] }],
    ["1_other", { enum: ["1", "2"] }],
    [undefined, { enum: [1, 2] }],
    ["ASC", { type: "string", description: "One of: asc, desc" }],
    [undefined, { type: "string", description: "The order" }],
  ])("%j is sent for a value of %j", (other, field) => {
    expect(sent(field)).toMatchObject(
      other === undefined ? {} : { "a value outside the enum": other },
    );
    expect(Object.keys(sent(field)).includes("a value outside the enum")).toBe(other !== undefined);
  });
});

test("each kind counts as often as it was seen", () => {
  const properties = {
    a: { type: "array", items: string },
    b: { type: "string", enum: ["x"] },
    c: { type: "integer" },
  };
  const found = proofs({ type: "object", properties, required: ["a", "b"] });
  expect(Object.fromEntries(found.map(({ kind, weight }) => [kind, weight]))).toEqual({
    missing: 486,
    "an undeclared field": 278,
    "null for an optional field": 271,
    "one value for a list": 260,
    "text for a number or an object": 153,
    "a list for one value": 141,
    "a value outside the enum": 132,
    "a number for a string": 108,
    "a number or boolean in quotes": 96,
    "a fraction for a whole number": 85,
    "null for a required field": 52,
  });
});

test("each call has one mistake and is right otherwise", () => {
  const properties = {
    a: string,
    b: { type: "object", properties: { c: string }, required: ["c"] },
  };
  const found = proofs({
    type: "object",
    properties,
    required: ["a"],
    additionalProperties: false,
  });
  const right = { a: "example", b: { c: "example" } };
  expect(found.filter(({ path }) => path === "/b").map(({ arguments: args }) => args)).toEqual([
    { ...right, b: null },
    { ...right, b: "unknown" },
  ]);
  expect(found.find(({ kind }) => kind === "missing")?.arguments).toEqual({ b: right.b });
  expect(new Set(found.map(({ path }) => path))).toEqual(new Set(["/a", "/b", "/reason_for_call"]));
  expect(found.at(-1)).toMatchObject({
    kind: "an undeclared field",
    arguments: { ...right, reason_for_call: "example" },
    isNamed: true,
  });
});

test("what a validator cannot notice is shown as accepted", () => {
  const properties = { a: { type: "string", description: "One of: asc, desc" } };
  const accepted = proofs({ type: "object", properties }).filter(({ text }) => text === "");
  expect(accepted.map(({ kind, path, isNamed }) => ({ kind, path, isNamed }))).toEqual([
    { kind: "a value outside the enum", path: "/a", isNamed: false },
    { kind: "an undeclared field", path: "/reason_for_call", isNamed: false },
  ]);
});

test.each([
  ["without fields", { type: "object", properties: {} }],
  ["whose arguments are a list", { type: "array", properties: { a: string } }],
  ["whose fields are nested only", { allOf: [{ properties: { a: string } }] }],
  ["that takes anything", {}],
])("a tool %s has none", (_, schema) => {
  expect(proofs(schema)).toEqual([]);
});

test("a field is spoilt, and no other whose name begins with its name", () => {
  const properties = { a: string, ab: { type: "integer", const: "x" } };
  const found = proofs({ type: "object", properties, required: ["a", "ab"] });
  expect(found.filter(({ path }) => path === "/a").map(({ text }) => text.includes("/ab"))).toEqual(
    [false, false, false, false],
  );
});
