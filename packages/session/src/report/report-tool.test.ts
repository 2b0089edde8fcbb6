import { describe, expect, test } from "vitest";
import { reportTool } from "./index.ts";
import { nestSchema } from "./nest-schema.ts";

describe("the report tool", () => {
  test.each([
    [
      "markdown",
      "content",
      { type: "string", minLength: 1, description: "The whole answer, in Markdown." },
    ],
    [
      "text",
      "content",
      { type: "string", minLength: 1, description: "The whole answer, as plain text." },
    ],
    [
      "sub-agent",
      "content",
      { type: "string", description: "The whole answer, in the form that was asked for." },
    ],
    [
      "json",
      "content_json",
      { type: "object", description: "The whole answer, as a JSON object." },
    ],
    [
      "slack-block-kit",
      "messages",
      {
        type: "array",
        minItems: 1,
        items: { type: "object" },
        description: 'The whole answer, as Slack messages: [{"blocks": [...]}, ...].',
      },
    ],
  ] as const)("for %s takes %s", (format, field, schema) => {
    const encoding = {
      type: "string",
      enum: ["raw", "base64"],
      description: "How content is written; raw by default.",
    };
    expect(reportTool(format)).toEqual({
      name: "agent__final_report",
      description: "Gives the final answer and ends the run. Call it once, when the task is done.",
      inputSchema: {
        type: "object",
        properties: {
          format: { type: "string", const: format },
          [field]: schema,
          ...(field === "content" && { encoding }),
          metadata: {
            type: "object",
            description: "Anything about the answer that is not part of it.",
          },
        },
        required: ["format", field],
        additionalProperties: false,
      },
    });
  });

  test("shows the output schema, with its own description", () => {
    const outputSchema = { type: "object", description: "A city", required: ["name"] };
    const { properties } = reportTool("json", outputSchema).inputSchema;
    expect(properties).toMatchObject({ content_json: outputSchema });
  });
});

describe("a schema as that of a property", () => {
  const to = "#/properties/p";
  const R = { $ref: "#" };
  const TO = { $ref: to };
  test.each([
    [
      "keeps what has no references",
      { type: "object", enum: [{ $ref: "#" }] },
      { schema: { type: "object", enum: [{ $ref: "#" }] }, root: {} },
    ],
    [
      "moves definitions to the root",
      { $ref: "#/$defs/a", $defs: { a: { items: { $ref: "#/$defs/a" } } } },
      { schema: { $ref: "#/$defs/a" }, root: { $defs: { a: { items: { $ref: "#/$defs/a" } } } } },
    ],
    [
      "moves the dialect to the root",
      { $schema: "http://json-schema.org/draft-07/schema#", type: "string" },
      { schema: { type: "string" }, root: { $schema: "http://json-schema.org/draft-07/schema#" } },
    ],
    [
      "redirects references to its root",
      { properties: { next: { $ref: "#" } } },
      { schema: { properties: { next: { $ref: to } } }, root: {} },
    ],
    [
      "redirects references within it",
      { anyOf: [{ $ref: "#/properties/a" }] },
      { schema: { anyOf: [{ $ref: `${to}/properties/a` }] }, root: {} },
    ],
    [
      "redirects in its definitions",
      { definitions: { a: { not: { $ref: "#" } } } },
      { schema: {}, root: { definitions: { a: { not: { $ref: to } } } } },
    ],
    [
      "knows a property called $ref",
      { properties: { $ref: { type: "string" } } },
      { schema: { properties: { $ref: { type: "string" } } }, root: {} },
    ],
    [
      "knows the data of examples and defaults",
      { const: R, enum: [R], default: R, example: R, examples: [R] },
      { schema: { const: R, enum: [R], default: R, example: R, examples: [R] }, root: {} },
    ],
    [
      "redirects wherever schemas have names",
      { patternProperties: { $ref: R }, dependentSchemas: { enum: R }, $defs: { const: R } },
      {
        schema: { patternProperties: { $ref: TO }, dependentSchemas: { enum: TO } },
        root: { $defs: { const: TO } },
      },
    ],
    [
      "leaves invalid maps alone",
      { properties: true, items: [R, true] },
      { schema: { properties: true, items: [TO, true] }, root: {} },
    ],
    [
      "leaves other documents and anchors alone",
      { allOf: [{ $ref: "city.json#/a" }, { $ref: "#here" }] },
      { schema: { allOf: [{ $ref: "city.json#/a" }, { $ref: "#here" }] }, root: {} },
    ],
    [
      "leaves a schema with an id alone",
      { $id: "x", $ref: "#/$defs/a", $defs: {} },
      { schema: { $id: "x", $ref: "#/$defs/a", $defs: {} }, root: {} },
    ],
    ["leaves a reference that is none alone", { $ref: 1 }, { schema: { $ref: 1 }, root: {} }],
  ] as const)("%s", (_, schema, nested) => {
    expect(nestSchema(schema, "p")).toEqual(nested);
  });
});
