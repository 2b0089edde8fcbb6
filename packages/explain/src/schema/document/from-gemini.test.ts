import { describe, expect, test } from "vitest";
import { fromGeminiSchema } from "./from-gemini.ts";

describe("a schema in Gemini's dialect as JSON Schema", () => {
  test.each<[string, unknown, unknown]>([
    ["types in capitals", { type: "STRING" }, { type: "string" }],
    ["types as JSON Schema has them", { type: ["string", "null"] }, { type: ["string", "null"] }],
    ["no type", { type: "TYPE_UNSPECIFIED", title: "any" }, { title: "any" }],
    [
      "limits as strings",
      { type: "STRING", minLength: "2", maxLength: 9 },
      { type: "string", minLength: 2, maxLength: 9 },
    ],
    ["a limit that is none", { maxItems: "many" }, { maxItems: "many" }],
    ["nullable", { type: "NUMBER", nullable: true }, { type: ["number", "null"] }],
    ["not nullable", { type: "NUMBER", nullable: false }, { type: "number" }],
    ["null that is nullable", { type: "NULL", nullable: true }, { type: "null" }],
    [
      "a nullable enum",
      { type: "STRING", enum: ["a"], nullable: true },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      "a nullable choice",
      { anyOf: [{ type: "STRING" }], nullable: true },
      { anyOf: [{ type: "string" }, { type: "null" }] },
    ],
    [
      "fields, one of which is called type",
      {
        type: "OBJECT",
        properties: {
          type: { type: "INTEGER" },
          tags: { type: "ARRAY", items: { type: "STRING" } },
        },
        required: ["type"],
        propertyOrdering: ["type", "tags"],
      },
      {
        type: "object",
        properties: {
          type: { type: "integer" },
          tags: { type: "array", items: { type: "string" } },
        },
        required: ["type"],
      },
    ],
    ["a boolean", false, false],
    ["no schema", undefined, {}],
    [
      "parts that are not schemas",
      { properties: 3, items: null, anyOf: "x" },
      { properties: 3, items: null, anyOf: "x" },
    ],
  ])("%s", (_, schema, expected) => {
    expect(fromGeminiSchema(schema)).toStrictEqual(expected);
  });

  test("a schema that contains itself", () => {
    const tree: Record<string, unknown> = { type: "OBJECT" };
    tree["properties"] = { left: tree };
    const converted = fromGeminiSchema(tree) as { properties: { left: unknown } };
    expect(converted.properties.left).toBe(converted);
  });
});
