import { expect, test } from "vitest";
import { z as z4 } from "zod";
import { z as z3 } from "zod3";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { inWords } from "../../testing/in-words.ts";
import { validateStandard } from "../validate-standard.ts";

/** A rule of zod, in version 4 and 3, and what the issue alone says if it is broken. */
type Row = readonly [
  rule: string,
  zod4: StandardSchemaV1 | undefined,
  zod3: StandardSchemaV1 | undefined,
  input: unknown,
  finding: string,
];

const two = [z4.object({ kind: z4.literal("a") }), z4.object({ kind: z4.literal("b") })] as const;
const two3 = [z3.object({ kind: z3.literal("a") }), z3.object({ kind: z3.literal("b") })] as const;

const rows: readonly Row[] = [
  ["string", z4.string(), z3.string(), 5, "VAL-002 string"],
  ["int", z4.int(), z3.number().int(), 1.5, "VAL-002 integer"],
  ["int of a string", z4.int(), z3.number().int(), "x", "VAL-002 number"],
  ["tuple", z4.tuple([z4.string()]), z3.tuple([z3.string()]), "x", "VAL-002 array"],
  ["record", z4.record(z4.string(), z4.number()), z3.record(z3.number()), "x", "VAL-002 object"],
  ["bigint", z4.bigint(), z3.bigint(), "x", "VAL-002 integer"],
  ["array", z4.array(z4.string()), z3.array(z3.string()), "x", "VAL-002 array"],
  ["date", z4.date(), z3.date(), "x", 'VAL-010 date-time string such as "2026-01-31T09:30:00Z"'],
  [
    "date from a string",
    z4.coerce.date(),
    z3.coerce.date(),
    "x",
    'VAL-010 date-time string such as "2026-01-31T09:30:00Z"',
  ],
  ["never", z4.never(), z3.never(), "x", "VAL-005 nothing here"],
  ["undefined", z4.undefined(), z3.undefined(), "x", "VAL-005 nothing here"],
  ["void", z4.void(), z3.void(), "x", "VAL-005 nothing here"],
  [
    "missing field",
    z4.object({ a: z4.string() }),
    z3.object({ a: z3.string() }),
    {},
    "VAL-001 /a string",
  ],
  [
    "min of a string",
    z4.string().min(2),
    z3.string().min(2),
    "a",
    "VAL-009 string, at least 2 characters",
  ],
  [
    "max of a string",
    z4.string().max(2),
    z3.string().max(2),
    "abc",
    "VAL-009 string, at most 2 characters",
  ],
  [
    "length of a string",
    z4.string().length(2),
    z3.string().length(2),
    "a",
    "VAL-009 string, 2 characters",
  ],
  [
    "min of an array",
    z4.array(z4.any()).min(2),
    z3.array(z3.any()).min(2),
    [1],
    "VAL-006 array, at least 2 items",
  ],
  [
    "max of an array",
    z4.array(z4.any()).max(1),
    z3.array(z3.any()).max(1),
    [1, 2],
    "VAL-006 array, at most 1 item",
  ],
  [
    "length of an array",
    z4.array(z4.any()).length(2),
    z3.array(z3.any()).length(2),
    [1],
    "VAL-006 array, 2 items",
  ],
  ["min", z4.number().min(2), z3.number().min(2), 1, "VAL-003 number at least 2"],
  ["max", z4.number().max(2), z3.number().max(2), 3, "VAL-003 number at most 2"],
  ["gt", z4.number().gt(2), z3.number().gt(2), 2, "VAL-003 number above 2"],
  ["lt", z4.number().lt(2), z3.number().lt(2), 2, "VAL-003 number below 2"],
  ["min of an int", z4.int().min(2), z3.number().int().min(2), 1, "VAL-003 number at least 2"],
  ["safe int", z4.int(), undefined, 2 ** 53, "VAL-003 integer at most 9007199254740991"],
  [
    "min of a set",
    z4.set(z4.any()).min(2, "two"),
    z3.set(z3.any()).min(2, "two"),
    new Set([1]),
    "VAL-016 two",
  ],
  [
    "min of a date",
    z4.date().min(new Date(9), "later"),
    z3.date().min(new Date(9), "later"),
    new Date(1),
    "VAL-016 later",
  ],
  [
    "multipleOf",
    z4.number().multipleOf(2),
    z3.number().multipleOf(2),
    3,
    "VAL-003 number, a multiple of 2",
  ],
  [
    "finite",
    undefined,
    z3.number().finite(),
    Number.POSITIVE_INFINITY,
    "VAL-016 Number must be finite",
  ],
  ["enum", z4.enum(["a", "b"]), z3.enum(["a", "b"]), "c", 'VAL-008 one of "a", "b"'],
  ["enum of another type", z4.enum(["a", "b"]), undefined, 5, 'VAL-008 one of "a", "b"'],
  ["enum of another type", undefined, z3.enum(["a", "b"]), 5, "VAL-002"],
  ["literal", z4.literal("a"), z3.literal("a"), "c", 'VAL-008 "a"'],
  [
    "strict object",
    z4.strictObject({}),
    z3.object({}).strict(),
    { a: 1 },
    "VAL-005 /a nothing here",
  ],
  ["name in a record", z4.record(z4.string().min(2), z4.any()), undefined, { a: 1 }, "VAL-003 /a"],
  [
    "name in a record",
    undefined,
    z3.record(z3.string().min(2), z3.any()),
    { a: 1 },
    "VAL-009 /a string, at least 2 characters",
  ],
  [
    "discriminator",
    z4.discriminatedUnion("kind", two),
    z3.discriminatedUnion("kind", [...two3]),
    { kind: "c" },
    'VAL-008 /kind one of "a", "b"',
  ],
  [
    "union",
    z4.union([z4.string(), z4.number()]),
    z3.union([z3.string(), z3.number()]),
    true,
    "VAL-002 string or number",
  ],
  [
    "union of objects",
    z4.union([z4.object({ a: z4.string() }), z4.object({ b: z4.string(), c: z4.string() })]),
    z3.union([z3.object({ a: z3.string() }), z3.object({ b: z3.string(), c: z3.string() })]),
    { a: 1 },
    "VAL-002 /a string",
  ],
  [
    "intersection",
    undefined,
    z3.intersection(
      z3.string().transform(() => 1),
      z3.string().transform(() => 2),
    ),
    "x",
    "VAL-016 Intersection results could not be merged",
  ],
  [
    "custom",
    z4.custom(() => false, "must be free"),
    z3.custom(() => false, "must be free"),
    "x",
    "VAL-016 must be free",
  ],
  [
    "refine",
    z4.string().refine(() => false, "must be free"),
    z3.string().refine(() => false, "must be free"),
    "x",
    "VAL-016 must be free",
  ],
  ["regex", z4.string().regex(/^a/), undefined, "c", "VAL-007 string matching ^a"],
  ["regex", undefined, z3.string().regex(/^a/), "c", "VAL-007"],
  ["regex with flags", z4.string().regex(/^a/i), undefined, "c", "VAL-007 string matching /^a/i"],
  [
    "startsWith",
    z4.string().startsWith("a."),
    z3.string().startsWith("a."),
    "c",
    "VAL-007 string matching ^a\\.",
  ],
  [
    "endsWith",
    z4.string().endsWith("a."),
    z3.string().endsWith("a."),
    "c",
    "VAL-007 string matching a\\.$",
  ],
  [
    "includes",
    z4.string().includes("a."),
    z3.string().includes("a."),
    "c",
    "VAL-007 string matching a\\.",
  ],
  ["lowercase", z4.string().lowercase(), undefined, "A", "VAL-007 string matching ^[^A-Z]*$"],
  ["uppercase", z4.string().uppercase(), undefined, "a", "VAL-007 string matching ^[^a-z]*$"],
  [
    "template literal",
    z4.templateLiteral(["a", z4.number()]),
    undefined,
    "b",
    "VAL-007 string matching ^a-?\\d+(?:\\.\\d+)?$",
  ],
  ["email", z4.email(), z3.string().email(), "x", 'VAL-010 email string such as "ana@example.com"'],
  [
    "url",
    z4.url(),
    z3.string().url(),
    "x",
    'VAL-010 uri string such as "https://example.com/page"',
  ],
  ["uuid", z4.uuid(), z3.string().uuid(), "x", "VAL-010 uuid string"],
  ["guid", z4.guid(), undefined, "x", "VAL-010 uuid string"],
  [
    "datetime",
    z4.iso.datetime(),
    z3.string().datetime(),
    "x",
    'VAL-010 date-time string such as "2026-01-31T09:30:00Z"',
  ],
  ["ISO date", z4.iso.date(), z3.string().date(), "x", 'VAL-010 date string such as "2026-01-31"'],
  ["ISO time", z4.iso.time(), z3.string().time(), "x", "VAL-010 string in HH:MM:SS format"],
  ["ip", undefined, z3.string().ip(), "x", "VAL-010 string in IP address format"],
  ["ipv4", z4.ipv4(), undefined, "x", 'VAL-010 ipv4 string such as "192.0.2.1"'],
];

const ROWS = rows.flatMap(([rule, zod4, zod3, input, finding]) => [
  ...(zod4 ? [[`zod 4: ${rule}`, zod4, input, finding] as const] : []),
  ...(zod3 ? [[`zod 3: ${rule}`, zod3, input, finding] as const] : []),
]);

test.each(ROWS)(
  "without a JSON Schema, %s is written from its issue alone",
  (_, validator, input, finding) => {
    const verdict = validateStandard(validator, input, () => undefined);
    const findings = "then" in verdict || verdict.ok ? [] : verdict.findings.map(inWords);
    const lines = findings.map(({ code, path, expected, message }) =>
      [code, ...path.map((segment) => `/${segment}`), expected ?? message ?? ""].join(" ").trim(),
    );
    expect(lines).toEqual([finding]);
  },
);
