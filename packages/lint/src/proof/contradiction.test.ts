import type { JsonSchema } from "@toolcontract/explain";
import { schemaParts } from "@toolcontract/explain/adapter";
import { expect, test } from "vitest";
import { contradictionIn } from "./index.ts";

function reasonOf(schema: object): string | undefined {
  const parts = schemaParts(schema as JsonSchema);
  if (!parts) throw new Error("The dialect is known");
  return contradictionIn(schema as Readonly<Record<string, unknown>>, parts);
}

const string = { type: "string" };
const number = { type: "number" };
const NUMBERS = "the least number allowed is above the greatest";
const WHOLE = "no whole number is between the least and the greatest";
const ENUM = "every value of enum is refused by the keywords beside it";
const CONST = "const is refused by the keywords beside it";

test.each<[schema: object, reason: string]>([
  // Types
  [{ ...string, allOf: [number] }, 'no type is allowed by every part: "string" and "number"'],
  [
    { type: ["string", "null"], allOf: [{ type: ["number", "boolean"] }] },
    'no type is allowed by every part: "string" or "null" and "number" or "boolean"',
  ],
  [
    { ...number, allOf: [{ allOf: [string] }] },
    'no type is allowed by every part: "number" and "string"',
  ],
  [
    { ...number, $ref: "#/$defs/s", $defs: { s: string } },
    'no type is allowed by every part: "number" and "string"',
  ],
  [
    { ...string, allOf: [number], enum: [] },
    'no type is allowed by every part: "string" and "number"',
  ],
  // Unions
  [{ ...string, anyOf: [number, { type: "null" }] }, 'no branch of anyOf allows "string"'],
  [{ ...string, oneOf: [number] }, 'no branch of oneOf allows "string"'],
  [{ ...string, anyOf: [false, number] }, 'no branch of anyOf allows "string"'],
  [{ ...string, anyOf: [{ oneOf: [number] }] }, 'no branch of anyOf allows "string"'],
  [
    { ...string, anyOf: [{ $ref: "#/$defs/n" }], $defs: { n: number } },
    'no branch of anyOf allows "string"',
  ],
  [{ minimum: 5, maximum: 4, anyOf: [number] }, "no branch of anyOf allows a value"],
  // Values
  [{ enum: [] }, "enum is empty"],
  [{ ...string, const: 5 }, 'type is "string", but const is a number'],
  [{ ...string, const: null }, 'type is "string", but const is null'],
  [{ type: ["string", "null"], const: [] }, 'type is "string" or "null", but const is an array'],
  [
    { ...string, enum: [1, 2, {}] },
    'type is "string", but every value of enum is a number or an object',
  ],
  [{ type: "integer", enum: [1.5] }, ENUM],
  [{ enum: ["a", "b"], const: "c" }, CONST],
  [{ enum: [{ a: 1 }], const: { a: 2 } }, CONST],
  [{ const: 1, minimum: 3 }, CONST],
  [{ enum: [1, 2], minimum: 3 }, ENUM],
  [{ enum: [5], maximum: 4 }, ENUM],
  [{ enum: ["ab"], minLength: 3 }, ENUM],
  [{ enum: ["😀😀"], maxLength: 1 }, ENUM],
  [{ enum: ["b"], pattern: "^a" }, ENUM],
  [{ enum: [[1]], minItems: 2 }, ENUM],
  [{ enum: [[1, 2]], maxItems: 1 }, ENUM],
  // Limits
  [{ ...number, minimum: 5, maximum: 4 }, NUMBERS],
  [{ ...number, maximum: 4, allOf: [{ minimum: 5 }, { minimum: 3 }] }, NUMBERS],
  [{ ...number, exclusiveMinimum: 5, maximum: 5 }, NUMBERS],
  [{ ...number, minimum: 5, exclusiveMaximum: 5 }, NUMBERS],
  [{ ...number, minimum: 5, exclusiveMinimum: true, maximum: 5 }, NUMBERS],
  [{ ...number, minimum: 5, maximum: 5, exclusiveMaximum: true }, NUMBERS],
  [{ type: "integer", minimum: 1.2, maximum: 1.8 }, WHOLE],
  [{ ...number, minimum: 1.2, maximum: 1.8, allOf: [{ type: "integer" }] }, WHOLE],
  [{ ...string, minLength: 5, maxLength: 4 }, "minLength 5 is above maxLength 4 (characters)"],
  [
    { type: "array", minItems: 3, allOf: [{ maxItems: 2 }] },
    "minItems 3 is above maxItems 2 (items)",
  ],
  [
    { type: "object", minProperties: 2, maxProperties: 1 },
    "minProperties 2 is above maxProperties 1 (properties)",
  ],
  // Required properties
  [
    { type: "object", required: ["a", "b"], maxProperties: 1 },
    "2 properties are required, but maxProperties is 1",
  ],
  [
    { type: "object", properties: { a: false }, required: ["a"] },
    '"a" is required and cannot be there',
  ],
  [
    { type: "object", required: ["toString"], additionalProperties: false },
    '"toString" is required and cannot be there',
  ],
  [
    { type: "object", properties: {}, required: ["toString"], additionalProperties: false },
    '"toString" is required and cannot be there',
  ],
  [
    {
      type: "object",
      patternProperties: { "^b": {} },
      required: ["b", "c"],
      additionalProperties: false,
    },
    '"c" is required and cannot be there',
  ],
  [
    { type: "object", required: ["a".repeat(80)], additionalProperties: false },
    `"${"a".repeat(64)}" is required and cannot be there`,
  ],
])("%j: %s", (schema, reason) => {
  expect(reasonOf(schema)).toBe(reason);
});

test.each<[what: string, schema: object]>([
  ["a type and a part that says more of it", { ...number, allOf: [{ type: "integer" }] }],
  ["no type at all", { type: [], enum: [1] }],
  ["a type that is not a name", { type: [5], enum: [1] }],
  ["parts of any kind", { ...string, allOf: [true, 5] }],
  ["a part that is the whole", { ...string, allOf: [{ $ref: "#" }] }],
  ["branches that are the whole", { ...string, anyOf: [{ $ref: "#" }] }],
  ["a branch for everything", { ...string, anyOf: [number, true] }],
  ["a branch of the type", { type: "integer", anyOf: [string, number] }],
  [
    "a branch without a value, which is reported there",
    { ...string, anyOf: [number, { enum: [] }] },
  ],
  ["a union without branches", { ...string, anyOf: [] }],
  ["an invalid union", { ...string, anyOf: number }],
  ["a contradiction of another type", { ...string, minimum: 5, maximum: 4 }],
  ["a nullable enum of OpenAPI", { ...string, nullable: true, enum: [null] }],
  ["the same object twice", { enum: [{ a: 1, b: [2] }], const: { b: [2], a: 1 } }],
  ["one value that fits", { enum: [1, "a"], minimum: 3 }],
  ["a number at both limits", { enum: [5], minimum: 5, maximum: 5 }],
  ["a string of both lengths", { enum: ["ab"], minLength: 2, maxLength: 2 }],
  ["a character of two units", { enum: ["😀"], maxLength: 1 }],
  ["an invalid pattern", { enum: ["a"], pattern: 5 }],
  ["a pattern that fits", { enum: ["a"], pattern: "^a" }],
  ["a list of both sizes", { enum: [[1]], minItems: 1, maxItems: 1 }],
  ["limits that meet", { ...number, minimum: 5, maximum: 5 }],
  ["open limits that do not meet", { ...number, exclusiveMinimum: 4, exclusiveMaximum: 5 }],
  ["an open limit below another one", { ...number, exclusiveMinimum: 3, minimum: 5, maximum: 5 }],
  ["a whole number at a limit", { type: "integer", minimum: 1.2, maximum: 2 }],
  [
    "any number between two whole ones",
    { type: ["integer", "number"], minimum: 1.2, maximum: 1.8 },
  ],
  ["lengths that meet", { ...string, minLength: 4, maxLength: 4 }],
  ["a limit that is not a number", { ...string, minLength: "5", maxLength: 4 }],
  ["as many properties as allowed", { type: "object", required: ["a", "b"], maxProperties: 2 }],
  ["a property that is named twice", { type: "object", required: ["a", "a"], maxProperties: 1 }],
  ["invalid names", { type: "object", required: [1, 2], maxProperties: 1 }],
  ["required as a boolean", { type: "object", required: true, additionalProperties: false }],
  ["a required property that is open", { type: "object", properties: {}, required: ["b"] }],
  [
    "a required property that is declared",
    { type: "object", properties: { b: {} }, required: ["b"], additionalProperties: false },
  ],
  [
    "a document whose keywords are broken",
    { type: "object", required: ["b"], additionalProperties: false, minProperties: "1" },
  ],
  ["a part that is reported itself", { ...string, allOf: [{ enum: [] }] }],
])("nothing is said of %s: %j", (_, schema) => {
  expect(reasonOf(schema)).toBeUndefined();
});
