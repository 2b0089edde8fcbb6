import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";
import { textOf } from "./messages.ts";
import { LABS } from "./testing/every-langchain.ts";
import type { Lab } from "./testing/langchain.ts";
import { runAgent } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";
import { createToolDefinitions } from "./tool-definitions.ts";

type Row = readonly [name: string, schema: unknown, args: unknown, errors: readonly string[]];

/** The lines between the first and the last that the model reads. */
async function errorsOf(lab: Lab, schema: unknown, args: unknown): Promise<readonly string[]> {
  const { tool } = spied(lab, "act", schema);
  const { results } = await runAgent(lab, {
    turns: [{ calls: [{ id: "a", name: "act", args: JSON.stringify(args) }] }],
    tools: [tool],
  });
  return textOf(results[0]!).split("\n").slice(3, -2);
}

interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}
const tree3: z3.ZodType<Tree> = z3.lazy(() =>
  z3.object({ name: z3.string(), children: z3.array(tree3) }),
);
const treeV: v.GenericSchema<Tree> = v.lazy(() =>
  v.object({ name: v.string(), children: v.array(treeV) }),
);
const person3 = z3.object({ name: z3.string().min(2), age: z3.number().int() });
const addr3 = z3.object({ street: z3.string(), zip: z3.string().length(5) });
const personV = v.object({
  name: v.pipe(v.string(), v.minLength(2)),
  age: v.pipe(v.number(), v.integer()),
});
const addrV = v.object({ street: v.string(), zip: v.pipe(v.string(), v.length(5)) });

const ZOD3: readonly Row[] = [
  [
    "missing of several",
    z3.object({
      a: z3.string(),
      b: z3.number().int(),
      c: z3.boolean(),
      d: z3.array(z3.string()),
      e: z3.object({ f: z3.string() }),
    }),
    {},
    [
      "• /a (VAL-001): Required field 'a' is missing",
      "  Expected: string",
      "• /b (VAL-001): Required field 'b' is missing",
      "  Expected: integer",
      "• /c (VAL-001): Required field 'c' is missing",
      "  Expected: boolean",
      "• /d (VAL-001): Required field 'd' is missing",
      "  Expected: array of string",
      "• /e (VAL-001): Required field 'e' is missing",
      "  Expected: object with f",
    ],
  ],
  [
    "missing bounded",
    z3.object({ n: z3.number().int().min(1).max(9), s: z3.string().min(3).max(3) }),
    {},
    [
      "• /n (VAL-001): Required field 'n' is missing",
      "  Expected: integer from 1 to 9",
      "• /s (VAL-001): Required field 's' is missing",
      "  Expected: string, 3 characters",
    ],
  ],
  [
    "missing nested",
    z3.object({ person: person3 }),
    { person: { name: "Ana" } },
    ["• /person/age (VAL-001): Required field 'age' is missing", "  Expected: integer"],
  ],
  [
    "missing near name",
    z3.object({ path: z3.string(), mode: z3.string().optional() }),
    { pth: "x" },
    [
      "• /path (VAL-001): Required field 'path' is missing",
      "  Expected: string",
      '  Hint: rename "pth" to "path"',
    ],
  ],
  [
    "missing near name strict",
    z3.object({ path: z3.string() }).strict(),
    { pth: "x" },
    [
      "• /pth (VAL-005): Unknown field 'pth'",
      "  Expected: only path",
      '  Hint: rename it to "path"',
    ],
  ],
  [
    "one level too deep",
    z3.object({ person: person3 }),
    { name: "Ana", age: 3 },
    [
      "• /person (VAL-001): Required field 'person' is missing",
      "  Expected: object with name, age",
    ],
  ],
  [
    "missing date",
    z3.object({ at: z3.date() }),
    {},
    [
      "• /at (VAL-001): Required field 'at' is missing",
      '  Expected: date-time string such as "2026-01-31T09:30:00Z"',
    ],
  ],
  [
    "missing union",
    z3.object({ id: z3.union([z3.string(), z3.number()]) }),
    {},
    ["• /id (VAL-001): Required field 'id' is missing", "  Expected: string or number"],
  ],
  [
    "missing nullable",
    z3.object({ id: z3.string().nullable() }),
    {},
    ["• /id (VAL-001): Required field 'id' is missing", "  Expected: string or null"],
  ],
  [
    "number as string",
    z3.object({ seats: z3.number() }),
    { seats: "2" },
    [
      "• /seats (VAL-002): Type mismatch: expected number, got string",
      "  Expected: number",
      '  Actual: "2"',
      "  Hint: send 2 without quotes",
    ],
  ],
  [
    "integer as float",
    z3.object({ seats: z3.number().int() }),
    { seats: 2.5 },
    [
      "• /seats (VAL-002): Type mismatch: expected integer, got number",
      "  Expected: integer",
      "  Actual: 2.5",
    ],
  ],
  [
    "string as number",
    z3.object({ path: z3.string() }),
    { path: 5 },
    [
      "• /path (VAL-002): Type mismatch: expected string, got integer",
      "  Expected: string",
      "  Actual: 5",
      '  Hint: use "5"',
    ],
  ],
  [
    "boolean as string",
    z3.object({ on: z3.boolean() }),
    { on: "true" },
    [
      "• /on (VAL-002): Type mismatch: expected boolean, got string",
      "  Expected: boolean",
      '  Actual: "true"',
      "  Hint: send true without quotes",
    ],
  ],
  [
    "optional as null",
    z3.object({ path: z3.string().optional() }),
    { path: null },
    [
      "• /path (VAL-002): Type mismatch: expected string, got null",
      "  Expected: string",
      "  Actual: null",
      "  Hint: leave it out",
    ],
  ],
  [
    "nullable wrong",
    z3.object({ path: z3.string().nullable() }),
    { path: 3 },
    [
      "• /path (VAL-002): Type mismatch: expected string or null, got integer",
      "  Expected: string or null",
      "  Actual: 3",
      '  Hint: use "3"',
    ],
  ],
  [
    "object as string",
    z3.object({ person: person3 }),
    { person: '{"name":"Ana","age":3}' },
    [
      "• /person (VAL-002): Type mismatch: expected object, got string",
      "  Expected: object with name, age",
      '  Actual: "{\\"name\\":\\"Ana\\",\\"age\\":3}"',
      "  Hint: send the object itself, not a JSON string",
    ],
  ],
  [
    "array as string",
    z3.object({ list: z3.array(z3.string()) }),
    { list: "a" },
    [
      "• /list (VAL-002): Type mismatch: expected array, got string",
      "  Expected: array of string",
      '  Actual: "a"',
      "  Hint: put it in an array",
    ],
  ],
  [
    "array as json string",
    z3.object({ list: z3.array(z3.number()) }),
    { list: "[1,2]" },
    [
      "• /list (VAL-002): Type mismatch: expected array, got string",
      "  Expected: array of number",
      '  Actual: "[1,2]"',
      "  Hint: send the array itself, not a JSON string",
    ],
  ],
  [
    "coerced date",
    z3.object({ at: z3.coerce.date() }),
    { at: "soon" },
    [
      "• /at (VAL-010): Invalid format",
      '  Expected: date-time string such as "2026-01-31T09:30:00Z"',
      '  Actual: "soon"',
    ],
  ],
  [
    "enum",
    z3.object({ mode: z3.enum(["fast", "slow"]) }),
    { mode: "quick" },
    [
      "• /mode (VAL-008): Invalid enum value",
      '  Expected: one of "fast", "slow"',
      '  Actual: "quick"',
    ],
  ],
  [
    "enum near",
    z3.object({ mode: z3.enum(["fast", "slow"]) }),
    { mode: "Fast" },
    [
      "• /mode (VAL-008): Invalid enum value",
      '  Expected: one of "fast", "slow"',
      '  Actual: "Fast"',
      '  Hint: use "fast"',
    ],
  ],
  [
    "enum nullable",
    z3.object({ mode: z3.enum(["fast", "slow"]).nullable() }),
    { mode: "quick" },
    [
      "• /mode (VAL-008): Invalid enum value",
      '  Expected: one of "fast", "slow" or null',
      '  Actual: "quick"',
    ],
  ],
  [
    "native enum",
    z3.object({ level: z3.nativeEnum({ Low: 0, High: 1, 0: "Low", 1: "High" } as const) }),
    { level: "Low" },
    ["• /level (VAL-002): Type mismatch: got string", "  Expected: one of 0, 1", '  Actual: "Low"'],
  ],
  [
    "literal number as string",
    z3.object({ v: z3.literal(3) }),
    { v: "3" },
    [
      "• /v (VAL-002): Type mismatch: expected integer, got string",
      "  Expected: 3",
      '  Actual: "3"',
      "  Hint: send 3 without quotes",
    ],
  ],
  [
    "union of literals",
    z3.object({ kind: z3.union([z3.literal("a"), z3.literal("b")]) }),
    { kind: "c" },
    ["• /kind (VAL-008): Invalid enum value", '  Expected: one of "a", "b"', '  Actual: "c"'],
  ],
  [
    "number min max",
    z3.object({ n: z3.number().min(1).max(5) }),
    { n: 9 },
    ["• /n (VAL-003): Value out of range", "  Expected: number from 1 to 5", "  Actual: 9"],
  ],
  [
    "number gt",
    z3.object({ n: z3.number().gt(1) }),
    { n: 1 },
    ["• /n (VAL-003): Value out of range", "  Expected: number above 1", "  Actual: 1"],
  ],
  [
    "number multipleOf",
    z3.object({ n: z3.number().multipleOf(5) }),
    { n: 7 },
    ["• /n (VAL-003): Constraint violated", "  Expected: number, a multiple of 5", "  Actual: 7"],
  ],
  [
    "string min max",
    z3.object({ s: z3.string().min(2).max(3) }),
    { s: "abcd" },
    [
      "• /s (VAL-009): String length 4 exceeds maximum 3",
      "  Expected: string, from 2 to 3 characters",
      '  Actual: "abcd"',
    ],
  ],
  [
    "string min max wrong type",
    z3.object({ s: z3.string().min(2).max(3) }),
    { s: 12 },
    [
      "• /s (VAL-002): Type mismatch: expected string, got integer",
      "  Expected: string, from 2 to 3 characters",
      "  Actual: 12",
      '  Hint: use "12"',
    ],
  ],
  [
    "array min",
    z3.object({ list: z3.array(z3.string()).min(2) }),
    { list: ["a"] },
    [
      "• /list (VAL-006): Array length 1 is below minimum 2",
      "  Expected: array of string, at least 2 items",
      '  Actual: ["a"]',
    ],
  ],
  [
    "array items",
    z3.object({ list: z3.array(z3.number()) }),
    { list: [1, "2", "x"] },
    [
      "• /list/1 (VAL-002): Type mismatch: expected number, got string",
      "  Expected: number",
      '  Actual: "2"',
      "  Hint: send 2 without quotes",
      "• /list/2 (VAL-002): Type mismatch: expected number, got string",
      "  Expected: number",
      '  Actual: "x"',
    ],
  ],
  [
    "array of objects",
    z3.object({ people: z3.array(person3) }),
    { people: [{ name: "A", age: "3" }, {}, "x"] },
    [
      "• /people/0/age (VAL-002): Type mismatch: expected integer, got string",
      "  Expected: integer",
      '  Actual: "3"',
      "  Hint: send 3 without quotes",
      "• /people/0/name (VAL-009): String length 1 is below minimum 2",
      "  Expected: string, at least 2 characters",
      '  Actual: "A"',
      "• /people/1/age (VAL-001): Required field 'age' is missing",
      "  Expected: integer",
      "• /people/1/name (VAL-001): Required field 'name' is missing",
      "  Expected: string, at least 2 characters",
      "• /people/2 (VAL-002): Type mismatch: expected object, got string",
      "  Expected: object with name, age",
      '  Actual: "x"',
    ],
  ],
  [
    "tuple short",
    z3.object({ at: z3.tuple([z3.number(), z3.number()]) }),
    { at: [1] },
    [
      "• /at (VAL-006): Array length 1 is below minimum 2",
      "  Expected: array [number, number], 2 items",
      "  Actual: [1]",
    ],
  ],
  [
    "tuple item",
    z3.object({ at: z3.tuple([z3.number(), z3.string()]) }),
    { at: ["1", "a"] },
    [
      "• /at/0 (VAL-002): Type mismatch: expected number, got string",
      "  Expected: number",
      '  Actual: "1"',
      "  Hint: send 1 without quotes",
    ],
  ],
  [
    "record value",
    z3.object({ env: z3.record(z3.string()) }),
    { env: { A: 1 } },
    [
      "• /env/A (VAL-002): Type mismatch: expected string, got integer",
      "  Expected: string",
      "  Actual: 1",
      '  Hint: use "1"',
    ],
  ],
  [
    "record key enum",
    z3.object({ env: z3.record(z3.enum(["a", "b"]), z3.number()) }),
    { env: { c: 1 } },
    ["• /env/c (VAL-003): Constraint violated", '  Expected: field names: one of "a", "b"'],
  ],
  [
    "union of types",
    z3.object({ id: z3.union([z3.string(), z3.number()]) }),
    { id: true },
    [
      "• /id (VAL-002): Type mismatch: expected string or number, got boolean",
      "  Expected: string or number",
      "  Actual: true",
      '  Hint: use "true"',
    ],
  ],
  [
    "union of checked types",
    z3.object({ id: z3.union([z3.string().min(3), z3.number().int()]) }),
    { id: "a" },
    [
      "• /id (VAL-009): String length 1 is below minimum 3",
      "  Expected: string, at least 3 characters",
      '  Actual: "a"',
    ],
  ],
  [
    "union scalar array item",
    z3.object({ id: z3.union([z3.string(), z3.array(z3.string())]) }),
    { id: [5] },
    [
      "• /id/0 (VAL-002): Type mismatch: expected string, got integer",
      "  Expected: string",
      "  Actual: 5",
      '  Hint: use "5"',
    ],
  ],
  [
    "union of objects",
    z3.object({ who: z3.union([person3, addr3]) }),
    { who: { name: "Ana" } },
    [
      "• /who/age (VAL-001): Required field 'age' is missing",
      "  As: name variant",
      "  Expected: integer",
    ],
  ],
  [
    "discriminated",
    z3.object({
      do: z3.discriminatedUnion("kind", [
        z3.object({ kind: z3.literal("move"), x: z3.number() }),
        z3.object({ kind: z3.literal("say"), text: z3.string() }),
      ]),
    }),
    { do: { kind: "move", x: "1" } },
    [
      "• /do/x (VAL-002): Type mismatch: expected number, got string",
      "  As: move variant",
      "  Expected: number",
      '  Actual: "1"',
      "  Hint: send 1 without quotes",
    ],
  ],
  [
    "discriminated wrong tag",
    z3.object({
      do: z3.discriminatedUnion("kind", [
        z3.object({ kind: z3.literal("move"), x: z3.number() }),
        z3.object({ kind: z3.literal("say"), text: z3.string() }),
      ]),
    }),
    { do: { kind: "mov", x: 1 } },
    [
      "• /do/kind (VAL-008): Invalid enum value",
      '  Expected: one of "move", "say"',
      '  Actual: "mov"',
      '  Hint: use "move"',
    ],
  ],
  [
    "nullable object",
    z3.object({ p: person3.nullable() }),
    { p: { name: "Ana", age: "3" } },
    [
      "• /p/age (VAL-002): Type mismatch: expected integer, got string",
      "  Expected: integer",
      '  Actual: "3"',
      "  Hint: send 3 without quotes",
    ],
  ],
  [
    "intersection",
    z3.object({ p: z3.intersection(z3.object({ a: z3.string() }), z3.object({ b: z3.number() })) }),
    { p: { a: 1 } },
    [
      "• /p/a (VAL-002): Type mismatch: expected string, got integer",
      "  Expected: string",
      "  Actual: 1",
      '  Hint: use "1"',
      "• /p/b (VAL-001): Required field 'b' is missing",
      "  Expected: number",
    ],
  ],
  [
    "strict extra",
    z3.object({ path: z3.string() }).strict(),
    { path: "a", extra: 1 },
    ["• /extra (VAL-005): Unknown field 'extra'", "  Expected: only path", "  Hint: leave it out"],
  ],
  [
    "regex",
    z3.object({ s: z3.string().regex(/^[a-z]+-\d+$/) }),
    { s: "A1" },
    [
      "• /s (VAL-007): Value doesn't match pattern",
      "  Expected: string matching ^[a-z]+-\\d+$",
      '  Actual: "A1"',
    ],
  ],
  [
    "startsWith",
    z3.object({ s: z3.string().startsWith("a.b") }),
    { s: "x" },
    [
      "• /s (VAL-007): Value doesn't match pattern",
      "  Expected: string matching ^a\\.b",
      '  Actual: "x"',
    ],
  ],
  [
    "email",
    z3.object({ s: z3.string().email() }),
    { s: "x" },
    [
      "• /s (VAL-010): Invalid format",
      '  Expected: email string such as "ana@example.com"',
      '  Actual: "x"',
    ],
  ],
  [
    "email missing",
    z3.object({ s: z3.string().email() }),
    {},
    [
      "• /s (VAL-001): Required field 's' is missing",
      '  Expected: email string such as "ana@example.com"',
    ],
  ],
  [
    "url",
    z3.object({ s: z3.string().url() }),
    { s: "x" },
    [
      "• /s (VAL-010): Invalid format",
      '  Expected: uri string such as "https://example.com/page"',
      '  Actual: "x"',
    ],
  ],
  [
    "uuid missing",
    z3.object({ s: z3.string().uuid() }),
    {},
    ["• /s (VAL-001): Required field 's' is missing", "  Expected: uuid string"],
  ],
  [
    "datetime",
    z3.object({ s: z3.string().datetime() }),
    { s: "soon" },
    [
      "• /s (VAL-010): Invalid format",
      '  Expected: date-time string such as "2026-01-31T09:30:00Z"',
      '  Actual: "soon"',
    ],
  ],
  [
    "date string",
    z3.object({ s: z3.string().date() }),
    { s: "02/01/2026" },
    [
      "• /s (VAL-010): Invalid format",
      '  Expected: date string such as "2026-01-31"',
      '  Actual: "02/01/2026"',
    ],
  ],
  [
    "refine",
    z3.object({ n: z3.number().refine((n) => n > 3) }),
    { n: 1 },
    ["• /n (VAL-016): Invalid input", "  Actual: 1"],
  ],
  [
    "transform",
    z3.object({ n: z3.string().transform(Number) }),
    { n: 5 },
    [
      "• /n (VAL-002): Type mismatch: expected string, got integer",
      "  Expected: string",
      "  Actual: 5",
      '  Hint: use "5"',
    ],
  ],
  [
    "pipe missing",
    z3.object({ n: z3.string().min(2).pipe(z3.coerce.number().max(9)) }),
    {},
    ["• /n (VAL-001): Required field 'n' is missing", "  Expected: string, at least 2 characters"],
  ],
  [
    "preprocess type",
    z3.object({ n: z3.preprocess((x) => x, z3.number()) }),
    { n: "x" },
    [
      "• /n (VAL-002): Type mismatch: expected number, got string",
      "  Expected: number",
      '  Actual: "x"',
    ],
  ],
  [
    "default range",
    z3.object({ n: z3.number().min(3).default(5) }),
    { n: 1 },
    ["• /n (VAL-003): Value out of range", "  Expected: number at least 3", "  Actual: 1"],
  ],
  [
    "recursive",
    tree3,
    { name: "a", children: [{ name: 1, children: [] }] },
    [
      "• /children/0/name (VAL-002): Type mismatch: expected string, got integer",
      "  Expected: string",
      "  Actual: 1",
      '  Hint: use "1"',
    ],
  ],
  [
    "shared part",
    z3.object({ from: addr3, to: addr3 }),
    { from: { street: "a", zip: "1" }, to: { street: 1, zip: "12345" } },
    [
      "• /from/zip (VAL-009): String length 1 is below minimum 5",
      "  Expected: string, 5 characters",
      '  Actual: "1"',
      "• /to/street (VAL-002): Type mismatch: expected string, got integer",
      "  Expected: string",
      "  Actual: 1",
      '  Hint: use "1"',
    ],
  ],
  [
    "secret",
    z3.object({ password: z3.string().min(8), api_key: z3.string().length(3) }),
    { password: "abc", api_key: "sk-secret-123" },
    [
      "• /api_key (VAL-009): Invalid string length",
      "  Expected: string, 3 characters",
      "  Actual: [redacted]",
      "• /password (VAL-009): Invalid string length",
      "  Expected: string, at least 8 characters",
      "  Actual: [redacted]",
    ],
  ],
  [
    "deep nested",
    z3.object({
      a: z3.object({ b: z3.object({ c: z3.array(z3.object({ d: z3.number().min(1) })) }) }),
    }),
    { a: { b: { c: [{ d: 0 }, { d: "1" }, {}] } } },
    [
      "• /a/b/c/0/d (VAL-003): Value out of range",
      "  Expected: number at least 1",
      "  Actual: 0",
      "• /a/b/c/1/d (VAL-002): Type mismatch: expected number, got string",
      "  Expected: number at least 1",
      '  Actual: "1"',
      "  Hint: send 1 without quotes",
      "• /a/b/c/2/d (VAL-001): Required field 'd' is missing",
      "  Expected: number at least 1",
    ],
  ],
  [
    "array of enum",
    z3.object({ tags: z3.array(z3.enum(["red", "blue"])) }),
    { tags: ["red", "green"] },
    [
      "• /tags/1 (VAL-008): Invalid enum value",
      '  Expected: one of "red", "blue"',
      '  Actual: "green"',
    ],
  ],
];

// Rules that LangChain's conversion expresses differently from zod's issues, or not at all.
const CONVERTED: readonly Row[] = [
  [
    "includes",
    z3.object({ s: z3.string().includes("@") }),
    { s: "x" },
    [
      "• /s (VAL-007): Value doesn't match pattern",
      "  Expected: string matching \\@",
      '  Actual: "x"',
    ],
  ],
  [
    "affixes wrong type",
    z3.object({ s: z3.string().startsWith("a").endsWith("z").min(3) }),
    { s: 5 },
    [
      "• /s (VAL-002): Type mismatch: expected string, got integer",
      "  Expected: string, at least 3 characters",
      "  Actual: 5",
    ],
  ],
  [
    "ulid missing",
    z3.object({ s: z3.string().ulid() }),
    {},
    [
      "• /s (VAL-001): Required field 's' is missing",
      "  Expected: string matching ^[0-9A-HJKMNP-TV-Z]{26}$",
    ],
  ],
  [
    "base64 missing",
    z3.object({ s: z3.string().base64() }),
    {},
    ["• /s (VAL-001): Required field 's' is missing", "  Expected: string"],
  ],
  [
    "ip missing",
    z3.object({ s: z3.string().ip() }),
    {},
    ["• /s (VAL-001): Required field 's' is missing", "  Expected: string"],
  ],
  [
    "ipv4",
    z3.object({ s: z3.string().ip({ version: "v4" }) }),
    { s: "x!" },
    [
      "• /s (VAL-010): Invalid format",
      '  Expected: ipv4 string such as "192.0.2.1"',
      '  Actual: "x!"',
    ],
  ],
  [
    "time missing",
    z3.object({ s: z3.string().time() }),
    {},
    [
      "• /s (VAL-001): Required field 's' is missing",
      '  Expected: time string such as "09:30:00Z"',
    ],
  ],
  [
    "union of mixed literals",
    z3.object({ kind: z3.union([z3.literal("a"), z3.literal(1)]) }),
    { kind: "c" },
    ["• /kind (VAL-008): Invalid enum value", '  Expected: one of "a", 1', '  Actual: "c"'],
  ],
  [
    "recursive missing",
    tree3,
    { name: "a", children: [{ name: "b" }] },
    [
      "• /children/0/children (VAL-001): Required field 'children' is missing",
      "  Expected: array of object with name, children",
    ],
  ],
];

const VALIBOT: readonly Row[] = [
  [
    "missing several",
    v.object({
      a: v.string(),
      b: v.pipe(v.number(), v.integer()),
      c: v.boolean(),
      d: v.array(v.string()),
      e: v.object({ f: v.string() }),
    }),
    {},
    [
      "• /a (VAL-001): Required field 'a' is missing",
      "  Expected: string",
      "• /b (VAL-001): Required field 'b' is missing",
      "  Expected: integer",
      "• /c (VAL-001): Required field 'c' is missing",
      "  Expected: boolean",
      "• /d (VAL-001): Required field 'd' is missing",
      "  Expected: array of string",
      "• /e (VAL-001): Required field 'e' is missing",
      "  Expected: object with f",
    ],
  ],
  [
    "missing bounded",
    v.object({
      n: v.pipe(v.number(), v.minValue(1), v.maxValue(9)),
      s: v.pipe(v.string(), v.length(3)),
    }),
    {},
    [
      "• /n (VAL-001): Required field 'n' is missing",
      "  Expected: number from 1 to 9",
      "• /s (VAL-001): Required field 's' is missing",
      "  Expected: string, 3 characters",
    ],
  ],
  [
    "missing near name",
    v.object({ path: v.string(), mode: v.optional(v.string()) }),
    { pth: "x" },
    [
      "• /path (VAL-001): Required field 'path' is missing",
      "  Expected: string",
      '  Hint: rename "pth" to "path"',
    ],
  ],
  [
    "missing near name strict",
    v.strictObject({ path: v.string() }),
    { pth: "x" },
    [
      "• /pth (VAL-005): Unknown field 'pth'",
      "  Expected: only path",
      '  Hint: rename it to "path"',
    ],
  ],
  [
    "integer as string",
    v.object({ seats: v.pipe(v.number(), v.integer()) }),
    { seats: "2" },
    [
      "• /seats (VAL-002): Type mismatch: expected integer, got string",
      "  Expected: integer",
      '  Actual: "2"',
      "  Hint: send 2 without quotes",
    ],
  ],
  [
    "optional as null",
    v.object({ path: v.optional(v.string()) }),
    { path: null },
    [
      "• /path (VAL-002): Type mismatch: expected string, got null",
      "  Expected: string",
      "  Actual: null",
      "  Hint: leave it out",
    ],
  ],
  [
    "nullable wrong",
    v.object({ path: v.nullable(v.string()) }),
    { path: 3 },
    [
      "• /path (VAL-002): Type mismatch: expected string or null, got integer",
      "  Expected: string or null",
      "  Actual: 3",
      '  Hint: use "3"',
    ],
  ],
  [
    "object as string",
    v.object({ person: personV }),
    { person: '{"name":"Ana","age":3}' },
    [
      "• /person (VAL-002): Type mismatch: expected object, got string",
      "  Expected: object with name, age",
      '  Actual: "{\\"name\\":\\"Ana\\",\\"age\\":3}"',
      "  Hint: send the object itself, not a JSON string",
    ],
  ],
  [
    "picklist near",
    v.object({ mode: v.picklist(["fast", "slow"]) }),
    { mode: "Fast" },
    [
      "• /mode (VAL-008): Invalid enum value",
      '  Expected: one of "fast", "slow"',
      '  Actual: "Fast"',
      '  Hint: use "fast"',
    ],
  ],
  [
    "literal",
    v.object({ kind: v.literal("a") }),
    { kind: "b" },
    ["• /kind (VAL-008): Invalid enum value", '  Expected: "a"', '  Actual: "b"'],
  ],
  [
    "enum",
    v.object({ level: v.enum({ Low: 0, High: 1 }) }),
    { level: "Low" },
    ["• /level (VAL-002): Type mismatch: got string", "  Expected: one of 0, 1", '  Actual: "Low"'],
  ],
  [
    "number range",
    v.object({ n: v.pipe(v.number(), v.minValue(1), v.maxValue(5)) }),
    { n: 9 },
    ["• /n (VAL-003): Value out of range", "  Expected: number from 1 to 5", "  Actual: 9"],
  ],
  [
    "string length",
    v.object({ s: v.pipe(v.string(), v.minLength(2), v.maxLength(3)) }),
    { s: "abcd" },
    [
      "• /s (VAL-009): String length 4 exceeds maximum 3",
      "  Expected: string, from 2 to 3 characters",
      '  Actual: "abcd"',
    ],
  ],
  [
    "array of objects",
    v.object({ people: v.array(personV) }),
    { people: [{ name: "A", age: "3" }, {}, "x"] },
    [
      "• /people/0/age (VAL-002): Type mismatch: expected integer, got string",
      "  Expected: integer",
      '  Actual: "3"',
      "  Hint: send 3 without quotes",
      "• /people/0/name (VAL-009): String length 1 is below minimum 2",
      "  Expected: string, at least 2 characters",
      '  Actual: "A"',
      "• /people/1/age (VAL-001): Required field 'age' is missing",
      "  Expected: integer",
      "• /people/1/name (VAL-001): Required field 'name' is missing",
      "  Expected: string, at least 2 characters",
      "• /people/2 (VAL-002): Type mismatch: expected object, got string",
      "  Expected: object with name, age",
      '  Actual: "x"',
    ],
  ],
  [
    "union of objects",
    v.object({ who: v.union([personV, addrV]) }),
    { who: { name: "Ana" } },
    [
      "• /who/age (VAL-001): Required field 'age' is missing",
      "  As: name variant",
      "  Expected: integer",
    ],
  ],
  [
    "variant wrong tag",
    v.object({
      do: v.variant("kind", [
        v.object({ kind: v.literal("move"), x: v.number() }),
        v.object({ kind: v.literal("say"), text: v.string() }),
      ]),
    }),
    { do: { kind: "mov", x: 1 } },
    [
      "• /do/kind (VAL-008): Invalid enum value",
      '  Expected: one of "move", "say"',
      '  Actual: "mov"',
      '  Hint: use "move"',
    ],
  ],
  [
    "strict extra",
    v.strictObject({ path: v.string() }),
    { path: "a", extra: 1 },
    ["• /extra (VAL-005): Unknown field 'extra'", "  Expected: only path", "  Hint: leave it out"],
  ],
  [
    "email wrong type",
    v.object({ s: v.pipe(v.string(), v.email()) }),
    { s: 5 },
    [
      "• /s (VAL-002): Type mismatch: expected email string, got integer",
      '  Expected: email string such as "ana@example.com"',
      "  Actual: 5",
    ],
  ],
  [
    "recursive",
    treeV,
    { name: "a", children: [{ name: 1, children: [] }] },
    [
      "• /children/0/name (VAL-002): Type mismatch: expected string, got integer",
      "  Expected: string",
      "  Actual: 1",
      '  Hint: use "1"',
    ],
  ],
  [
    "nested deep",
    v.object({ a: v.object({ b: v.array(v.object({ d: v.pipe(v.number(), v.minValue(1)) })) }) }),
    { a: { b: [{ d: 0 }, { d: "1" }, {}] } },
    [
      "• /a/b/0/d (VAL-003): Value out of range",
      "  Expected: number at least 1",
      "  Actual: 0",
      "• /a/b/1/d (VAL-002): Type mismatch: expected number, got string",
      "  Expected: number at least 1",
      '  Actual: "1"',
      "  Hint: send 1 without quotes",
      "• /a/b/2/d (VAL-001): Required field 'd' is missing",
      "  Expected: number at least 1",
    ],
  ],
];

describe.each(LABS)("what the model reads on langchain $version", (lab) => {
  test.each(ZOD3)("zod 3: %s", async (_, schema, args, errors) => {
    expect(await errorsOf(lab, schema, args)).toEqual(errors);
  });

  test.each(CONVERTED)("zod 3, as LangChain converts it: %s", async (_, schema, args, errors) => {
    expect(await errorsOf(lab, schema, args)).toEqual(errors);
  });

  test.each(VALIBOT)("valibot with Standard JSON Schema: %s", async (_, schema, args, errors) => {
    expect(await errorsOf(lab, toStandardJsonSchema(schema as never), args)).toEqual(errors);
  });

  test("a schema that LangChain cannot convert is still validated", async () => {
    const broken = z3.lazy((): z3.ZodType => {
      throw new Error("not defined yet");
    });
    const schema = z3.object({ path: z3.string(), rest: broken.optional() });
    expect(await errorsOf(lab, schema, { path: 5 })).toEqual([
      "• /path (VAL-002): Type mismatch: expected string, got integer",
      "  Expected: string",
      "  Actual: 5",
      '  Hint: use "5"',
    ]);
  });

  test("unknownFields reports a field that zod 3 strips", async () => {
    const { tool, runs } = spied(lab, "act", z3.object({ path: z3.string() }));
    const { results } = await runAgent(lab, {
      turns: [{ calls: [{ id: "a", name: "act", args: '{"path":"a","mode":1}' }] }],
      tools: [tool],
      options: { unknownFields: "reject" },
    });
    expect(textOf(results[0]!)).toContain("/mode (VAL-005): Unknown field 'mode'");
    expect(runs).toEqual([]);
  });
});

describe("createToolDefinitions", () => {
  const definitions = createToolDefinitions();

  test("converts a zod 3 schema once, for all tools that share it", () => {
    const schema = z3.object({ path: z3.string() });
    const { inputSchema } = definitions.of({ name: "a", schema });
    expect(inputSchema).toMatchObject({ properties: { path: { type: "string" } } });
    expect(definitions.of({ name: "b", schema }).inputSchema).toBe(inputSchema);
    expect(createToolDefinitions().of({ name: "a", schema }).inputSchema).toBe(inputSchema);
  });

  test.each([
    ["zod 4", z.object({ path: z.string() })],
    ["zod mini", mini.object({ path: mini.string() })],
    ["valibot", v.object({ path: v.string() })],
    ["valibot with Standard JSON Schema", toStandardJsonSchema(v.object({ path: v.string() }))],
  ])("hands on %s as it is", (_, schema) => {
    expect(definitions.of({ name: "a", schema })).toEqual({ name: "a", validator: schema });
  });
});
