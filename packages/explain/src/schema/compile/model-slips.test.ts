import { explainedInWords, findingLine } from "../../testing/explained.ts";
import { describe, expect, test } from "vitest";

const COUNTRIES =
  "Austria Belgium Croatia Denmark Estonia Finland Greece Hungary Ireland Latvia Malta Poland Spain".split(
    " ",
  );

type Row = readonly [title: string, schema: object, value: unknown, ...faults: readonly string[]];

const text = { type: "string" };
const number = { type: "number" };
const integer = { type: "integer" };

function object(properties: object, required: readonly string[] = [], rest: object = {}): object {
  return { type: "object", properties, required, ...rest };
}

function closed(properties: object, required: readonly string[] = []): object {
  return object(properties, required, { additionalProperties: false });
}

/** Written as `code pointer | expected | hint | variant`, without absent parts. */
function explained(schema: object, value: unknown): readonly string[] {
  const findings = explainedInWords(schema, value);
  return (
    findings?.map((one) => findingLine(one, one.expected, one.hint, one.variant)) ?? ["accepted"]
  );
}

const query = { sql: text, timeout: integer };
const page = object({ id: text, title: text }, ["id", "title"]);

const wrapped: readonly Row[] = [
  [
    "the tool's own name around all arguments",
    closed(query, ["sql"]),
    { sql_query: { sql: "select 1", timeout: "5" } },
    'VAL-005 /sql_query | send the fields of "sql_query" one level up',
    "VAL-002 /sql_query/timeout | integer | send 5 without quotes",
  ],
  [
    "`arguments` around the arguments of an open object",
    object(query, ["sql"]),
    { arguments: { sql: "select 1" } },
    'VAL-005 /arguments | send the fields of "arguments" one level up',
  ],
  [
    "the arguments as a string",
    closed(query, ["sql"]),
    { input: '{"sql": 5}' },
    'VAL-005 /input | send the fields of "input" one level up',
    'VAL-002 /input/sql | string | use "5"',
  ],
  [
    "a field inside a field of the same name",
    object({ chart: closed({ type: text, data: text }, ["type", "data"]) }, ["chart"]),
    { chart: { chart: { type: "bar", data: "1" } } },
    'VAL-005 /chart/chart | send the fields of "chart" one level up',
  ],
  [
    "a wrapper of optional fields",
    object({ target: closed({ entity_id: text, area_id: text }) }),
    { target: { target: { entity_id: "light.kitchen" } } },
    'VAL-005 /target/target | send the fields of "target" one level up',
  ],
  [
    "not a wrapper: other fields of the same names",
    page,
    { user: { id: "5", name: "Ana" }, title: "x" },
    "VAL-001 /id | string",
  ],
  [
    "not a wrapper: a single field under a meaningful name",
    page,
    { user: { id: "5" }, title: "x" },
    "VAL-001 /id | string",
  ],
  [
    "no rename if the value does not fit there",
    closed({ title: text, comments: { type: "array", items: object({ body: text }) } }, ["title"]),
    { title: "x", _comment: "because" },
    "VAL-005 /_comment | only title, comments",
  ],
  [
    "a rename of a value that only needs to lose its quotes",
    closed({ maxResults: integer }, ["maxResults"]),
    { max_results: "5" },
    "VAL-002 /maxResults | integer | send 5 without quotes",
    'VAL-005 /max_results | only maxResults | rename it to "maxResults"',
  ],
  [
    "an object around a value: by a usual name, the field's own, or a copied schema",
    object({ a: text, b: integer, title: text, d: { enum: ["x", "y"] } }),
    {
      a: { value: "x" },
      b: { type: "integer", value: 5 },
      title: { title: "t" },
      d: { value: "y" },
    },
    'VAL-002 /a | string | use "x"',
    "VAL-002 /b | integer | use 5",
    'VAL-008 /d | one of "x", "y" | use "y"',
    'VAL-002 /title | string | use "t"',
  ],
  [
    "an object around a list",
    object({ ids: { type: "array", items: integer } }),
    { ids: { items: [1, 2] } },
    "VAL-002 /ids | array of integer | send the array itself, without an object around it",
  ],
  [
    "an object for a list of such objects, with a fault inside",
    object({
      boxes: {
        type: "array",
        items: object({ name: text, ports: { type: "array", items: text } }, ["name"]),
      },
    }),
    { boxes: { name: "w", ports: [80] } },
    "VAL-002 /boxes | array of object with name | put it in an array",
  ],
];

const lists: readonly Row[] = [
  [
    "allowed values in one string",
    object({ via: { type: "array", items: { enum: ["card", "ideal"] } } }),
    { via: "card, ideal" },
    'VAL-002 /via | array of one of "card", "ideal" | use ["card","ideal"]',
  ],
  [
    "numbers in one string",
    object({ ids: { type: "array", items: integer } }),
    { ids: "500" },
    "VAL-002 /ids | array of integer | use [500]",
  ],
  [
    "strings in one string",
    object({ tags: { type: "array", items: text } }),
    { tags: "one, two" },
    'VAL-002 /tags | array of string | send an array, such as ["one", "two"]',
  ],
  [
    "one string",
    object({ tags: { type: "array", items: text } }),
    { tags: "one" },
    "VAL-002 /tags | array of string | put it in an array",
  ],
  [
    "null for a field that nothing requires",
    { type: "object", properties: { price: { type: "number" } } },
    { price: null },
    "VAL-002 /price | number | leave it out",
  ],
  [
    "null for a field that a condition requires",
    {
      type: "object",
      properties: { type: { enum: ["limit", "market"] }, price: { type: "number" } },
      if: { properties: { type: { const: "limit" } } },
      then: { required: ["price"] },
    },
    { type: "limit", price: null },
    "VAL-002 /price | number",
  ],
  [
    "null for a nested field that a condition requires",
    {
      type: "object",
      properties: {
        orders: {
          type: "array",
          items: {
            allOf: [
              { type: "object", properties: { price: { type: "number" } } },
              { required: ["price"] },
            ],
          },
        },
      },
    },
    { orders: [{ price: 1 }, { price: null }] },
    "VAL-002 /orders/1/price | number",
  ],
  [
    "a long list, beside a hint",
    object({ a: { enum: COUNTRIES } }),
    { a: "Polnad" },
    'VAL-008 /a | one of "Poland", "Austria", "Belgium", "Croatia", "Denmark" and 8 more | use "Poland"',
  ],
  [
    "a long list, without a hint",
    object({ a: { enum: COUNTRIES } }),
    { a: "nil" },
    `VAL-008 /a | one of ${COUNTRIES.map((name) => JSON.stringify(name)).join(", ")}`,
  ],
  [
    "a value with a remark",
    object({ a: { enum: ["default", "public"] } }),
    { a: "Public (default)" },
    'VAL-008 /a | one of "default", "public" | use "public"',
  ],
  [
    "a multiple of a decimal",
    object({ a: { type: "number", multipleOf: 0.01 } }),
    { a: 19.99 },
    "accepted",
  ],
  [
    "not a multiple of a decimal",
    object({ a: { type: "number", multipleOf: 0.01 } }),
    { a: 19.995 },
    "VAL-003 /a | number, a multiple of 0.01",
  ],
  [
    "unknown fields do not count as too many",
    object({ r: { ...closed({ from: number, to: number }), maxProperties: 1 } }),
    { r: { from: 1, dry_run: true } },
    "VAL-005 /r/dry_run | only from, to | no such option: if the call needs it, ask the user",
  ],
  [
    "a missing field does not count as too few",
    object({ r: { ...closed({ op: text, width: number }, ["op"]), minProperties: 2 } }),
    { r: { width: 1 } },
    "VAL-001 /r/op | string",
  ],
  [
    "a wrong name before a wrong value",
    object({
      env: { type: "object", propertyNames: { pattern: "^[A-Z]+$" }, additionalProperties: text },
    }),
    { env: { path: 1 } },
    "VAL-003 /env/path | field names: string matching ^[A-Z]+$",
  ],
];

const edit = {
  ...object({ command: { enum: ["create", "insert"] }, file_text: text, line: integer }, [
    "command",
  ]),
  allOf: [
    { if: { properties: { command: { const: "create" } } }, then: { required: ["file_text"] } },
    { if: { properties: { command: { const: "insert" } } }, then: { required: ["line"] } },
  ],
};

const conditions: readonly Row[] = [
  [
    "a condition on a missing field is not checked",
    edit,
    {},
    'VAL-001 /command | one of "create", "insert"',
  ],
  [
    "a condition on a wrong field is not checked",
    edit,
    { command: "Create" },
    'VAL-008 /command | one of "create", "insert" | use "create"',
  ],
  ["a condition on a correct field", edit, { command: "insert" }, "VAL-014 /line | any value"],
  [
    "a wrong type hides what the value must not be",
    object({ data: { ...object({ name: text }, ["name"]), not: { required: ["on", "at"] } } }),
    { data: "" },
    "VAL-002 /data | object with name | leave it out",
  ],
  [
    "a rename that satisfies a choice of fields",
    {
      ...closed({ file_id: text, file_url: text }),
      oneOf: [{ required: ["file_id"] }, { required: ["file_url"] }],
    },
    { file_urls: "https://example.com" },
    'VAL-005 /file_urls | only file_id, file_url | rename it to "file_url"',
  ],
];

const cases = [...wrapped, ...lists, ...conditions].map(([title, schema, value, ...faults]) => ({
  title,
  schema,
  value,
  faults,
}));

describe("mistakes of models", () => {
  test.each(cases)("$title", ({ schema, value, faults }) => {
    expect(explained(schema, value)).toEqual(faults);
  });
});
