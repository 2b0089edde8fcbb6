import { engineOf } from "../../testing/engine.ts";
import { explainedInWords, findingLine } from "../../testing/explained.ts";
import { schemaValidator } from "../../findings/index.ts";
import { createCompilingCache } from "../compile/index.ts";
import { expectLinearCost } from "@toolcontract/case-table/cost";
import { describe, expect, test } from "vitest";

function explained(schema: object, value: unknown): readonly string[] {
  const findings = explainedInWords(schema, value);
  return (
    findings?.map((one) =>
      findingLine(one, one.message, one.expected, one.hint, one.variant && `as ${one.variant}`),
    ) ?? ["accepted"]
  );
}

const parents = {
  type: "object",
  properties: {
    parent: {
      anyOf: [
        {
          type: "object",
          properties: { page_id: { type: "string", format: "uuid" } },
          required: ["page_id"],
        },
        {
          type: "object",
          properties: { database_id: { type: "string" }, template: { type: "string" } },
          required: ["database_id"],
        },
      ],
    },
  },
  required: ["parent"],
};

const shapes = {
  $defs: {
    circle: {
      type: "object",
      properties: { kind: { const: "circle" }, radius: { type: "number" } },
      required: ["kind", "radius"],
    },
    box: {
      type: "object",
      properties: { kind: { const: "box" }, width: { type: "number" }, height: { type: "number" } },
      required: ["kind", "width", "height"],
    },
  },
  oneOf: [{ $ref: "#/$defs/circle" }, { $ref: "#/$defs/box" }],
};

const untagged = {
  $defs: shapes.$defs,
  type: "object",
  properties: { shape: { anyOf: [{ type: "null" }, { oneOf: shapes.oneOf }] } },
};

type Row = readonly [title: string, schema: object, value: unknown, ...faults: readonly string[]];

const rows: readonly Row[] = [
  [
    "the branch whose field was sent",
    parents,
    { parent: { page_id: 7 } },
    "VAL-002 /parent/page_id | uuid string | as page_id variant",
  ],
  [
    "a tie names both",
    parents,
    { parent: {} },
    "VAL-013 /parent | object with page_id, or with database_id",
  ],
  [
    "the branch of an optional field",
    parents,
    { parent: { template: "x" } },
    "VAL-001 /parent/database_id | string | as database_id variant",
  ],
  ["by the tag", shapes, { kind: "circle" }, "VAL-001 /radius | number | as circle variant"],
  [
    "a misspelt tag",
    shapes,
    { kind: "cirle", radius: "2" },
    'VAL-008 /kind | one of "circle", "box" | use "circle"',
    "VAL-002 /radius | number | send 2 without quotes | as circle variant",
  ],
  [
    "a wrong tag, chosen by the other keys",
    shapes,
    { kind: "rectangle", width: 1 },
    "VAL-001 /height | number | as box variant",
    'VAL-008 /kind | one of "box", "circle" | use "box"',
  ],
  ["no tag", shapes, { width: 1, height: 2 }, 'VAL-001 /kind | one of "box", "circle" | use "box"'],
  [
    "no tag where a branch has it as an option",
    {
      anyOf: [
        { properties: { kind: { const: "text" }, text: { type: "string" } }, required: ["text"] },
        {
          properties: { kind: { const: "file" }, path: { type: "string" } },
          required: ["kind", "path"],
        },
      ],
    },
    { text: 7 },
    'VAL-002 /text | string | use "7" | as text variant',
  ],
  [
    "a tag that a branch does not have",
    {
      anyOf: [
        {
          properties: { kind: { const: "text" }, text: { type: "string" } },
          required: ["kind", "text"],
        },
        {
          properties: { kind: { const: "file" }, path: { type: "string" } },
          required: ["kind", "path"],
        },
        { properties: { url: { type: "string" } }, required: ["url"] },
      ],
    },
    { kind: "link", url: 7 },
    'VAL-002 /url | string | use "7" | as url variant',
  ],
  [
    "a nullable union inside",
    untagged,
    { shape: { kind: "box", width: 1 } },
    "VAL-001 /shape/height | number | as box variant",
  ],
  [
    "no branch of this type",
    { anyOf: [{ type: "string" }, { type: "integer" }] },
    true,
    "VAL-002 / | string or integer",
  ],
  [
    "a string or a list of strings",
    { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    ["a", 1],
    'VAL-002 /1 | string | use "1"',
  ],
  [
    "constants",
    { oneOf: [{ const: "asc", title: "Up" }, { const: "desc" }] },
    "ascending",
    'VAL-008 / | one of "asc", "desc" | use "asc"',
  ],
  [
    "a list of values or null",
    { anyOf: [{ const: "asc" }, { enum: ["desc", "none"] }, { type: "null" }] },
    "ASC",
    'VAL-008 / | one of "asc", "desc", "none" or null | use "asc"',
  ],
  [
    "several fit",
    { oneOf: [{ type: "number", minimum: 1 }, { type: "integer" }] },
    5,
    "VAL-014 / | Fits several variants: number and integer | only one of number, integer",
  ],
  [
    "either field",
    {
      type: "object",
      properties: { position: {}, line: {} },
      anyOf: [{ required: ["position"] }, { required: ["line"] }],
    },
    {},
    "VAL-013 / | object with position, or with line",
  ],
  [
    "another form beside another type",
    { anyOf: [{ type: "string", pattern: "^[a-z]+$" }, { type: "integer" }] },
    "A-1",
    "VAL-007 / | string matching ^[a-z]+$ or integer",
  ],
  [
    "another form that fits another type",
    { anyOf: [{ type: "string", pattern: "^#" }, { type: "integer" }] },
    "12",
    "VAL-007 / | string matching ^# or integer | send 12 without quotes",
  ],
  [
    "another form with its own hint",
    { anyOf: [{ type: "string", pattern: "^[a-z]+$" }, { type: "integer" }] },
    "ABC",
    'VAL-007 / | string matching ^[a-z]+$ | use "abc"',
  ],
  [
    "another format beside another type",
    { anyOf: [{ type: "string", format: "uuid" }, { type: "integer" }] },
    "A-1",
    "VAL-010 / | uuid string or integer",
  ],
  [
    "another form beside null",
    { anyOf: [{ type: "string", pattern: "^[a-z]+$" }, { type: "null" }] },
    "A-1",
    "VAL-007 / | string matching ^[a-z]+$",
  ],
  [
    "an item of another form beside another type",
    { anyOf: [{ type: "array", items: { pattern: "^a" } }, { type: "integer" }] },
    ["b"],
    "VAL-007 /0 | string matching ^a",
  ],
  [
    "a string that is only too long",
    { anyOf: [{ type: "string", maxLength: 2 }, { type: "integer" }] },
    "A-1",
    "VAL-009 / | string, at most 2 characters",
  ],
  [
    "what all branches share is reported by itself",
    { anyOf: [{ required: ["id", "a"] }, { required: ["id", "b"] }] },
    {},
    "VAL-013 / | object with a, or with b",
    "VAL-001 /id | any value",
  ],
  [
    "open objects that overlap: the one with most of its fields",
    {
      anyOf: [
        { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
        {
          type: "object",
          properties: { lat: { type: "number" }, lon: { type: "number" } },
          required: ["lat", "lon"],
        },
      ],
    },
    { lat: 1, lon: "2" },
    "VAL-002 /lon | number | send 2 without quotes | as lat variant",
  ],
  [
    "formats of one type",
    {
      anyOf: [
        { type: "string", format: "email" },
        { type: "string", format: "ipv4" },
      ],
    },
    "x",
    'VAL-010 / | email string such as "ana@example.com" or ipv4 string such as "192.0.2.1"',
  ],
];

const cases = rows.map(([title, schema, value, ...faults]) => ({ title, schema, value, faults }));

test("what fits several variants without names is told what each of them is, and no numbers", () => {
  const oneOf = [
    { type: "integer", maximum: 9 },
    { type: "integer", minimum: 1 },
    { type: "integer", maximum: 0 },
  ];
  expect(explained({ oneOf }, 5)).toEqual([
    "VAL-014 / | Fits several variants | only one of (integer at most 9) and (integer at least 1)",
  ]);
});

const integer = { type: "integer" };

function object(properties: object, required: readonly string[], more: object = {}): object {
  return { type: "object", properties, required, ...more };
}

const ab = {
  anyOf: [
    object({ a: integer, b: integer }, ["a", "b"]),
    object({ a: integer, c: { type: "string" } }, ["a", "c"]),
  ],
};
const closedUnion = {
  anyOf: [
    object({ alpha: integer }, ["alpha"], { additionalProperties: false }),
    object({ beta: integer }, ["beta"], { additionalProperties: false }),
  ],
};
const modes = {
  anyOf: [
    object({ mode: { enum: ["x", "y"] }, n: integer }, ["mode", "n"]),
    object({ n: integer, q: { type: "string" } }, ["n", "q"]),
  ],
};
const tagOfSeveral = {
  anyOf: [
    object({ kind: { enum: ["a", "b"] }, x: integer }, ["kind", "x"]),
    object({ kind: { const: "c" }, y: integer }, ["kind", "y"]),
  ],
};
const deep = {
  anyOf: [object({ p: object({ q: integer }, ["q"]) }, ["p"]), object({ r: integer }, ["r"])],
};

const guesses: readonly (readonly [schema: object, value: unknown, faults: readonly string[]])[] = [
  [
    parents,
    { parent: { database_id: 7, template: 5 } },
    [
      'VAL-002 /parent/database_id | string | use "7" | as database_id variant',
      'VAL-002 /parent/template | string | use "5"',
    ],
  ],
  [
    parents,
    { parent: { template: 5 } },
    [
      "VAL-001 /parent/database_id | string | as database_id variant",
      'VAL-002 /parent/template | string | use "5"',
    ],
  ],
  [
    parents,
    { parent: { datbase_id: "x" } },
    [
      'VAL-001 /parent/database_id | string | rename "datbase_id" to "database_id" | as database_id variant',
    ],
  ],
  [parents, { parent: 5 }, ["VAL-002 /parent | object with page_id or object with database_id"]],
  [
    parents,
    { parent: { other: 1 } },
    ["VAL-013 /parent | object with page_id, or with database_id"],
  ],
  [parents, { parent: [] }, ["VAL-002 /parent | object with page_id or object with database_id"]],
  [
    parents,
    { parent: { page_id: "x", template: "y" } },
    ["VAL-010 /parent/page_id | uuid string | as page_id variant"],
  ],
  [shapes, {}, ['VAL-001 /kind | one of "circle", "box"']],
  [
    shapes,
    { kind: "circle", radius: "2" },
    ["VAL-002 /radius | number | send 2 without quotes | as circle variant"],
  ],
  [
    shapes,
    { knd: "box", width: 1 },
    ["VAL-001 /height | number", 'VAL-001 /kind | "box" | rename "knd" to "kind" | as box variant'],
  ],
  [
    shapes,
    { knd: "nope", width: 1 },
    [
      "VAL-001 /height | number | as box variant",
      'VAL-001 /kind | one of "box", "circle" | use "box"',
    ],
  ],
  [shapes, { kind: 5 }, ['VAL-008 /kind | one of "circle", "box"']],
  [shapes, { kind: "triangle" }, ['VAL-008 /kind | one of "circle", "box"']],
  [
    shapes,
    { kind: "triangle", radius: 1, width: 1, height: 1 },
    ['VAL-008 /kind | one of "circle", "box"'],
  ],
  [shapes, { radius: 1 }, ['VAL-001 /kind | one of "circle", "box" | use "circle"']],
  [
    shapes,
    { radius: "x" },
    [
      'VAL-001 /kind | one of "circle", "box" | use "circle"',
      "VAL-002 /radius | number | as circle variant",
    ],
  ],
  [
    shapes,
    { kind: "BOX", width: 1, height: 1 },
    ['VAL-008 /kind | one of "box", "circle" | use "box"'],
  ],
  [shapes, { kind: null }, ['VAL-008 /kind | one of "circle", "box"']],
  [
    shapes,
    "circle",
    ['VAL-002 / | object with kind "circle", radius or object with kind "box", width, height'],
  ],
  [
    shapes,
    { kind: "boxes", radius: 1 },
    [
      "VAL-001 /height | number",
      'VAL-008 /kind | one of "box", "circle" | use "box"',
      "VAL-001 /width | number | as box variant",
    ],
  ],
  [ab, { a: "x", b: 1 }, ["VAL-002 /a | integer | as b variant"]],
  [ab, { a: 1 }, ["VAL-013 / | object with b, or with c"]],
  [ab, { a: 1, b: "y" }, ["VAL-002 /b | integer | as b variant"]],
  [ab, { a: 1, c: 5 }, ['VAL-002 /c | string | use "5" | as c variant']],
  [ab, { b: 1, c: "x" }, ["VAL-001 /a | integer"]],
  [ab, {}, ["VAL-013 / | object with b, or with c", "VAL-001 /a | integer"]],
  [ab, { a: "x" }, ["VAL-013 / | object with b, or with c", "VAL-002 /a | integer"]],
  [ab, { a: 1, bb: 1 }, ["VAL-013 / | object with b, or with c"]],
  [ab, { z: 1 }, ["VAL-013 / | object with b, or with c", "VAL-001 /a | integer"]],
  [
    closedUnion,
    { alpha: 1, z: 1 },
    [
      "VAL-005 /z | only alpha | no such option: if the call needs it, ask the user | as alpha variant",
    ],
  ],
  [closedUnion, { alhpa: 1 }, ['VAL-005 /alhpa | only alpha | rename it to "alpha"']],
  [closedUnion, { z: 1 }, ["VAL-013 / | object with alpha or object with beta"]],
  [
    closedUnion,
    { alpha: 1, beta: 1 },
    ["VAL-014 / | Fields exclude each other | only one of alpha, beta"],
  ],
  [closedUnion, { alpha: "x" }, ["VAL-002 /alpha | integer | as alpha variant"]],
  [modes, { mode: "z", n: 1 }, ['VAL-008 /mode | one of "x", "y" | as mode variant']],
  [modes, { n: 1 }, ["VAL-013 / | object with mode, or with q"]],
  [
    modes,
    { mode: "z" },
    ['VAL-008 /mode | one of "x", "y"', "VAL-001 /n | integer | as mode variant"],
  ],
  [modes, { q: 5, n: 1 }, ['VAL-002 /q | string | use "5" | as q variant']],
  [tagOfSeveral, { x: 1 }, ['VAL-001 /kind | one of "a", "b", "c"']],
  [tagOfSeveral, { kind: "d", x: 1 }, ['VAL-008 /kind | one of "a", "b", "c"']],
  [
    tagOfSeveral,
    { kind: "d", y: "1" },
    [
      'VAL-008 /kind | one of "c", "a", "b" | use "c"',
      "VAL-002 /y | integer | send 1 without quotes | as c variant",
    ],
  ],
  [tagOfSeveral, { kind: "b" }, ["VAL-001 /x | integer | as x variant"]],
  [tagOfSeveral, { y: 1 }, ['VAL-001 /kind | one of "c", "a", "b" | use "c"']],
  [deep, { p: { q: "x" } }, ["VAL-002 /p/q | integer | as p variant"]],
  [deep, { p: {} }, ["VAL-001 /p/q | integer | as p variant"]],
  [deep, { p: 5 }, ["VAL-002 /p | object with q | as p variant"]],
  [deep, { p: {}, r: "x" }, ["VAL-001 /p/q | integer | as p variant"]],
  [
    {
      anyOf: [
        { type: "array", items: { type: "integer" } },
        {
          type: "array",
          items: { type: "object", properties: { a: { type: "integer" } }, required: ["a"] },
        },
      ],
    },
    ["x"],
    ["VAL-002 / | integer or object with a"],
  ],
  [
    {
      anyOf: [
        { type: "array", minItems: 2 },
        { type: "array", maxItems: 0 },
      ],
    },
    [1],
    ["VAL-006 / | array, at least 2 items or array, at most 0 items"],
  ],
  [
    {
      anyOf: [
        { type: "string", pattern: "^a" },
        { type: "string", pattern: "^b" },
      ],
    },
    "c",
    ["VAL-007 / | string matching ^a or string matching ^b"],
  ],
  [
    {
      anyOf: [
        { type: "string", minLength: 3 },
        { type: "string", format: "email" },
      ],
    },
    "x",
    ['VAL-013 / | string, at least 3 characters or email string such as "ana@example.com"'],
  ],
  [
    {
      anyOf: [
        { type: "integer", minimum: 5 },
        { type: "integer", maximum: 1 },
      ],
    },
    3,
    ["VAL-003 / | integer at least 5 or integer at most 1"],
  ],
  [{ anyOf: [{ type: "string" }, { type: "integer" }] }, null, ["VAL-002 / | string or integer"]],
  [{ anyOf: [{ type: "string" }, { type: "integer" }] }, {}, ["VAL-002 / | string or integer"]],
  [
    { anyOf: [{ type: "boolean" }, { type: "integer" }] },
    "5",
    ["VAL-002 / | boolean or integer | send 5 without quotes"],
  ],
  [{ anyOf: [{ type: "boolean" }, { type: "integer" }] }, "x", ["VAL-002 / | boolean or integer"]],
  [
    {
      oneOf: [
        { const: 1, title: "Low" },
        { const: 2, title: "High" },
      ],
    },
    "high",
    ["VAL-008 / | one of 1, 2 | use 2"],
  ],
  [
    {
      oneOf: [
        { const: 1, title: "Low" },
        { const: 2, title: "High" },
      ],
    },
    "none",
    ["VAL-008 / | one of 1, 2"],
  ],
  [
    {
      oneOf: [
        { const: 1, title: "Low" },
        { const: 2, title: "Low" },
      ],
    },
    "low",
    ["VAL-008 / | one of 1, 2"],
  ],
  [
    {
      anyOf: [
        { type: "object", additionalProperties: { type: "integer" } },
        { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
      ],
    },
    { x: "s" },
    ["VAL-002 /x | integer | as 1st variant"],
  ],
  [
    {
      oneOf: [
        { type: "object", properties: { a: { type: "integer" } }, required: ["a"] },
        { type: "object", properties: { b: { type: "integer" } }, required: ["b"] },
      ],
    },
    { a: 1, b: 1 },
    ["VAL-014 / | Fits several variants: a and b | only one of a, b"],
  ],
];

const operations = {
  oneOf: [
    object({ op: { const: "update" }, id: { type: "string" }, patch: {} }, ["op", "id", "patch"]),
    object({ op: { const: "delete" }, id: { type: "string" } }, ["op", "id"]),
  ],
};
const rehearsal = {
  oneOf: [
    object({ mode: { const: "plan" }, steps: {}, cmd: {} }, ["mode", "steps", "cmd"]),
    object({ mode: { const: "run" }, cmd: {}, cwd: {} }, ["mode", "cmd"]),
  ],
};
const channels = {
  oneOf: [
    object({ channel: { const: "email" }, to: {}, subject: {} }, ["channel", "to", "subject"]),
    object({ channel: { const: "sms" }, to: {} }, ["channel", "to"]),
    object({ channel: { const: "push" }, device: {} }, ["channel", "device"]),
  ],
};
const wrongOperation = 'VAL-008 /op | one of "update", "delete"';

test.each<[title: string, schema: object, value: unknown, ...faults: string[]]>([
  ["of another meaning", operations, { op: "modify", id: "7" }, wrongOperation],
  ["null", operations, { op: null, id: "7" }, wrongOperation],
  ["a number", operations, { op: 1, id: "7" }, wrongOperation],
  ["missing", operations, { id: "7" }, 'VAL-001 /op | one of "update", "delete"'],
  [
    "beside a fault of all branches",
    operations,
    { op: "modify", id: 7 },
    'VAL-002 /id | string | use "7"',
    wrongOperation,
  ],
  [
    "near in spelling",
    operations,
    { op: "Delete", id: "7" },
    'VAL-008 /op | one of "delete", "update" | use "delete"',
  ],
  [
    "beside a field of one branch",
    operations,
    { id: "7", patch: {} },
    'VAL-001 /op | one of "update", "delete" | use "update"',
  ],
  [
    "beside fields of two branches",
    rehearsal,
    { cmd: "x", cwd: "/", steps: [] },
    'VAL-001 /mode | one of "plan", "run"',
  ],
  ["a rehearsal", rehearsal, { mode: "preview", cmd: "x" }, 'VAL-008 /mode | one of "plan", "run"'],
  [
    "a rehearsal beside a field of the run",
    rehearsal,
    { mode: "dry_run", cmd: "x", cwd: "/" },
    'VAL-008 /mode | one of "plan", "run"',
  ],
  [
    "a letter short",
    channels,
    { channel: "mail", to: "x" },
    'VAL-008 /channel | one of "email", "sms", "push"',
  ],
])("a tag, %s, is hinted only if the call points to one", (_, schema, value, ...faults) => {
  expect(explained(schema, value)).toEqual(faults);
});

test("of branches without tags, the one that asks for less is not chosen for it", () => {
  const branches = {
    anyOf: [
      object({ id: {}, patch: {}, why: {} }, ["id", "patch", "why"]),
      object({ id: {}, confirm: { const: "delete" } }, ["id", "confirm"]),
    ],
  };
  expect(explained(branches, { id: "7" })).toEqual([
    "VAL-013 / | object with patch, why, or with confirm",
  ]);
});

test("a field of a branch that is not chosen is not an unknown one", () => {
  const closed = { ...operations, properties: {}, unevaluatedProperties: false };
  expect(explained(closed, { op: "modify", id: "7" })).toEqual([wrongOperation]);
});

describe("unions", () => {
  test.each(cases)("$title", ({ schema, value, faults }) => {
    expect(explained(schema, value)).toEqual(faults);
  });

  test.each(guesses)("%#: of %j, the value %j", (schema, value, faults) => {
    expect(explained(schema, value)).toEqual(faults);
  });

  test("a recursive union of two alike branches is explained at its bottom", () => {
    const branch = {
      type: "object",
      properties: { next: { $ref: "#/$defs/node" } },
      required: ["next"],
    };
    const schema = {
      $defs: { node: { anyOf: [branch, { ...branch, title: "other" }, { type: "null" }] } },
      $ref: "#/$defs/node",
    };
    let value: unknown = 5;
    for (let depth = 0; depth < 60; depth += 1) value = { next: value };
    const compiled = createCompilingCache(engineOf(false)).get(schema);
    const validator = schemaValidator(compiled, () => undefined);
    expect(validator.validate(value, false)).toMatchObject({
      ok: false,
      findings: [{ code: "VAL-002", path: Array.from({ length: 60 }, () => "next") }],
    });
  });
});

test("a union costs no more than its branches, however many", async () => {
  await expectLinearCost((branches) => {
    const anyOf = Array.from({ length: branches }, (_, index) => ({
      properties: { kind: { const: `kind-${index}` } },
      required: ["kind"],
    }));
    const compiled = createCompilingCache().get({ anyOf });
    return () => compiled.explain({ kind: "none" });
  }, 500);
});
