import * as v from "valibot";
import { z } from "zod3";
import type { LibraryCase } from "../library-case.ts";

/** Fields that are missing, misspelt, unknown, null or optional. */
export const fieldCases: readonly LibraryCase[] = [
  {
    name: "missing fields of every type",
    zod3: z.object({
      path: z.string(),
      n: z.number(),
      i: z.number().int(),
      b: z.boolean(),
      l: z.array(z.string()),
      o: z.object({ x: z.string(), y: z.number().optional() }),
    }),
    valibot: v.object({
      path: v.string(),
      n: v.number(),
      i: v.pipe(v.number(), v.integer()),
      b: v.boolean(),
      l: v.array(v.string()),
      o: v.object({ x: v.string(), y: v.optional(v.number()) }),
    }),
    sent: {},
    lines: [
      "- /b (VAL-001): missing; expected boolean",
      "- /i (VAL-001): missing; expected integer",
      "- /l (VAL-001): missing; expected array of string",
      "- /n (VAL-001): missing; expected number",
      "- /o (VAL-001): missing; expected object with x",
      "- /path (VAL-001): missing; expected string",
    ],
  },
  {
    name: "missing fields with limits",
    zod3: z.object({
      path: z.string().min(1).max(9),
      zip: z.string().length(5),
      n: z.number().int().min(1).max(9),
      l: z.array(z.string()).min(1).max(2),
      mode: z.number().int().min(0).max(511).optional(),
    }),
    valibot: v.object({
      path: v.pipe(v.string(), v.minLength(1), v.maxLength(9)),
      zip: v.pipe(v.string(), v.length(5)),
      n: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9)),
      l: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(2)),
      mode: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(511))),
    }),
    sent: {},
    lines: [
      "- /l (VAL-001): missing; expected array of string, from 1 to 2 items",
      "- /n (VAL-001): missing; expected integer from 1 to 9",
      "- /path (VAL-001): missing; expected string, from 1 to 9 characters",
      "- /zip (VAL-001): missing; expected string, 5 characters",
    ],
  },
  {
    name: "a misspelt field",
    zod3: z.object({ path: z.string(), mode: z.number().optional() }),
    valibot: v.object({ path: v.string(), mode: v.optional(v.number()) }),
    sent: { pth: "a" },
    lines: ['- /path (VAL-001): missing; expected string; rename "pth" to "path"'],
  },
  {
    name: "a misspelt optional field",
    zod3: z.object({ path: z.string(), mode: z.number().optional() }),
    sent: { path: 1, moed: 3 },
    lines: [
      '- /moed (VAL-005): unknown field; rename it to "mode"',
      '- /path (VAL-002): 1; expected string; use "1"',
    ],
  },
  {
    name: "a misspelt nested field",
    zod3: z.object({
      options: z.object({ encoding: z.string(), recursive: z.boolean().optional() }),
    }),
    sent: { options: { encodng: "x" } },
    lines: [
      '- /options/encoding (VAL-001): missing; expected string; rename "encodng" to "encoding"',
    ],
  },
  {
    name: "fields one level too high",
    zod3: z.object({ person: z.object({ name: z.string(), age: z.number().int() }) }),
    sent: { name: "Ana", age: 3 },
    lines: ["- /person (VAL-001): missing; expected object with name, age"],
  },
  {
    name: "a field that zod drops",
    zod3: z.object({ path: z.string() }),
    sent: { path: 1, extra: true },
    lines: ['- /path (VAL-002): 1; expected string; use "1"'],
  },
  {
    name: "a field that a strict object refuses",
    valibot: v.strictObject({ path: v.string() }),
    sent: { path: "a", extra: true },
    lines: [
      "- /extra (VAL-005): unknown field; expected only path; no such option: if the call needs it, ask the user",
    ],
  },
  {
    name: "fields that a strict object refuses",
    zod3: z.object({ path: z.string() }).strict(),
    sent: { path: "a", pth: "b", extra: true },
    lines: [
      "- /extra (VAL-005): unknown field; expected only path; no such option: if the call needs it, ask the user",
      "- /pth (VAL-005): unknown field; expected only path",
    ],
  },
  {
    name: "a misspelt field of a strict object",
    zod3: z.object({ path: z.string(), mode: z.number().optional() }).strict(),
    valibot: v.strictObject({ path: v.string(), mode: v.optional(v.number()) }),
    sent: { pth: "b" },
    lines: ['- /pth (VAL-005): unknown field; expected only path, mode; rename it to "path"'],
  },
  {
    name: "a catchall",
    zod3: z.object({ path: z.string() }).catchall(z.number()),
    sent: { path: "1", extra: true },
    lines: ["- /extra (VAL-002): true; expected number"],
  },
  {
    name: "null for fields that take none",
    zod3: z.object({
      a: z.string(),
      n: z.number().optional(),
      m: z.string().min(3).max(5),
    }),
    valibot: v.object({
      a: v.string(),
      n: v.optional(v.number()),
      m: v.pipe(v.string(), v.minLength(3), v.maxLength(5)),
    }),
    sent: { a: null, n: null, m: null },
    lines: [
      "- /a (VAL-002): null; expected string",
      "- /m (VAL-002): null; expected string, from 3 to 5 characters",
      "- /n (VAL-002): null; expected number; leave it out",
    ],
  },
  {
    name: "nullable fields",
    zod3: z.object({
      a: z.string().nullable(),
      n: z.number().int().nullable(),
      e: z.enum(["a", "b"]).nullable(),
      o: z.object({ name: z.string(), age: z.number().int() }).nullable(),
    }),
    valibot: v.object({
      a: v.nullable(v.string()),
      n: v.nullable(v.pipe(v.number(), v.integer())),
      e: v.nullable(v.picklist(["a", "b"])),
      o: v.nullable(v.object({ name: v.string(), age: v.pipe(v.number(), v.integer()) })),
    }),
    sent: { a: 1, n: "1", e: "c", o: { name: "Ana", age: "3" } },
    lines: [
      '- /a (VAL-002): 1; expected string or null; use "1"',
      '- /e (VAL-008): "c"; expected one of "a", "b" or null',
      '- /n (VAL-002): "1"; expected integer or null; send 1 without quotes',
      '- /o/age (VAL-002): "3"; expected integer; send 3 without quotes',
    ],
  },
  {
    name: "missing nullable fields",
    zod3: z.object({
      a: z.string().nullable(),
      n: z.number().int().min(1).nullable(),
      e: z.enum(["a", "b"]).nullable(),
      o: z.object({ x: z.string() }).nullable(),
    }),
    sent: {},
    lines: [
      "- /a (VAL-001): missing; expected string or null; send null if there is none",
      '- /e (VAL-001): missing; expected null or one of "a", "b"; send null if there is none',
      "- /n (VAL-001): missing; expected integer at least 1 or null; send null if there is none",
      "- /o (VAL-001): missing; expected object with x or null; send null if there is none",
    ],
  },
  {
    name: "a missing nullable field",
    valibot: v.object({ n: v.nullable(v.number()) }),
    sent: {},
    lines: ["- /n (VAL-001): missing; expected number or null; send null if there is none"],
  },
  {
    name: "fields with a default",
    zod3: z.object({ n: z.number().int().min(1).default(3), s: z.string().default("x") }),
    sent: { n: 0, s: 1 },
    lines: [
      "- /n (VAL-003): 0; expected integer at least 1",
      '- /s (VAL-002): 1; expected string; use "1"',
    ],
  },
  {
    name: "a field with a catch",
    zod3: z.object({ n: z.number().catch(3), s: z.string() }),
    sent: { n: "x", s: 1 },
    lines: ['- /s (VAL-002): 1; expected string; use "1"'],
  },
  {
    name: "missing branded and readonly fields",
    zod3: z.object({ id: z.string().uuid().brand("Id"), r: z.array(z.string()).readonly() }),
    sent: {},
    lines: [
      "- /id (VAL-001): missing; expected uuid string",
      "- /r (VAL-001): missing; expected array of string",
    ],
  },
  {
    name: "secrets",
    zod3: z.object({ password: z.string().min(12), api_key: z.string().length(3), n: z.number() }),
    sent: { password: "hunter2", api_key: "sk-secret-123", n: "x" },
    lines: [
      "- /api_key (VAL-009): [redacted]; expected string, 3 characters",
      '- /n (VAL-002): "x"; expected number',
      "- /password (VAL-009): [redacted]; expected string, at least 12 characters",
    ],
  },
  {
    name: "a string for the arguments",
    zod3: z.object({ a: z.string() }),
    sent: "x",
    lines: ['- (arguments) (VAL-002): "x"; expected object with a'],
  },
];
