import { expect, test } from "vitest";
import { z } from "zod";
import { createContract } from "./create-contract.ts";
import type { ToolDefinition } from "../shared/index.ts";

type Row = readonly [title: string, field: object, value: unknown, ...lines: readonly string[]];

const text = { type: "string" };
const integer = { type: "integer" };

function object(properties: object, required: readonly string[], rest: object = {}): object {
  return { type: "object", properties, required, ...rest };
}

function closed(properties: object, required: readonly string[]): object {
  return object(properties, required, { additionalProperties: false });
}

const account = { oneOf: [closed({ iban: text }, ["iban"]), closed({ card: text }, ["card"])] };
const contact = {
  anyOf: [
    object({ email: text }, ["email"]),
    object({ phone: text }, ["phone"]),
    object({ street: text, city: text }, ["street", "city"]),
  ],
};
const action = {
  oneOf: [
    closed({ type: { const: "click" }, selector: text }, ["type", "selector"]),
    closed({ type: { const: "fill" }, selector: text, value: text }, ["type", "selector", "value"]),
  ],
};
const rule = {
  anyOf: [
    closed({ op: { enum: ["and", "or"] }, args: { type: "array" } }, ["op", "args"]),
    closed({ op: { enum: ["eq", "lt"] }, field: text, value: text }, ["op", "field", "value"]),
  ],
};
const parent = {
  oneOf: [
    object({ type: { type: "string", const: "page_id" }, page_id: text }, ["type", "page_id"]),
    object({ database_id: text }, ["database_id"]),
  ],
};
const shape = {
  oneOf: [
    object({ type: { const: "Point" }, at: { type: "array", items: integer } }, ["type", "at"]),
    object({ type: { const: "Line" }, at: { type: "array", items: { type: "array" } } }, [
      "type",
      "at",
    ]),
  ],
};
const ids = { anyOf: [{ type: "array", items: integer, minItems: 1 }, { const: "*" }] };
const restart = { anyOf: [{ enum: ["no", "always"] }, { type: "string", pattern: "^on-failure" }] };
const size = {
  oneOf: [
    { const: "S", title: "Small" },
    { const: "M", title: "Medium" },
  ],
};
const id = { anyOf: [{ type: "string", format: "uuid" }, integer] };
const options = {
  anyOf: [
    object({ mode: { type: "string" }, depth: { type: "integer", minimum: 1 } }, ["mode"]),
    { type: "null" },
  ],
};

const rows: readonly Row[] = [
  [
    "a misspelt key names its variant",
    account,
    { IBAN: "DE89" },
    '- /a/IBAN (VAL-005): unknown field; expected only iban; rename it to "iban"',
  ],
  [
    "a key of no variant: all variants are named",
    contact,
    { fax: "1" },
    '- /a (VAL-013): {"fax": "1"}; expected object with email, or with phone, or with street, city',
  ],
  [
    "a misspelt tag key names its variant",
    action,
    { Type: "fill", selector: "#b" },
    '- /a/Type (VAL-005): unknown field; expected only type, selector, value; rename it to "type"',
    "- /a/value (VAL-001): missing; expected string",
  ],
  [
    "no guess if the variant allows several tags",
    rule,
    { op: "<", field: "x", value: "y" },
    '- /a/op (VAL-008): "<"; expected one of "eq", "lt", "and", "or"',
  ],
  [
    "a tag in a list names its variant, whose other fields are reported",
    parent,
    { type: ["page_id"] },
    "- /a/page_id (VAL-001): missing; expected string; as page_id variant",
    '- /a/type (VAL-002): ["page_id"]; expected "page_id"; use "page_id"',
  ],
  [
    "what every variant lacks is reported without a tag",
    shape,
    { type: null },
    "- /a/at (VAL-001): missing; expected array of integer or array of array",
    '- /a/type (VAL-008): null; expected one of "Point", "Line"',
  ],
  [
    "a value of another type does not rule the list out",
    ids,
    ["1", "2"],
    '- /a/0 (VAL-002): "1"; expected integer; send 1 without quotes',
    '- /a/1 (VAL-002): "2"; expected integer; send 2 without quotes',
  ],
  [
    "the only hint of all variants",
    ids,
    5,
    '- /a (VAL-002): 5; expected "*" or array of integer, at least 1 item; put it in an array',
  ],
  [
    "a near value beside a pattern",
    restart,
    "Always",
    '- /a (VAL-013): "Always"; expected one of "no", "always" or string matching ^on-failure; use "always"',
  ],
  [
    "a title instead of its value",
    size,
    "medium",
    '- /a (VAL-008): "medium"; expected one of "S", "M"; use "M"',
  ],
  [
    "the other types beside a failed format",
    id,
    "7",
    '- /a (VAL-010): "7"; expected uuid string or integer; send 7 without quotes',
  ],
  [
    "no hint to quote a number if numbers are accepted",
    { type: ["integer", "string"] },
    3.5,
    "- /a (VAL-002): 3.5; expected integer or string",
  ],
  [
    "the JSON in a string instead of an object",
    options,
    '{"mode":"fast","depth":0}',
    '- /a (VAL-002): "{\\"mode\\":\\"fast\\",\\"depth\\":0}"; expected object with mode or null; send the object itself, not a JSON string',
    "- /a/depth (VAL-003): 0; expected integer at least 1",
  ],
  [
    "names that read as words",
    { oneOf: [object({ and: text }, ["and"]), object({ or: text }, ["or"])] },
    {},
    '- /a (VAL-013): {}; expected object with "and", or with "or"',
  ],
  [
    "limits of a string with a pattern",
    { type: "string", minLength: 3, pattern: "^a" },
    "b",
    '- /a (VAL-009): "b"; expected string, at least 3 characters matching ^a',
  ],
  [
    "a list of numbers",
    { type: "integer", enum: [1, 2, 3] },
    "x",
    '- /a (VAL-002): "x"; expected one of 1, 2, 3',
  ],
];

async function linesOf(tool: ToolDefinition, value: unknown): Promise<readonly string[]> {
  const contract = createContract({ format: { style: "compact" }, logger: () => undefined });
  const call = { id: "1", name: "t", arguments: { a: value } };
  const admission = await contract.admit(call, { tool, conversationId: "c" });
  if (admission.status === "admitted") return ["admitted"];
  return admission.result.content.split("\n").slice(1, -1);
}

test.each(rows)("%s, for JSON Schema and zod alike", async (_, field, value, ...lines) => {
  const inputSchema = object({ a: field }, ["a"]);
  const validator = z.fromJSONSchema(inputSchema as never);
  expect(await linesOf({ name: "t", inputSchema: inputSchema as never }, value)).toEqual(lines);
  expect(await linesOf({ name: "t", validator }, value)).toEqual(lines);
});
