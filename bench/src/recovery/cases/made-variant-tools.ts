import type { CorpusTool } from "../../corpus.ts";

/** Variants without a tag, one of them within itself. */
export const filtering: CorpusTool = {
  name: "search_records",
  inputSchema: {
    type: "object",
    $defs: {
      condition: {
        anyOf: [
          {
            type: "object",
            properties: {
              field: { type: "string" },
              equals: { type: ["string", "number", "boolean"] },
            },
            required: ["field", "equals"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: {
              field: { type: "string" },
              between: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 },
            },
            required: ["field", "between"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: {
              all: { type: "array", items: { $ref: "#/$defs/condition" }, minItems: 1 },
            },
            required: ["all"],
            additionalProperties: false,
          },
        ],
      },
    },
    properties: {
      table: { type: "string", pattern: "^[a-z_]+$" },
      where: { $ref: "#/$defs/condition" },
      sort: {
        anyOf: [
          { type: "string" },
          {
            type: "object",
            properties: {
              by: { type: "string" },
              direction: { enum: ["ascending", "descending"] },
            },
            required: ["by"],
            additionalProperties: false,
          },
        ],
      },
      columns: { type: "array", items: { type: "string" }, uniqueItems: true },
      limit: { type: "integer", minimum: 1, maximum: 500 },
      cursor: { anyOf: [{ type: "string" }, { type: "null" }] },
    },
    required: ["table", "where"],
    additionalProperties: false,
  },
};

/** Variants that are told apart by their keys, and an open table. */
export const paying: CorpusTool = {
  name: "send_payment",
  inputSchema: {
    type: "object",
    properties: {
      amount: { type: "number", minimum: 0.01, maximum: 10_000, multipleOf: 0.01 },
      currency: { type: "string", enum: ["EUR", "USD", "GBP"] },
      to: {
        oneOf: [
          {
            type: "object",
            properties: { iban: { type: "string", minLength: 15, maxLength: 34 } },
            required: ["iban"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: {
              card: {
                type: "object",
                properties: {
                  number: { type: "string", pattern: "^[0-9]{16}$" },
                  expires: { type: "string", pattern: "^[0-9]{2}/[0-9]{2}$" },
                },
                required: ["number", "expires"],
                additionalProperties: false,
              },
            },
            required: ["card"],
            additionalProperties: false,
          },
        ],
      },
      note: { type: "string", maxLength: 140 },
      execute_at: { type: "string", format: "date-time" },
      tags: { type: "object", additionalProperties: { type: "string" } },
    },
    required: ["amount", "currency", "to"],
    additionalProperties: false,
  },
};
