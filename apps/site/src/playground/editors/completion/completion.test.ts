import { jsonLanguage } from "@codemirror/lang-json";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonPiece } from "../../../testing/any-string.ts";
import { optionsAt } from "./options.ts";
import { placeAt } from "./place.ts";
import { TOOL_SCHEMA } from "./tool-schema.ts";

/** What is offered where "|" stands. */
function offered(schema: unknown, marked: string): string[] {
  const position = marked.indexOf("|");
  const text = marked.replace("|", "");
  const place = placeAt(text, jsonLanguage.parser.parse(text), position);
  return place === undefined ? [] : optionsAt(schema, place).map(({ json }) => json);
}

const SEARCH = {
  type: "object",
  required: ["query"],
  properties: {
    query: { type: "string", description: "What to look for" },
    mode: { enum: ["fast", "deep"] },
    exact: { type: "boolean" },
    limit: { type: ["integer", "null"], default: 10 },
    where: { $ref: "#/$defs/where~1in" },
    filters: { type: "array", items: { $ref: "#/$defs/filter" } },
    pair: { prefixItems: [{ const: "a" }, { const: "b" }], items: { const: "c" } },
    labels: { type: "object", additionalProperties: { enum: ["x", "y"] } },
  },
  $defs: {
    "where/in": { properties: { inner: { enum: ["here"] }, again: { $ref: "#/$defs/where~1in" } } },
    filter: {
      oneOf: [
        { $ref: "#/$defs/range" },
        { properties: { kind: { const: "text" }, text: { type: "string" } } },
      ],
    },
    range: {
      properties: { kind: { const: "range" }, from: { type: "number" }, to: { type: "number" } },
    },
  },
};
const NAMES = Object.keys(SEARCH.properties).map((name) => JSON.stringify(name));

describe("the names of an object", () => {
  test.each<[string, string[]]>([
    ["{|}", NAMES],
    ["{ | }", NAMES],
    ["{|", NAMES],
    ['{"|', NAMES],
    ['{"que|', NAMES],
    ['{"que|"}', NAMES],
    ['{"que|ry": 1}', NAMES],
    ["{que|}", NAMES],
    ['{"query": "x", |}', NAMES.slice(1)],
    ['{|, "query": "x"}', NAMES.slice(1)],
    ['{"query": "x", "mode": "fast", "|"}', NAMES.slice(2)],
    ['{"query": "x"|}', []],
    ['{"query": "x" |}', []],
    ['{"query"|}', []],
    ['{"where": {|}}', ['"inner"', '"again"']],
    ['{"where": {"again": {"again": {"|"}}}}', ['"inner"', '"again"']],
    ['{"filters": [{|}]}', ['"kind"', '"from"', '"to"', '"text"']],
    ['{"filters": [{}, {|', ['"kind"', '"from"', '"to"', '"text"']],
    ['{"filters": [{"kind": "range", |}]}', ['"from"', '"to"']],
    ['{"filters": [{|, "kind": "text"}]}', ['"text"']],
    ['{"filters": [{"kind": "neither", |}]}', ['"from"', '"to"', '"text"']],
    ["[{|}]", []],
    ['{"unknown": {|}}', []],
    ['{"query": "{|"}', []],
  ])("%s", (marked, names) => {
    expect(offered(SEARCH, marked).toSorted()).toEqual(names.toSorted());
  });
});

describe("the values of a place", () => {
  test.each<[string, string[]]>([
    ['{"mode": |}', ['"fast"', '"deep"']],
    ['{"mode": "|"}', ['"fast"', '"deep"']],
    ['{"mode": "|', ['"fast"', '"deep"']],
    ['{"mode": "de|ep", "query": "x"}', ['"fast"', '"deep"']],
    ['{"mode": de|}', ['"fast"', '"deep"']],
    ['{"mode":\n|\n, "query": "x"}', ['"fast"', '"deep"']],
    ['{"mode": "fast"|}', []],
    ['{"exact": |}', ["true", "false"]],
    ['{"exact": tr|}', ["true", "false"]],
    ['{"exact": "|"}', []],
    ['{"limit": |}', ["10"]],
    ['{"where": |}', []],
    ['{"filters": |}', ["[]"]],
    ['{"where": {"inner": |}}', ['"here"']],
    ['{"filters": [{"kind": |}]}', ['"range"', '"text"']],
    ['{"filters": [{"kind": "te|xt", "text": "x"}]}', ['"range"', '"text"']],
    ['{"pair": [|]}', ['"a"']],
    ['{"pair": ["a", |]}', ['"b"']],
    ['{"pair": ["a", "b", "c", |]}', ['"c"']],
    ['{"pair": ["a" |]}', []],
    ['{"labels": {"any": |}}', ['"x"', '"y"']],
    ["|", ["{}"]],
  ])("%s", (marked, values) => {
    expect(offered(SEARCH, marked).toSorted()).toEqual(values.toSorted());
  });
});

describe("what a tool may be written as", () => {
  test.each<[string, string[], string[]]>([
    ["{|}", ['"name"', '"inputSchema"', '"input_schema"', '"properties"', '"type"', '"anyOf"'], []],
    ['{"type": |}', ['"object"', '"function"'], []],
    ['{"properties": {"a": {|}}}', ['"type"', '"enum"', '"description"'], ['"inputSchema"']],
    ['{"properties": {"a": {"type": |}}}', ['"string"', '"integer"'], ['"function"']],
    ['{"properties": {"a": {"type": [|]}}}', ['"string"'], []],
    ['{"properties": {|}}', [], ['"type"']],
    ['{"inputSchema": {"$defs": {"a": {"items": {"format": |}}}}}', ['"date-time"', '"uuid"'], []],
    ['{"type": "function", "function": {"parameters": {|}}}', ['"properties"'], ['"parameters"']],
    ['{"type": "function", "function": {|}}', ['"name"', '"parameters"'], ['"properties"']],
    ['{"anyOf": [{}, {"not": {|}}]}', ['"const"'], ['"name"']],
    ['{"additionalProperties": |}', ["false"], []],
    ['{"uniqueItems": |}', ["true", "false"], []],
  ])("%s offers %j and not %j", (marked, some, none) => {
    const options = offered(TOOL_SCHEMA, marked);
    expect(options).toEqual(expect.arrayContaining(some));
    for (const option of none) expect(options).not.toContain(option);
  });
});

describe("a schema from outside", () => {
  const cyclic: Record<string, unknown> = { properties: { a: {} } };
  cyclic["allOf"] = [cyclic, { anyOf: [cyclic] }];
  const deep = Array.from({ length: 50_000 }).reduce<unknown>((inner) => ({ anyOf: [inner] }), {
    properties: { a: {} },
  });
  const wide = {
    anyOf: Array.from({ length: 100_000 }, (_, index) => ({ properties: { [`a${index}`]: {} } })),
  };
  test.each<[string, unknown, string, number]>([
    ["refers to itself", { $ref: "#" }, "{|}", 0],
    [
      "refers in a circle",
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
      "{|}",
      0,
    ],
    ["is a cyclic object", cyclic, "{|}", 1],
    ["is nested deeper than is read", deep, "{|}", 0],
    ["has more branches than are read", wide, "{|}", 200],
    [
      "has more values than are shown",
      { enum: Array.from({ length: 10_000 }, (_, index) => index) },
      "|",
      200,
    ],
    ["has values too long to be shown", { enum: ["x".repeat(1e6), "y"] }, "|", 1],
    [
      "has names of the prototype",
      { properties: { a: { $ref: "#/constructor" } } },
      '{"toString": {|}}',
      0,
    ],
    ["refers elsewhere", { $ref: "https://example.com/a.json" }, "{|}", 0],
    ["has a reference that cannot be decoded", { $ref: "#/%" }, "{|}", 0],
    ["is null", null, "{|}", 0],
    ["is false", false, "{|}", 0],
  ])("that %s is read within bounds", (_, schema, marked, count) => {
    expect(offered(schema, marked)).toHaveLength(count);
  });

  test("may be any JSON", () => {
    const words = fc.constantFrom(
      "properties",
      "items",
      "anyOf",
      "$ref",
      "enum",
      "type",
      "required",
      "a",
    );
    const schema = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.constantFrom("#", "#/properties/a", "object"),
        fc.dictionary(words, tie("any")),
        fc.array(tie("any"), { maxLength: 3 }),
      ),
    })).any;
    const marked = fc.constantFrom("{|}", '{"a": {|}}', '{"a": |}', '{"a": [{"a": |}]}', "|");
    fc.assert(
      fc.property(schema, marked, (any, place) => {
        for (const json of offered(any, place)) expect(JSON.stringify(JSON.parse(json))).toBe(json);
      }),
    );
  });
});

test("a place is the word around the position, in any text", () => {
  fc.assert(
    fc.property(fc.array(jsonPiece, { maxLength: 20 }), fc.nat(), (pieces, at) => {
      const text = pieces.join("");
      const position = at % (text.length + 1);
      const place = placeAt(text, jsonLanguage.parser.parse(text), position);
      if (place === undefined) return;
      expect(place.from).toBeLessThanOrEqual(position);
      expect(place.to).toBeGreaterThanOrEqual(position);
      expect(text.slice(place.from, place.to)).toMatch(place.quoted ? /^"/ : /^[\w.+-]*$/);
    }),
  );
});

test("what is accepted for a name completes the object", () => {
  const place = placeAt('{"a": 1, "', jsonLanguage.parser.parse('{"a": 1, "'), 10);
  expect(place).toMatchObject({ kind: "key", from: 9, to: 10, quoted: true });
});

test("text nested too deeply has no place", () => {
  const text = "[".repeat(5_000);
  expect(placeAt(text, jsonLanguage.parser.parse(text), text.length)).toBeUndefined();
});
