import { type JsonSchema, explain } from "@toolcontract/explain";
import { schemaParts } from "@toolcontract/explain/adapter";
import { expect, test } from "vitest";
import { sampleOf } from "./index.ts";

function sampleFor(schema: JsonSchema): unknown {
  const parts = schemaParts(schema);
  if (!parts) throw new Error("The dialect is known");
  return sampleOf(schema, parts);
}

const string = { type: "string" };
const format = (name: string): JsonSchema => ({ type: "string", format: name });
const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

test.each<[what: string, schema: JsonSchema, sample: unknown]>([
  ["anything", {}, "example"],
  ["anything at all", true, "text"],
  ["a field of any kind", { properties: { a: true } }, { a: "text" }],
  ["a const", { const: { a: 1 } }, { a: 1 }],
  ["a const beside an enum", { enum: ["a", "b"], const: "b" }, "b"],
  ["an enum", { type: "string", enum: ["asc", "desc"] }, "asc"],
  ["an enum with a default", { enum: ["asc", "desc"], default: "desc" }, "asc"],
  ["a default", { type: "integer", default: 20 }, 20],
  ["a default that is refused", { type: "integer", default: "20" }, 1],
  ["a default of null", { default: null, type: ["string", "null"] }, "example"],
  ["a string", string, "example"],
  ["a string that is longer", { type: "string", minLength: 9 }, "examplexx"],
  ["a string that is shorter", { type: "string", maxLength: 2 }, "ex"],
  ["a date", format("date"), "2026-03-14"],
  ["a moment", format("date-time"), "2026-03-14T09:26:53Z"],
  ["a time", format("time"), "09:26:53Z"],
  ["a mail address", format("email"), "ana@example.com"],
  ["an address", format("uri"), "https://example.com/7"],
  ["an address by another name", format("url"), "https://example.com/7"],
  ["an id", format("uuid"), "1b4e28ba-2fa1-41d2-883f-0016d3cca427"],
  ["an IP address", format("ipv4"), "192.0.2.1"],
  ["a host", format("hostname"), "example.com"],
  ["a format that nobody knows", format("color"), "example"],
  ["a format of Object.prototype", format("constructor"), "example"],
  ["a boolean", { type: "boolean" }, true],
  ["null", { type: "null" }, null],
  ["one of two types", { type: ["integer", "string"] }, 1],
  ["a nullable type of OpenAPI", { type: "integer", nullable: true }, 1],
  ["a number", { type: "number" }, 1],
  ["a whole number", { type: "integer", minimum: 0, maximum: 10 }, 1],
  ["a number of at least 5", { type: "integer", minimum: 5 }, 6],
  ["a number of at least 5.5", { type: "integer", minimum: 5.5 }, 6],
  ["a number above 5", { type: "integer", exclusiveMinimum: 5 }, 6],
  ["a number that is 5", { type: "integer", minimum: 5, maximum: 5 }, 5],
  ["a number of at most -5", { type: "integer", maximum: -5 }, -6],
  ["a number below 0", { type: "number", exclusiveMaximum: 0 }, -1],
  ["a multiple", { type: "integer", multipleOf: 5 }, 5],
  ["a multiple of at least 12", { type: "integer", multipleOf: 5, minimum: 12 }, 15],
  ["a multiple of at most -12", { type: "integer", multipleOf: 5, maximum: -12 }, -20],
  ["a multiple of a fraction", { type: "number", multipleOf: 0.5, maximum: 0.7 }, 0.5],
  ["a list", { type: "array", items: string }, ["example"]],
  ["a list of anything", { type: "array" }, ["example"]],
  ["a list without a type", { items: { type: "integer" } }, [1]],
  ["a list of at least 3", { type: "array", items: string, minItems: 3 }, Array(3).fill("example")],
  ["a list without items", { type: "array", items: false }, []],
  ["a pair", { type: "array", prefixItems: [string, { type: "null" }] }, ["example", null]],
  [
    "a pair that is all",
    { type: "array", prefixItems: [string, string], items: false, minItems: 2 },
    ["example", "example"],
  ],
  [
    "a pair, and more",
    { type: "array", prefixItems: [string, string], items: { type: "integer" }, minItems: 4 },
    ["example", "example", 1, 1],
  ],
  [
    "a pair of draft-07",
    { $schema: DRAFT_07, type: "array", items: [string, { type: "integer" }], minItems: 2 },
    ["example", 1],
  ],
  ["an object", { type: "object" }, {}],
  ["an object without a type", { properties: { a: string } }, { a: "example" }],
  [
    "an object with optional fields",
    { type: "object", properties: { a: string, b: { type: "integer" } }, required: ["a"] },
    { a: "example", b: 1 },
  ],
  ["a field that may not be there", { properties: { a: false, b: string } }, { b: "example" }],
  ["a reference", { $ref: "#/$defs/n", $defs: { n: { type: "integer" } } }, 1],
  ["a reference that leads nowhere", { $ref: "#/$defs/n" }, "example"],
  [
    "a reference of draft-07, which overrides what is beside it",
    {
      $schema: DRAFT_07,
      properties: { a: { $ref: "#/definitions/n", const: "b" } },
      definitions: { n: { type: "integer" } },
    },
    { a: 1 },
  ],
  [
    "parts, whose fields are put together",
    {
      allOf: [
        { properties: { a: string }, required: ["a"] },
        { properties: { b: { type: "integer" } }, required: ["b"] },
      ],
    },
    { a: "example", b: 1 },
  ],
  [
    "a part whose field is specified further",
    { properties: { a: string }, allOf: [{ properties: { a: { type: "string", maxLength: 2 } } }] },
    { a: "ex" },
  ],
  ["the first branch of anyOf", { anyOf: [{ type: "integer" }, string] }, 1],
  ["the first branch of oneOf", { oneOf: [{ type: "boolean" }, string] }, true],
  ["what is said beside a union", { type: "string", anyOf: [{ minLength: 9 }] }, "examplexx"],
  ["a union that allows all", { anyOf: [true] }, "example"],
  ["a union inside a union", { anyOf: [{ oneOf: [{ type: "null" }] }] }, null],
  ["a union of itself", { anyOf: [{ $ref: "#" }, string] }, "example"],
])("%s: %j has the sample %j", (_, schema, sample) => {
  expect(sampleFor(schema)).toEqual(sample);
  expect(explain(schema, sample, { onDegraded: () => undefined })).toEqual([]);
});

test.each<[what: string, schema: JsonSchema]>([
  ["a tree", { properties: { child: { $ref: "#" } } }],
  ["a tree without end", { properties: { child: { $ref: "#" } }, required: ["child"] }],
  ["a list of lists of itself", { type: "array", items: { $ref: "#" } }],
  ["a list of itself that is never empty", { type: "array", items: { $ref: "#" }, minItems: 1 }],
  ["a list of many of itself", { type: "array", items: { $ref: "#" }, minItems: 9 }],
  ["a tuple of itself", { type: "array", prefixItems: [{ $ref: "#" }, { $ref: "#" }] }],
  [
    "a tree of many branches",
    {
      properties: Object.fromEntries(
        "a b c d e f g h i j k l".split(" ").map((name) => [name, { $ref: "#" }]),
      ),
    },
  ],
  ["many items", { type: "array", items: { type: "null" }, minItems: 1e9 }],
  ["a long string", { type: "string", minLength: 1e9 }],
])("the sample of %s is of bounded size", (_, schema) => {
  expect(JSON.stringify(sampleFor(schema)).length).toBeLessThan(20_000);
});
