import * as v from "valibot";
import { z } from "zod3";
import type { LibraryCase } from "../library-case.ts";

const MANY = Array.from({ length: 60 }, (_, index) => `value${index}`) as [string, ...string[]];

/** Types, limits, enums, and lists: all but the rules of strings. */
export const valueCases: readonly LibraryCase[] = [
  {
    name: "wrong types",
    zod3: z.object({
      n: z.number(),
      i: z.number().int(),
      s: z.string(),
      b: z.boolean(),
      a: z.array(z.string()),
      o: z.object({ x: z.string() }),
      d: z.null(),
    }),
    valibot: v.object({
      n: v.number(),
      i: v.pipe(v.number(), v.integer()),
      s: v.string(),
      b: v.boolean(),
      a: v.array(v.string()),
      o: v.object({ x: v.string() }),
      d: v.null(),
    }),
    sent: { n: "1", i: "2", s: 3, b: "true", a: "x", o: [], d: 0 },
    lines: [
      '- /a (VAL-002): "x"; expected array of string; put it in an array',
      '- /b (VAL-002): "true"; expected boolean; send true without quotes',
      "- /d (VAL-002): 0; expected null",
      '- /i (VAL-002): "2"; expected integer; send 2 without quotes',
      '- /n (VAL-002): "1"; expected number; send 1 without quotes',
      "- /o (VAL-002): []; expected object with x",
      '- /s (VAL-002): 3; expected string; use "3"',
    ],
  },
  {
    name: "wrong types of values with limits",
    zod3: z.object({
      i: z.number().int().min(0).max(511),
      f: z.number().int(),
      a: z.string().min(3).max(5),
      c: z.string().length(3),
      l: z.array(z.string()).min(1).max(2),
    }),
    valibot: v.object({
      i: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(511)),
      f: v.pipe(v.number(), v.integer()),
      a: v.pipe(v.string(), v.minLength(3), v.maxLength(5)),
      c: v.pipe(v.string(), v.length(3)),
      l: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(2)),
    }),
    sent: { i: "511", f: 1.5, a: 1, c: 123, l: "a" },
    lines: [
      "- /a (VAL-002): 1; expected string, from 3 to 5 characters",
      '- /c (VAL-002): 123; expected string, 3 characters; use "123"',
      "- /f (VAL-002): Type mismatch: not a whole number; got 1.5; expected integer",
      '- /i (VAL-002): "511"; expected integer from 0 to 511; send 511 without quotes',
      '- /l (VAL-002): "a"; expected array of string, from 1 to 2 items; put it in an array',
    ],
  },
  {
    name: "numbers out of bounds",
    zod3: z.object({
      i: z.number().int().min(0).max(511),
      l: z.number().multipleOf(5),
      m: z.number().min(1).max(5),
    }),
    valibot: v.object({
      i: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(511)),
      l: v.pipe(v.number(), v.multipleOf(5)),
      m: v.pipe(v.number(), v.minValue(1), v.maxValue(5)),
    }),
    sent: { i: 600, l: 7, m: 9 },
    lines: [
      "- /i (VAL-003): 600; expected integer from 0 to 511",
      "- /l (VAL-003): 7; expected number, a multiple of 5",
      "- /m (VAL-003): 9; expected number from 1 to 5",
    ],
  },
  {
    name: "numbers out of exclusive bounds",
    zod3: z.object({
      j: z.number().gt(0),
      k: z.number().lt(3),
      p: z.number().positive(),
      q: z.number().nonnegative(),
    }),
    sent: { j: 0, k: 3, p: -1, q: -1 },
    lines: [
      "- /j, /p (VAL-003): Value out of range; expected number above 0",
      "- /k (VAL-003): 3; expected number below 3",
      "- /q (VAL-003): -1; expected number at least 0",
    ],
  },
  {
    name: "items of the wrong type",
    zod3: z.object({ n: z.array(z.number()), e: z.array(z.enum(["red", "blue"])) }),
    valibot: v.object({ n: v.array(v.number()), e: v.array(v.picklist(["red", "blue"])) }),
    sent: { n: [1, "2", "x"], e: ["red", "green"] },
    lines: [
      '- /e/1 (VAL-008): "green"; expected one of "red", "blue"',
      '- /n/1 (VAL-002): "2"; expected number; send 2 without quotes',
      '- /n/2 (VAL-002): "x"; expected number',
    ],
  },
  {
    name: "array lengths",
    zod3: z.object({
      l: z.array(z.string()).min(1).max(2),
      e: z.array(z.number()).length(2),
      n: z.array(z.string()).nonempty(),
      m: z.array(z.string()).min(2),
    }),
    valibot: v.object({
      l: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(2)),
      e: v.pipe(v.array(v.number()), v.length(2)),
      n: v.pipe(v.array(v.string()), v.nonEmpty()),
      m: v.pipe(v.array(v.string()), v.minLength(2)),
    }),
    sent: { l: ["a", "b", "c"], e: [1], n: [], m: ["a"] },
    lines: [
      "- /e (VAL-006): [1]; expected array of number, 2 items",
      '- /l (VAL-006): ["a", "b", "c"]; expected array of string, from 1 to 2 items',
      '- /m (VAL-006): ["a"]; expected array of string, at least 2 items',
      "- /n (VAL-006): []; expected array of string, at least 1 item",
    ],
  },
  {
    name: "arrays and objects as JSON strings, with faults inside",
    zod3: z.object({
      s: z.array(z.string()),
      n: z.array(z.number()),
      o: z.object({ name: z.string(), age: z.number().int() }),
    }),
    valibot: v.object({
      s: v.array(v.string()),
      n: v.array(v.number()),
      o: v.object({ name: v.string(), age: v.pipe(v.number(), v.integer()) }),
    }),
    sent: { s: "[1]", n: '["x"]', o: '{"name":"Ana"}' },
    lines: [
      String.raw`- /n (VAL-002): "[\"x\"]"; expected array of number; send the array itself, not a JSON string`,
      '- /n/0 (VAL-002): "x"; expected number',
      String.raw`- /o (VAL-002): "{\"name\":\"Ana\"}"; expected object with name, age; send the object itself, not a JSON string`,
      "- /o/age (VAL-001): missing; expected integer",
      '- /s (VAL-002): "[1]"; expected array of string; send the array itself, not a JSON string',
      '- /s/0 (VAL-002): 1; expected string; use "1"',
    ],
  },
  {
    name: "tuples",
    zod3: z.object({
      short: z.tuple([z.number(), z.number()]),
      long: z.tuple([z.number(), z.string()]),
      item: z.tuple([z.number(), z.string()]),
      rest: z.tuple([z.string()]).rest(z.number()),
    }),
    sent: { short: [1], long: [1, 2, 3], item: ["1", "a"], rest: ["a", "b"] },
    lines: [
      '- /item/0 (VAL-002): "1"; expected number; send 1 without quotes',
      "- /long (VAL-006): [1, 2, 3]; expected array [number, string], 2 items",
      '- /long/1 (VAL-002): 2; expected string; use "2"',
      '- /rest/1 (VAL-002): "b"; expected number',
      "- /short (VAL-006): [1]; expected array [number, number], 2 items",
    ],
  },
  {
    name: "values and keys of records",
    zod3: z.object({
      n: z.record(z.string(), z.number()),
      s: z.record(z.string()),
      k: z.record(z.string().min(2), z.number()),
      e: z.record(z.enum(["a", "b"]), z.number()),
    }),
    sent: { n: { A: "1" }, s: { A: 1 }, k: { A: 1 }, e: { c: 1 } },
    lines: [
      '- /e/c (VAL-003): Constraint violated; expected field names: one of "a", "b"',
      "- /k/A (VAL-003): Constraint violated; expected field names: string, at least 2 characters",
      '- /n/A (VAL-002): "1"; expected number; send 1 without quotes',
      '- /s/A (VAL-002): 1; expected string; use "1"',
    ],
  },
  {
    name: "a map",
    zod3: z.object({ s: z.map(z.string(), z.number()), t: z.string() }),
    sent: { s: {} },
    lines: [
      "- /s (VAL-002): {}; expected array of array [string, number], at most 125 items",
      "- /t (VAL-001): missing; expected string",
    ],
  },
  {
    name: "enums",
    zod3: z.object({
      encoding: z.enum(["utf-8", "ascii", "utf-16"]),
      mode: z.enum(["fast", "slow"]),
      speed: z.enum(["fast", "slow"]),
    }),
    valibot: v.object({
      encoding: v.picklist(["utf-8", "ascii", "utf-16"]),
      mode: v.picklist(["fast", "slow"]),
      speed: v.picklist(["fast", "slow"]),
    }),
    sent: { encoding: "uft8", mode: "Fast", speed: "quick" },
    lines: [
      '- /encoding (VAL-008): "uft8"; expected one of "utf-8", "ascii", "utf-16"; use "utf-8"',
      '- /mode (VAL-008): "Fast"; expected one of "fast", "slow"; use "fast"',
      '- /speed (VAL-008): "quick"; expected one of "fast", "slow"',
    ],
  },
  {
    name: "a long enum",
    zod3: z.object({ c: z.enum(MANY) }),
    sent: { c: "valu3" },
    lines: [
      '- /c (VAL-008): "valu3"; expected one of "value0", "value1", "value2", "value3", "value4" and 55 more; use "value3"',
    ],
  },
  {
    name: "missing enums",
    zod3: z.object({
      encoding: z.enum(["utf-8", "ascii", "utf-16"]),
      level: z.nativeEnum({ Low: "low", High: "high" }),
      l: z.array(z.enum(["a", "b"])),
    }),
    sent: {},
    lines: [
      '- /encoding (VAL-001): missing; expected one of "utf-8", "ascii", "utf-16"',
      '- /l (VAL-001): missing; expected array of one of "a", "b"',
      '- /level (VAL-001): missing; expected one of "low", "high"',
    ],
  },
  {
    name: "an enum of TypeScript",
    zod3: z.object({ level: z.nativeEnum({ Low: 0, High: 1, 0: "Low", 1: "High" }) }),
    valibot: v.object({ level: v.enum({ Low: 0, High: 1 }) }),
    sent: { level: "Low" },
    lines: ['- /level (VAL-002): "Low"; expected one of 0, 1'],
  },
  {
    name: "literals",
    zod3: z.object({ kind: z.literal("file"), n: z.literal(3) }),
    valibot: v.object({ kind: v.literal("file"), n: v.literal(3) }),
    sent: { kind: "dir", n: 4 },
    lines: ['- /kind (VAL-008): "dir"; expected "file"', "- /n (VAL-008): 4; expected 3"],
  },
  {
    name: "a literal number in quotes",
    zod3: z.object({ n: z.literal(3) }),
    sent: { n: "3" },
    lines: ['- /n (VAL-002): "3"; expected 3; send 3 without quotes'],
  },
  {
    name: "missing literals",
    zod3: z.object({ kind: z.literal("file"), n: z.literal(3), t: z.literal(true) }),
    sent: {},
    lines: [
      '- /kind (VAL-001): missing; expected "file"',
      "- /n (VAL-001): missing; expected 3",
      "- /t (VAL-001): missing; expected true",
    ],
  },
  {
    name: "dates",
    zod3: z.object({ at: z.date(), coerced: z.coerce.date(), missing: z.date() }),
    sent: { at: "2026-01-01", coerced: "soon" },
    lines: [
      '- /at, /coerced (VAL-010): Invalid format; expected date-time string such as "2026-01-31T09:30:00Z"',
      '- /missing (VAL-001): missing; expected date-time string such as "2026-01-31T09:30:00Z"',
    ],
  },
];
