import { createContract } from "@toolcontract/core";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z as z4 } from "zod";
import { z } from "zod3";
import { describeVersions, steps, textOf } from "./testing/every-sdk.ts";
import type { Sdk } from "./testing/sdk.ts";
import { createToolDefinitions } from "./tool-definitions.ts";

type Row = readonly [string, unknown, unknown, readonly string[]];

interface Options {
  readonly unknownFields?: "warn" | "reject";
  readonly reportAdvisories?: boolean;
}

/** The lines between the first and the last of what the model reads. */
async function answer(
  sdk: Sdk,
  inputSchema: unknown,
  args: unknown,
  options: Options = {},
): Promise<readonly string[]> {
  const find = sdk.ai.tool({
    inputSchema: inputSchema as z4.ZodType,
    execute: async (given: unknown) => JSON.stringify(given),
  });
  const settings = sdk.adapter.withContract({
    ...options,
    logger: () => undefined,
    format: { style: "compact" },
    tools: { find },
    stopWhen: steps(1),
  });
  const input = JSON.stringify(args);
  const model = sdk.script([{ calls: [{ id: "call_1", name: "find", input }] }]);
  const { messages } = await sdk.run("generateText", { model, settings });
  return textOf(messages, "call_1").split("\n").slice(1, -1);
}

const LONG = ["value0", ...Array.from({ length: 59 }, (_, i) => `value${i + 1}`)] as [
  string,
  ...string[],
];
const point = z.object({ x: z.number().int().min(0), y: z.number() });
const chain: z.ZodTypeAny = z.object({ name: z.string(), next: z.lazy(() => chain) });
const boundedChain: z.ZodTypeAny = z.object({
  name: z.string().min(3).max(5),
  next: z.lazy(() => boundedChain.nullable()),
});
const tree: z.ZodTypeAny = z.object({
  name: z.string().min(3).max(5),
  kind: z.enum(["a", "b"]).optional(),
  children: z.array(z.lazy(() => tree)).optional(),
});
const filter: z.ZodTypeAny = z.union([
  z.string(),
  z.object({ op: z.enum(["and", "or"]), args: z.array(z.lazy(() => filter)).min(1) }),
]);

const ZOD_3: readonly Row[] = [
  // fields
  [
    "a missing field with limits",
    z.object({ path: z.string().min(1).max(9), mode: z.number().int().min(0).max(511).optional() }),
    {},
    ["- /path (VAL-001): missing; expected string, from 1 to 9 characters"],
  ],
  [
    "missing fields of every type",
    z.object({
      path: z.string(),
      n: z.number(),
      b: z.boolean(),
      l: z.array(z.string()),
      o: z.object({ x: z.string(), y: z.number().optional() }),
    }),
    {},
    [
      "- /b (VAL-001): missing; expected boolean",
      "- /l (VAL-001): missing; expected array of string",
      "- /n (VAL-001): missing; expected number",
      "- /o (VAL-001): missing; expected object with x",
      "- /path (VAL-001): missing; expected string",
    ],
  ],
  [
    "a misspelt field",
    z.object({ path: z.string(), mode: z.number().optional() }),
    { pth: "a" },
    ['- /path (VAL-001): missing; expected string; rename "pth" to "path"'],
  ],
  [
    "a misspelt optional field",
    z.object({ path: z.string(), mode: z.number().optional() }),
    { path: 1, moed: 3 },
    ['- /path (VAL-002): 1; expected string; use "1"'],
  ],
  [
    "a misspelt nested field",
    z.object({ options: z.object({ encoding: z.string(), recursive: z.boolean().optional() }) }),
    { options: { encodng: "x" } },
    ['- /options/encoding (VAL-001): missing; expected string; rename "encodng" to "encoding"'],
  ],
  [
    "a field one level too high",
    z.object({ options: z.object({ encoding: z.string() }) }),
    { encoding: "x" },
    ["- /options (VAL-001): missing; expected object with encoding"],
  ],
  [
    "a field that zod drops",
    z.object({ path: z.string() }),
    { path: 1, extra: true },
    ['- /path (VAL-002): 1; expected string; use "1"'],
  ],
  [
    "fields that a strict object refuses",
    z.object({ path: z.string() }).strict(),
    { path: "a", pth: "b", extra: true },
    [
      "- /extra (VAL-005): unknown field; expected only path; leave it out",
      "- /pth (VAL-005): unknown field; expected only path; leave it out",
    ],
  ],
  [
    "a misspelt field of a strict object",
    z.object({ path: z.string(), mode: z.number().optional() }).strict(),
    { pth: "b" },
    ['- /pth (VAL-005): unknown field; expected only path, mode; rename it to "path"'],
  ],
  [
    "a catchall",
    z.object({ path: z.string() }).catchall(z.number()),
    { path: "1", extra: true },
    ["- /extra (VAL-002): true; expected number"],
  ],
  [
    "null for fields that take none",
    z.object({ a: z.string(), n: z.number().optional(), m: z.string().min(3).max(5) }),
    { a: null, n: null, m: null },
    [
      "- /a (VAL-002): null; expected string",
      "- /m (VAL-002): null; expected string, from 3 to 5 characters",
      "- /n (VAL-002): null; expected number; leave it out",
    ],
  ],
  [
    "fields with a default",
    z.object({ n: z.number().int().min(1).default(3), s: z.string().default("x") }),
    { n: 0, s: 1 },
    [
      "- /n (VAL-003): 0; expected integer at least 1",
      '- /s (VAL-002): 1; expected string; use "1"',
    ],
  ],
  [
    "a field with a catch",
    z.object({ n: z.number().catch(3), s: z.string() }),
    { n: "x", s: 1 },
    ['- /s (VAL-002): 1; expected string; use "1"'],
  ],
  // types and limits
  [
    "wrong types",
    z.object({
      n: z.number(),
      i: z.number().int(),
      s: z.string(),
      b: z.boolean(),
      a: z.array(z.string()),
      o: z.object({ x: z.string() }),
      d: z.null(),
    }),
    { n: "1", i: "2", s: 3, b: "true", a: "x", o: [], d: 0 },
    [
      '- /a (VAL-002): "x"; expected array of string; put it in an array',
      '- /b (VAL-002): "true"; expected boolean; send true without quotes',
      "- /d (VAL-002): 0; expected null",
      '- /i (VAL-002): "2"; expected integer; send 2 without quotes',
      '- /n (VAL-002): "1"; expected number; send 1 without quotes',
      "- /o (VAL-002): []; expected object with x",
      '- /s (VAL-002): 3; expected string; use "3"',
    ],
  ],
  [
    "a fraction",
    z.object({ i: z.number().int() }),
    { i: 1.5 },
    ["- /i (VAL-002): 1.5; expected integer"],
  ],
  [
    "a string for a bounded integer",
    z.object({ i: z.number().int().min(0).max(511) }),
    { i: "511" },
    ['- /i (VAL-002): "511"; expected integer from 0 to 511; send 511 without quotes'],
  ],
  [
    "numbers out of bounds",
    z.object({
      i: z.number().int().min(0).max(511),
      j: z.number().gt(0),
      k: z.number().lt(3),
      l: z.number().multipleOf(5),
      p: z.number().positive(),
      q: z.number().nonnegative(),
    }),
    { i: 600, j: 0, k: 3, l: 7, p: -1, q: -1 },
    [
      "- /i (VAL-003): 600; expected integer from 0 to 511",
      "- /j (VAL-003): 0; expected number above 0",
      "- /k (VAL-003): 3; expected number below 3",
      "- /l (VAL-003): 7; expected number, a multiple of 5",
      "- /p (VAL-003): -1; expected number above 0",
      "- /q (VAL-003): -1; expected number at least 0",
    ],
  ],
  [
    "string lengths",
    z.object({
      a: z.string().min(3),
      b: z.string().max(3),
      c: z.string().length(3),
      d: z.string().min(1),
    }),
    { a: "x", b: "Lisbon", c: "Lisbon", d: "" },
    [
      '- /a (VAL-009): "x"; expected string, at least 3 characters',
      '- /b (VAL-009): "Lisbon"; expected string, at most 3 characters',
      '- /c (VAL-009): "Lisbon"; expected string, 3 characters',
      '- /d (VAL-009): ""; expected string, at least 1 character',
    ],
  ],
  [
    "numbers for bounded strings",
    z.object({ a: z.string().min(3).max(5), c: z.string().length(3) }),
    { a: 1, c: 1 },
    [
      "- /a (VAL-002): 1; expected string, from 3 to 5 characters",
      "- /c (VAL-002): 1; expected string, 3 characters",
    ],
  ],
  [
    "items of the wrong type",
    z.object({ l: z.array(z.string()).min(1).max(2), n: z.array(z.number()) }),
    { l: "a", n: [1, "2"] },
    [
      '- /l (VAL-002): "a"; expected array of string, from 1 to 2 items; put it in an array',
      '- /n/1 (VAL-002): "2"; expected number; send 2 without quotes',
    ],
  ],
  [
    "array lengths",
    z.object({
      l: z.array(z.string()).min(1).max(2),
      e: z.array(z.number()).length(2),
      n: z.array(z.string()).nonempty(),
    }),
    { l: ["a", "b", "c"], e: [1], n: [] },
    [
      "- /e (VAL-006): [1]; expected array of number, 2 items",
      '- /l (VAL-006): ["a", "b", "c"]; expected array of string, from 1 to 2 items',
      "- /n (VAL-006): []; expected array of string, at least 1 item",
    ],
  ],
  [
    "missing arrays",
    z.object({ l: z.array(z.string()).min(1).max(2), n: z.array(z.enum(["a", "b"])) }),
    {},
    [
      "- /l (VAL-001): missing; expected array of string, from 1 to 2 items",
      '- /n (VAL-001): missing; expected array of one of "a", "b"',
    ],
  ],
  [
    "an array as a JSON string",
    z.object({ l: z.array(z.string()) }),
    { l: '["a"]' },
    [
      String.raw`- /l (VAL-002): "[\"a\"]"; expected array of string; send the array itself, not a JSON string`,
    ],
  ],
  [
    "an object as a JSON string",
    z.object({ o: z.object({ a: z.number() }) }),
    { o: '{"a":1}' },
    [
      String.raw`- /o (VAL-002): "{\"a\":1}"; expected object with a; send the object itself, not a JSON string`,
    ],
  ],
  [
    "a short tuple",
    z.object({ at: z.tuple([z.number(), z.number()]) }),
    { at: [1] },
    ["- /at (VAL-006): [1]; expected array [number, number], 2 items"],
  ],
  [
    "a long tuple",
    z.object({ at: z.tuple([z.number(), z.string()]) }),
    { at: [1, 2, 3] },
    [
      "- /at (VAL-006): [1, 2, 3]; expected array [number, string], 2 items",
      '- /at/1 (VAL-002): 2; expected string; use "2"',
    ],
  ],
  [
    "a tuple with a rest",
    z.object({ at: z.tuple([z.string()]).rest(z.number()) }),
    { at: ["a", "b"] },
    ['- /at/1 (VAL-002): "b"; expected number'],
  ],
  [
    "a record's value",
    z.object({ env: z.record(z.string(), z.number()) }),
    { env: { A: "1" } },
    ['- /env/A (VAL-002): "1"; expected number; send 1 without quotes'],
  ],
  [
    "a record's key",
    z.object({ env: z.record(z.string().min(2), z.number()) }),
    { env: { A: 1 } },
    [
      "- /env/A (VAL-003): Constraint violated; expected field names: string, at least 2 characters",
    ],
  ],
  [
    "a date",
    z.object({ at: z.date() }),
    { at: "2026-01-01" },
    ['- /at (VAL-010): "2026-01-01"; expected date-time string such as "2026-01-31T09:30:00Z"'],
  ],
  [
    "a map",
    z.object({ s: z.map(z.string(), z.number()), t: z.string() }),
    { s: {} },
    [
      "- /s (VAL-002): {}; expected array of array [string, number], at most 125 items",
      "- /t (VAL-001): missing; expected string",
    ],
  ],
  // values and formats
  [
    "a misspelt enum value",
    z.object({ encoding: z.enum(["utf-8", "ascii", "utf-16"]) }),
    { encoding: "uft8" },
    ['- /encoding (VAL-008): "uft8"; expected one of "utf-8", "ascii", "utf-16"; use "utf-8"'],
  ],
  [
    "a missing enum",
    z.object({ encoding: z.enum(["utf-8", "ascii", "utf-16"]) }),
    {},
    ['- /encoding (VAL-001): missing; expected one of "utf-8", "ascii", "utf-16"'],
  ],
  [
    "a native enum",
    z.object({ level: z.nativeEnum({ Low: 0, High: 1, 0: "Low", 1: "High" }) }),
    { level: "Low" },
    ['- /level (VAL-002): "Low"; expected one of 0, 1'],
  ],
  [
    "a missing native enum",
    z.object({ level: z.nativeEnum({ Low: "low", High: "high" }) }),
    {},
    ['- /level (VAL-001): missing; expected one of "low", "high"'],
  ],
  [
    "literals",
    z.object({ kind: z.literal("file"), n: z.literal(3) }),
    { kind: "dir", n: 4 },
    ['- /kind (VAL-008): "dir"; expected "file"', "- /n (VAL-008): 4; expected 3"],
  ],
  [
    "missing literals",
    z.object({ kind: z.literal("file"), n: z.literal(3), t: z.literal(true) }),
    {},
    [
      '- /kind (VAL-001): missing; expected "file"',
      "- /n (VAL-001): missing; expected 3",
      "- /t (VAL-001): missing; expected true",
    ],
  ],
  [
    "a long enum",
    z.object({ c: z.enum(LONG) }),
    { c: "valu3" },
    [
      '- /c (VAL-008): "valu3"; expected one of "value0", "value1", "value2", "value3", "value4" and 55 more; use "value3"',
    ],
  ],
  [
    "patterns",
    z.object({
      id: z.string().regex(/^[A-Z]{2}\d+$/),
      s: z.string().startsWith("a."),
      e: z.string().endsWith("z"),
      i: z.string().includes("x"),
    }),
    { id: "ab", s: "b", e: "b", i: "b" },
    [
      '- /e (VAL-007): "b"; expected string matching z$',
      '- /i (VAL-007): "b"; expected string matching x',
      String.raw`- /id (VAL-007): "ab"; expected string matching ^[A-Z]{2}\d+$`,
      String.raw`- /s (VAL-007): "b"; expected string matching ^a\.`,
    ],
  ],
  [
    "a missing pattern",
    z.object({ id: z.string().regex(/^[A-Z]{2}\d+$/) }),
    {},
    [String.raw`- /id (VAL-001): missing; expected string matching ^[A-Z]{2}\d+$`],
  ],
  [
    "several patterns of one missing field",
    z.object({
      a: z.string().regex(/^a/).regex(/z$/),
      s: z.string().startsWith("x.").endsWith("y"),
    }),
    {},
    ["- /a (VAL-001): missing; expected string", "- /s (VAL-001): missing; expected string"],
  ],
  [
    "formats",
    z.object({
      e: z.string().email(),
      u: z.string().url(),
      id: z.string().uuid(),
      dt: z.string().datetime(),
      ip: z.string().ip(),
    }),
    { e: "x", u: "x", id: "x", dt: "x", ip: "x" },
    [
      '- /dt (VAL-010): "x"; expected date-time string such as "2026-01-31T09:30:00Z"',
      '- /e (VAL-010): "x"; expected email string such as "ana@example.com"',
      '- /id (VAL-010): "x"; expected uuid string',
      '- /ip (VAL-010): "x"; expected ipv4 string such as "192.0.2.1" or ipv6 string such as "2001:db8::1"',
      '- /u (VAL-010): "x"; expected uri string such as "https://example.com/page"',
    ],
  ],
  [
    "missing formats",
    z.object({
      e: z.string().email(),
      u: z.string().url(),
      id: z.string().uuid(),
      dt: z.string().datetime(),
    }),
    {},
    [
      '- /dt (VAL-001): missing; expected date-time string such as "2026-01-31T09:30:00Z"',
      '- /e (VAL-001): missing; expected email string such as "ana@example.com"',
      "- /id (VAL-001): missing; expected uuid string",
      '- /u (VAL-001): missing; expected uri string such as "https://example.com/page"',
    ],
  ],
  [
    "numbers for formats",
    z.object({
      e: z.string().email(),
      u: z.string().url(),
      id: z.string().uuid(),
      dt: z.string().datetime(),
    }),
    { e: 1, u: 1, id: 1, dt: 1 },
    [
      '- /dt (VAL-002): 1; expected date-time string such as "2026-01-31T09:30:00Z"',
      '- /e (VAL-002): 1; expected email string such as "ana@example.com"',
      "- /id (VAL-002): 1; expected uuid string",
      '- /u (VAL-002): 1; expected uri string such as "https://example.com/page"',
    ],
  ],
  [
    "missing ids",
    z.object({
      d: z.string().date(),
      t: z.string().time(),
      b: z.string().base64(),
      c: z.string().cuid(),
      c2: z.string().cuid2(),
      ul: z.string().ulid(),
      em: z.string().emoji(),
    }),
    {},
    [
      "- /b (VAL-001): missing; expected string",
      String.raw`- /c (VAL-001): missing; expected string matching ^[cC][^\s-]{8,}$`,
      "- /c2 (VAL-001): missing; expected string matching ^[0-9a-z]+$",
      '- /d (VAL-001): missing; expected date string such as "2026-01-31"',
      String.raw`- /em (VAL-001): missing; expected string matching ^(\p{Extended_Pictographic}|\p{Emoji_Component})+$`,
      '- /t (VAL-001): missing; expected time string such as "09:30:00Z"',
      "- /ul (VAL-001): missing; expected string matching ^[0-9A-HJKMNP-TV-Z]{26}$",
    ],
  ],
  [
    "date-time with options",
    z.object({
      a: z.string().datetime({ offset: true }),
      b: z.string().datetime({ local: true }),
      c: z.string().datetime({ precision: 3 }),
    }),
    { a: "x", c: "2026-01-01T00:00:00Z" },
    [
      '- /a (VAL-010): "x"; expected date-time string such as "2026-01-31T09:30:00Z"',
      '- /b (VAL-001): missing; expected date-time string such as "2026-01-31T09:30:00Z"',
      '- /c (VAL-010): "2026-01-01T00:00:00Z"; expected date-time string such as "2026-01-31T09:30:00Z"',
    ],
  ],
  // unions
  [
    "a union of types",
    z.object({ id: z.union([z.string(), z.number()]) }),
    { id: true },
    ['- /id (VAL-002): true; expected string or number; use "true"'],
  ],
  [
    "a missing union",
    z.object({ id: z.union([z.string(), z.number()]) }),
    {},
    ["- /id (VAL-001): missing; expected string or number"],
  ],
  [
    "a union of literals",
    z.object({ u: z.union([z.literal("a"), z.literal("b"), z.literal(3)]) }),
    { u: "c" },
    ['- /u (VAL-008): "c"; expected one of "a", "b", 3'],
  ],
  [
    "a union of objects",
    z.object({ to: z.union([z.object({ email: z.string() }), z.object({ phone: z.string() })]) }),
    { to: {} },
    ["- /to (VAL-013): {}; expected email or phone"],
  ],
  [
    "one or many",
    z.object({ ids: z.union([z.string(), z.array(z.string())]) }),
    { ids: [1] },
    ['- /ids/0 (VAL-002): 1; expected string; use "1"'],
  ],
  [
    "a misspelt field of a union",
    z.object({ a: z.union([z.object({ email: z.string() }), z.object({ phone: z.string() })]) }),
    { a: { emial: "x" } },
    ['- /a/email (VAL-001): missing; expected string; rename "emial" to "email"; as email variant'],
  ],
  [
    "a number or a word",
    z.object({ b: z.union([z.number().int().min(1), z.literal("all")]) }),
    { b: "everything" },
    ['- /b (VAL-008): "everything"; expected "all" or integer at least 1'],
  ],
  [
    "a union with a literal tag",
    z.object({
      a: z.union([
        z.object({ t: z.literal("x"), v: z.number() }),
        z.object({ t: z.literal("y"), w: z.string() }),
      ]),
    }),
    { a: { t: "x", v: "1" } },
    ['- /a/v (VAL-002): "1"; expected number; send 1 without quotes; as x variant'],
  ],
  [
    "a strict union member",
    z.object({
      a: z.union([
        z.object({ t: z.literal("x"), v: z.number() }).strict(),
        z.object({ t: z.literal("y"), w: z.string() }).strict(),
      ]),
    }),
    { a: { t: "x", v: 1, q: 1 } },
    ["- /a/q (VAL-005): unknown field; expected only t, v; leave it out; as x variant"],
  ],
  [
    "a discriminated union",
    z.object({
      op: z.discriminatedUnion("type", [
        z.object({ type: z.literal("add"), text: z.string() }),
        z.object({ type: z.literal("del"), at: z.number() }),
      ]),
    }),
    { op: { type: "add" } },
    ["- /op/text (VAL-001): missing; expected string; as add variant"],
  ],
  [
    "a misspelt tag",
    z.object({
      op: z.discriminatedUnion("type", [
        z.object({ type: z.literal("add"), text: z.string() }),
        z.object({ type: z.literal("del"), at: z.number() }),
      ]),
    }),
    { op: { type: "ad" } },
    ['- /op/type (VAL-008): "ad"; expected one of "add", "del"'],
  ],
  [
    "a missing tag",
    z.object({
      op: z.discriminatedUnion("type", [
        z.object({ type: z.literal("add"), text: z.string() }),
        z.object({ type: z.literal("del"), at: z.number() }),
      ]),
    }),
    { op: { at: 1 } },
    ['- /op/type (VAL-001): missing; expected one of "del", "add"; use "del"'],
  ],
  [
    "a missing discriminated union",
    z.object({
      op: z.discriminatedUnion("type", [
        z.object({ type: z.literal("add"), text: z.string() }),
        z.object({ type: z.literal("del"), at: z.number() }),
      ]),
    }),
    {},
    [
      '- /op (VAL-001): missing; expected object with type "add", text or object with type "del", at',
    ],
  ],
  [
    "a format or the empty string",
    z.object({
      n: z.number().int().or(z.literal("auto")),
      e: z.string().email().or(z.literal("")),
    }),
    { n: "x", e: "x" },
    [
      '- /e (VAL-013): "x"; expected email string such as "ana@example.com" or ""',
      '- /n (VAL-008): "x"; expected "auto" or integer',
    ],
  ],
  // composition
  [
    "nested objects and arrays",
    z.object({ a: z.object({ b: z.object({ c: z.array(z.object({ d: z.number().int() })) }) }) }),
    { a: { b: { c: [{ d: "1" }, {}] } } },
    [
      '- /a/b/c/0/d (VAL-002): "1"; expected integer; send 1 without quotes',
      "- /a/b/c/1/d (VAL-001): missing; expected integer",
    ],
  ],
  [
    "faults at several depths",
    z.object({ a: z.array(z.object({ b: z.string().email(), c: z.array(z.number()).min(2) })) }),
    { a: [{ b: 1, c: [] }, { c: "x" }] },
    [
      '- /a/0/b (VAL-002): 1; expected email string such as "ana@example.com"',
      "- /a/0/c (VAL-006): []; expected array of number, at least 2 items",
      '- /a/1/b (VAL-001): missing; expected email string such as "ana@example.com"',
      '- /a/1/c (VAL-002): "x"; expected array of number, at least 2 items',
    ],
  ],
  [
    "one schema used twice",
    z.object({ from: point, to: point }),
    { from: { x: -1, y: "1" }, to: { x: "1" } },
    [
      "- /from/x (VAL-003): -1; expected integer at least 0",
      '- /from/y (VAL-002): "1"; expected number; send 1 without quotes',
      '- /to/x (VAL-002): "1"; expected integer at least 0; send 1 without quotes',
      "- /to/y (VAL-001): missing; expected number",
    ],
  ],
  [
    "two missing objects of one schema",
    z.object({ from: point, to: point }),
    {},
    [
      "- /from (VAL-001): missing; expected object with x, y",
      "- /to (VAL-001): missing; expected object with x, y",
    ],
  ],
  [
    "a missing recursive field",
    chain,
    { name: "a" },
    ["- /next (VAL-001): missing; expected object with name, next"],
  ],
  [
    "a recursive array",
    tree,
    {
      name: "abc",
      children: [
        { name: 1, kind: "c" },
        {},
        { name: "x", children: [{ name: 3 }, {}, { nam: "abcd" }, { kind: "aa" }] },
      ],
    },
    [
      '- /children/0/kind (VAL-008): "c"; expected one of "a", "b"',
      "- /children/0/name (VAL-002): 1; expected string, from 3 to 5 characters",
      "- /children/1/name (VAL-001): missing; expected string, from 3 to 5 characters",
      "- /children/2/children/0/name (VAL-002): 3; expected string, from 3 to 5 characters",
      "- /children/2/children/1/name (VAL-001): missing; expected string, from 3 to 5 characters",
      '- /children/2/children/2/name (VAL-001): missing; expected string, from 3 to 5 characters; rename "nam" to "name"',
      '- /children/2/children/3/kind (VAL-008): "aa"; expected one of "a", "b"',
      "- /children/2/children/3/name (VAL-001): missing; expected string, from 3 to 5 characters",
      '- /children/2/name (VAL-009): "x"; expected string, from 3 to 5 characters',
    ],
  ],
  [
    "a nullable recursive field",
    boundedChain,
    { name: "abc", next: { name: "x", next: {} } },
    [
      '- /next/name (VAL-009): "x"; expected string, from 3 to 5 characters',
      "- /next/next/name (VAL-001): missing; expected string, from 3 to 5 characters",
      "- /next/next/next (VAL-001): missing; expected null or object with name, next",
    ],
  ],
  [
    "a recursive union",
    z.object({ where: filter }),
    { where: { op: "xor", args: [{ op: "and", args: [] }] } },
    [
      "- /where/args/0/args (VAL-006): []; expected array of (string or object with op, args), at least 1 item",
      '- /where/op (VAL-008): "xor"; expected one of "and", "or"',
    ],
  ],
  [
    "nullable fields",
    z.object({
      a: z.string().nullable(),
      n: z.number().int().nullable(),
      e: z.enum(["a", "b"]).nullable(),
    }),
    { a: 1, n: "1", e: "c" },
    [
      '- /a (VAL-002): 1; expected string or null; use "1"',
      '- /e (VAL-008): "c"; expected one of "a", "b" or null',
      '- /n (VAL-002): "1"; expected integer or null; send 1 without quotes',
    ],
  ],
  [
    "missing nullable fields",
    z.object({
      a: z.string().nullable(),
      n: z.number().int().min(1).nullable(),
      e: z.enum(["a", "b"]).nullable(),
      o: z.object({ x: z.string() }).nullable(),
    }),
    {},
    [
      "- /a (VAL-001): missing; expected string or null",
      '- /e (VAL-001): missing; expected null or one of "a", "b"',
      "- /n (VAL-001): missing; expected integer at least 1 or null",
      "- /o (VAL-001): missing; expected object with x or null",
    ],
  ],
  [
    "a nested intersection",
    z.object({ x: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })) }),
    { x: { a: 1 } },
    ['- /x/a (VAL-002): 1; expected string; use "1"', "- /x/b (VAL-001): missing; expected number"],
  ],
  [
    "a missing intersection",
    z.object({ x: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })) }),
    {},
    ["- /x (VAL-001): missing; expected object with a, b"],
  ],
  [
    "an intersection",
    z.object({ a: z.string() }).and(z.object({ b: z.number() })),
    { a: "x" },
    ["- /b (VAL-001): missing; expected number"],
  ],
  [
    "an extended object",
    z
      .object({ a: z.string() })
      .extend({ b: z.number().int().max(3) })
      .partial({ b: true }),
    { b: 4 },
    ["- /a (VAL-001): missing; expected string", "- /b (VAL-003): 4; expected integer at most 3"],
  ],
  [
    "transforms",
    z.object({ n: z.string().transform(Number), t: z.string().trim().min(2) }),
    { n: 1, t: " a " },
    [
      '- /n (VAL-002): 1; expected string; use "1"',
      '- /t (VAL-009): " a "; expected string, at least 2 characters',
    ],
  ],
  [
    "preprocess",
    z.object({ n: z.preprocess((x) => x, z.number().int()), s: z.string() }),
    { n: "1" },
    [
      '- /n (VAL-002): "1"; expected integer; send 1 without quotes',
      "- /s (VAL-001): missing; expected string",
    ],
  ],
  [
    "a pipeline",
    z.object({ n: z.string().pipe(z.string().min(3)), m: z.string() }),
    { n: "a" },
    [
      "- /m (VAL-001): missing; expected string",
      '- /n (VAL-009): "a"; expected string, at least 3 characters',
    ],
  ],
  [
    "a refinement",
    z.object({ n: z.number().refine((x) => x > 6, "Too old"), s: z.string() }),
    { n: 1 },
    ["- /n (VAL-016): Too old; got 1", "- /s (VAL-001): missing; expected string"],
  ],
  [
    "a refinement of the wrong type",
    z.object({
      n: z
        .number()
        .int()
        .min(2)
        .refine((x) => x > 6, "Too old"),
    }),
    { n: "x" },
    ['- /n (VAL-002): "x"; expected integer at least 2'],
  ],
  [
    "a refinement of the object",
    z
      .object({ a: z.number(), b: z.number() })
      .refine((x) => x.a < x.b, { message: "a must be less than b", path: ["a"] }),
    { a: 3, b: 1 },
    ["- /a (VAL-016): a must be less than b; got 3"],
  ],
  [
    "a string for the arguments",
    z.object({ a: z.string() }),
    "x",
    ['- (arguments) (VAL-002): "x"; expected object with a'],
  ],
  [
    "a discriminated union as the arguments",
    z.discriminatedUnion("t", [
      z.object({ t: z.literal("a"), path: z.string() }),
      z.object({ t: z.literal("b"), b: z.number() }),
    ]),
    { t: "a", pth: "x" },
    ['- /path (VAL-001): missing; expected string; rename "pth" to "path"; as a variant'],
  ],
  [
    "branded and readonly fields",
    z.object({ id: z.string().uuid().brand("Id"), r: z.array(z.string()).readonly() }),
    {},
    [
      "- /id (VAL-001): missing; expected uuid string",
      "- /r (VAL-001): missing; expected array of string",
    ],
  ],
  [
    "a secret",
    z.object({ password: z.string().min(12), n: z.number() }),
    { password: "hunter2", n: "x" },
    [
      '- /n (VAL-002): "x"; expected number',
      "- /password (VAL-009): [redacted]; expected string, at least 12 characters",
    ],
  ],
];

const VALIBOT: readonly Row[] = [
  [
    "missing fields",
    v.object({
      path: v.pipe(v.string(), v.minLength(1), v.maxLength(9)),
      mode: v.optional(v.number()),
      tags: v.array(v.string()),
    }),
    {},
    [
      "- /path (VAL-001): missing; expected string, from 1 to 9 characters",
      "- /tags (VAL-001): missing; expected array of string",
    ],
  ],
  [
    "a misspelt field",
    v.object({ path: v.string() }),
    { pth: "a" },
    ['- /path (VAL-001): missing; expected string; rename "pth" to "path"'],
  ],
  [
    "wrong types",
    v.object({
      n: v.number(),
      s: v.string(),
      b: v.boolean(),
      a: v.array(v.string()),
      o: v.object({ x: v.string() }),
    }),
    { n: "1", s: 3, b: "true", a: "x", o: [] },
    [
      '- /a (VAL-002): "x"; expected array of string; put it in an array',
      '- /b (VAL-002): "true"; expected boolean; send true without quotes',
      '- /n (VAL-002): "1"; expected number; send 1 without quotes',
      "- /o (VAL-002): []; expected object with x",
      '- /s (VAL-002): 3; expected string; use "3"',
    ],
  ],
  [
    "an integer",
    v.object({ i: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(511)) }),
    { i: "511" },
    ['- /i (VAL-002): "511"; expected integer from 0 to 511; send 511 without quotes'],
  ],
  [
    "numbers out of bounds",
    v.object({
      i: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(511)),
      l: v.pipe(v.number(), v.multipleOf(5)),
    }),
    { i: 600, l: 7 },
    [
      "- /i (VAL-003): 600; expected integer from 0 to 511",
      "- /l (VAL-003): 7; expected number, a multiple of 5",
    ],
  ],
  [
    "string lengths",
    v.object({ a: v.pipe(v.string(), v.minLength(3)), b: v.pipe(v.string(), v.length(3)) }),
    { a: "x", b: "Lisbon" },
    [
      '- /a (VAL-009): "x"; expected string, at least 3 characters',
      '- /b (VAL-009): "Lisbon"; expected string, 3 characters',
    ],
  ],
  [
    "array lengths",
    v.object({ l: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(2)) }),
    { l: ["a", "b", "c"] },
    ['- /l (VAL-006): ["a", "b", "c"]; expected array of string, from 1 to 2 items'],
  ],
  [
    "values",
    v.object({ encoding: v.picklist(["utf-8", "ascii"]), kind: v.literal("file") }),
    { encoding: "uft8", kind: "dir" },
    [
      '- /encoding (VAL-008): "uft8"; expected one of "utf-8", "ascii"; use "utf-8"',
      '- /kind (VAL-008): "dir"; expected "file"',
    ],
  ],
  [
    "formats",
    v.object({
      e: v.pipe(v.string(), v.email()),
      u: v.pipe(v.string(), v.url()),
      id: v.pipe(v.string(), v.uuid()),
    }),
    { e: "x", u: "x" },
    [
      '- /e (VAL-010): "x"; expected email string such as "ana@example.com"',
      "- /id (VAL-001): missing; expected uuid string",
      '- /u (VAL-010): "x"; expected uri string such as "https://example.com/page"',
    ],
  ],
  [
    "a pattern",
    v.object({ id: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)) }),
    { id: "ab" },
    ['- /id (VAL-007): "ab"; expected string matching ^[A-Z]{2}$; use "AB"'],
  ],
  [
    "unions",
    v.object({
      id: v.union([v.string(), v.number()]),
      to: v.union([v.object({ email: v.string() }), v.object({ phone: v.string() })]),
    }),
    { id: true, to: {} },
    [
      '- /id (VAL-002): true; expected string or number; use "true"',
      "- /to (VAL-013): {}; expected email or phone",
    ],
  ],
  [
    "a variant",
    v.object({
      op: v.variant("type", [
        v.object({ type: v.literal("add"), text: v.string() }),
        v.object({ type: v.literal("del"), at: v.number() }),
      ]),
    }),
    { op: { type: "add" } },
    ["- /op/text (VAL-001): missing; expected string; as add variant"],
  ],
  [
    "nested objects and arrays",
    v.object({ a: v.object({ c: v.array(v.object({ d: v.pipe(v.number(), v.integer()) })) }) }),
    { a: { c: [{ d: "1" }, {}] } },
    [
      '- /a/c/0/d (VAL-002): "1"; expected integer; send 1 without quotes',
      "- /a/c/1/d (VAL-001): missing; expected integer",
    ],
  ],
  [
    "a strict object",
    v.strictObject({ path: v.string() }),
    { path: "a", extra: true },
    ["- /extra (VAL-005): unknown field; expected only path; leave it out"],
  ],
  [
    "nullable fields",
    v.object({ a: v.nullable(v.string()), n: v.nullable(v.number()) }),
    { a: 1 },
    [
      '- /a (VAL-002): 1; expected string or null; use "1"',
      "- /n (VAL-001): missing; expected number or null",
    ],
  ],
];

test("a zod 3 schema that the SDK cannot convert keeps its validator", async () => {
  const validator = z.lazy(() => {
    throw new Error("not defined yet");
  });
  const tools = { find: { inputSchema: validator } };
  const definitions = createToolDefinitions(tools, createContract({ logger: () => undefined }));
  expect(await definitions.get("find")).toEqual({ name: "find", validator });
});

test("a zod 3 schema is converted once", async () => {
  const tools = { find: { inputSchema: point }, move: { inputSchema: point } };
  const definitions = createToolDefinitions(tools, createContract());
  const [find, move] = [await definitions.get("find"), await definitions.get("move")];
  expect(find?.inputSchema).toMatchObject({ type: "object", required: ["x", "y"] });
  expect(move?.inputSchema).toBe(find?.inputSchema);
});

describeVersions((sdk) => {
  describe("a zod 3 tool is explained by the SDK's own conversion", () => {
    test.each(ZOD_3)("%s", async (_, schema, args, lines) => {
      expect(await answer(sdk, schema, args)).toEqual(lines);
    });
  });

  describe("fields that a zod 3 schema drops", () => {
    const schema = z.object({ path: z.string(), o: z.object({ a: z.string() }) });
    const args = { path: 1, extra: true, o: { a: "a", b: "b" } };
    const refused = '- /path (VAL-002): 1; expected string; use "1"';

    test("are refused if the user wants it", async () => {
      expect(await answer(sdk, schema, args, { unknownFields: "reject" })).toEqual([
        "- /extra (VAL-005): unknown field; expected only path, o; leave it out",
        "- /o/b (VAL-005): unknown field; expected only a; leave it out",
        refused,
      ]);
    });

    test("are reported if the user wants it", async () => {
      const options = { unknownFields: "warn", reportAdvisories: true } as const;
      expect(await answer(sdk, schema, args, options)).toEqual([
        refused,
        "Advisories:",
        "- /extra (VAL-005 warning): unknown field; expected only path, o; leave it out",
        "- /o/b (VAL-005 warning): unknown field; expected only a; leave it out",
      ]);
    });

    test("of a strict object are refused once", async () => {
      const strict = z.object({ path: z.string() }).strict();
      const options = { unknownFields: "reject" } as const;
      expect(await answer(sdk, strict, { path: "a", extra: true }, options)).toEqual([
        "- /extra (VAL-005): unknown field; expected only path; leave it out",
      ]);
    });
  });

  test("a schema that the SDK cannot convert is refused by the SDK, before the model is asked", async () => {
    const schema = v.object({ path: v.string() });
    await expect(answer(sdk, schema, {})).rejects.toThrow(/JSON Schema conversion|typeName/);
  });
});

describeVersions(
  (sdk) => {
    describe("a valibot tool is explained by the JSON Schema that it exports", () => {
      test.each(VALIBOT)("%s", async (_, schema, args, lines) => {
        const exporting = toStandardJsonSchema(schema as v.GenericSchema);
        expect(await answer(sdk, exporting, args)).toEqual(lines);
      });
    });
  },
  { 5: "version 5 takes no schema of another library than zod" },
);
