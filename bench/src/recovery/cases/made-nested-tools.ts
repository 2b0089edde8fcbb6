import type { CorpusTool } from "../../corpus.ts";

const place = {
  type: "object",
  properties: {
    street: { type: "string", minLength: 3, maxLength: 80 },
    postcode: { type: "string", pattern: "^[0-9]{5}$" },
    country: { enum: ["DE", "FR", "IT", "ES"] },
  },
  required: ["street", "country"],
  additionalProperties: false,
} as const;

/** Depth, limits and formats. */
export const booking: CorpusTool = {
  name: "book_trip",
  inputSchema: {
    type: "object",
    $defs: { place },
    properties: {
      from: { $ref: "#/$defs/place" },
      to: { $ref: "#/$defs/place" },
      depart_on: { type: "string", format: "date" },
      passengers: {
        type: "array",
        minItems: 1,
        maxItems: 6,
        items: {
          type: "object",
          properties: {
            name: { type: "string", minLength: 1 },
            age: { type: "integer", minimum: 0, maximum: 120 },
            contact: {
              type: "object",
              properties: { email: { type: "string", format: "email" }, phone: { type: "string" } },
              required: ["email"],
              additionalProperties: false,
            },
          },
          required: ["name", "age"],
          additionalProperties: false,
        },
      },
      budget: { type: "number", exclusiveMinimum: 0, maximum: 20_000 },
      cabin: { type: "string", enum: ["economy", "premium_economy", "business", "first"] },
    },
    required: ["from", "to", "depart_on", "passengers"],
    additionalProperties: false,
  },
};

/** Variants that are told apart by a tag. */
export const editing: CorpusTool = {
  name: "edit_document",
  inputSchema: {
    type: "object",
    properties: {
      document_id: { type: "string", format: "uuid" },
      edits: {
        type: "array",
        minItems: 1,
        items: {
          oneOf: [
            {
              type: "object",
              properties: {
                kind: { const: "insert" },
                position: { type: "integer", minimum: 0 },
                text: { type: "string" },
              },
              required: ["kind", "position", "text"],
              additionalProperties: false,
            },
            {
              type: "object",
              properties: {
                kind: { const: "delete" },
                start: { type: "integer", minimum: 0 },
                end: { type: "integer", minimum: 1 },
              },
              required: ["kind", "start", "end"],
              additionalProperties: false,
            },
            {
              type: "object",
              properties: {
                kind: { const: "style" },
                style: { enum: ["bold", "italic", "code"] },
                range: {
                  type: "object",
                  properties: { start: { type: "integer" }, end: { type: "integer" } },
                  required: ["start", "end"],
                },
              },
              required: ["kind", "style", "range"],
              additionalProperties: false,
            },
          ],
        },
      },
      dry_run: { type: "boolean" },
    },
    required: ["document_id", "edits"],
    additionalProperties: false,
  },
};
