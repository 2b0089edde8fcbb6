import * as v from "valibot";
import { z } from "zod3";
import type { LibraryCase } from "../library-case.ts";

/** Lengths, patterns and formats of strings. */
export const stringCases: readonly LibraryCase[] = [
  {
    name: "string lengths",
    zod3: z.object({
      a: z.string().min(3),
      b: z.string().max(3),
      c: z.string().length(3),
      d: z.string().min(1),
      e: z.string().min(2).max(3),
    }),
    valibot: v.object({
      a: v.pipe(v.string(), v.minLength(3)),
      b: v.pipe(v.string(), v.maxLength(3)),
      c: v.pipe(v.string(), v.length(3)),
      d: v.pipe(v.string(), v.minLength(1)),
      e: v.pipe(v.string(), v.minLength(2), v.maxLength(3)),
    }),
    sent: { a: "x", b: "Lisbon", c: "Lisbon", d: "", e: "abcd" },
    lines: [
      '- /a (VAL-009): "x"; expected string, at least 3 characters',
      '- /b (VAL-009): "Lisbon"; expected string, at most 3 characters',
      '- /c (VAL-009): "Lisbon"; expected string, 3 characters',
      '- /d (VAL-009): ""; expected string, at least 1 character',
      '- /e (VAL-009): "abcd"; expected string, from 2 to 3 characters',
    ],
  },
  {
    name: "patterns",
    zod3: z.object({ id: z.string().regex(/^[A-Z]{2}\d+$/), c: z.string().regex(/^[A-Z]{2}$/) }),
    valibot: v.object({
      id: v.pipe(v.string(), v.regex(/^[A-Z]{2}\d+$/)),
      c: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
    }),
    sent: { id: "ab", c: "ab" },
    lines: [
      '- /c (VAL-007): "ab"; expected string matching ^[A-Z]{2}$; use "AB"',
      String.raw`- /id (VAL-007): "ab"; expected string matching ^[A-Z]{2}\d+$`,
    ],
  },
  {
    name: "parts of strings",
    zod3: z.object({
      s: z.string().startsWith("a."),
      e: z.string().endsWith("z"),
      i: z.string().includes("x"),
      j: z.string().includes("@"),
      t: z.string().startsWith("a").endsWith("z").min(3),
    }),
    sent: { s: "b", e: "b", i: "b", j: "b", t: 5 },
    lines: [
      '- /e (VAL-007): "b"; expected string matching z$',
      '- /i (VAL-007): "b"; expected string matching x',
      String.raw`- /j (VAL-007): "b"; expected string matching \@`,
      String.raw`- /s (VAL-007): "b"; expected string matching ^a\.`,
      "- /t (VAL-002): 5; expected string, at least 3 characters, matching ^a and matching z$",
    ],
  },
  {
    name: "missing patterns",
    zod3: z.object({
      id: z.string().regex(/^[A-Z]{2}\d+$/),
      a: z.string().regex(/^a/).regex(/z$/),
      s: z.string().startsWith("x.").endsWith("y"),
    }),
    sent: {},
    lines: [
      "- /a (VAL-001): missing; expected string matching ^a and matching z$",
      String.raw`- /id (VAL-001): missing; expected string matching ^[A-Z]{2}\d+$`,
      String.raw`- /s (VAL-001): missing; expected string matching ^x\. and matching y$`,
    ],
  },
  {
    name: "formats",
    zod3: z.object({
      d: z.string().date(),
      dt: z.string().datetime(),
      e: z.string().email(),
      id: z.string().uuid(),
      ip: z.string().ip(),
      ip4: z.string().ip({ version: "v4" }),
      u: z.string().url(),
    }),
    sent: { d: "02/01/2026", dt: "x", e: "x", id: "x", ip: "x", ip4: "x!", u: "x" },
    lines: [
      '- /d (VAL-010): "02/01/2026"; expected date string such as "2026-01-31"',
      '- /dt (VAL-010): "x"; expected date-time string such as "2026-01-31T09:30:00Z"',
      '- /e (VAL-010): "x"; expected email string such as "ana@example.com"',
      '- /id (VAL-010): "x"; expected uuid string',
      '- /ip (VAL-010): "x"; expected ipv4 string such as "192.0.2.1" or ipv6 string such as "2001:db8::1"',
      '- /ip4 (VAL-010): "x!"; expected ipv4 string such as "192.0.2.1"',
      '- /u (VAL-010): "x"; expected uri string such as "https://example.com/page"',
    ],
  },
  {
    name: "formats of valibot",
    valibot: v.object({
      e: v.pipe(v.string(), v.email()),
      id: v.pipe(v.string(), v.uuid()),
      s: v.pipe(v.string(), v.email()),
      u: v.pipe(v.string(), v.url()),
    }),
    sent: { e: "x", s: 5, u: "x" },
    lines: [
      '- /e (VAL-010): "x"; expected email string such as "ana@example.com"',
      "- /id (VAL-001): missing; expected uuid string",
      '- /s (VAL-002): 5; expected email string such as "ana@example.com"',
      '- /u (VAL-010): "x"; expected uri string such as "https://example.com/page"',
    ],
  },
  {
    name: "numbers for formats",
    zod3: z.object({
      dt: z.string().datetime(),
      e: z.string().email(),
      id: z.string().uuid(),
      u: z.string().url(),
    }),
    sent: { dt: 1, e: 1, id: 1, u: 1 },
    lines: [
      '- /dt (VAL-002): 1; expected date-time string such as "2026-01-31T09:30:00Z"',
      '- /e (VAL-002): 1; expected email string such as "ana@example.com"',
      "- /id (VAL-002): 1; expected uuid string",
      '- /u (VAL-002): 1; expected uri string such as "https://example.com/page"',
    ],
  },
  {
    name: "missing formats",
    zod3: z.object({
      d: z.string().date(),
      dt: z.string().datetime(),
      e: z.string().email(),
      id: z.string().uuid(),
      ip: z.string().ip(),
      t: z.string().time(),
      u: z.string().url(),
    }),
    sent: {},
    lines: [
      '- /d (VAL-001): missing; expected date string such as "2026-01-31"',
      '- /dt (VAL-001): missing; expected date-time string such as "2026-01-31T09:30:00Z"',
      '- /e (VAL-001): missing; expected email string such as "ana@example.com"',
      "- /id (VAL-001): missing; expected uuid string",
      "- /ip (VAL-001): missing; expected string",
      '- /t (VAL-001): missing; expected time string such as "09:30:00Z"',
      '- /u (VAL-001): missing; expected uri string such as "https://example.com/page"',
    ],
  },
  {
    name: "missing strings of special characters",
    zod3: z.object({
      b: z.string().base64(),
      c: z.string().cuid(),
      c2: z.string().cuid2(),
      em: z.string().emoji(),
      ul: z.string().ulid(),
    }),
    sent: {},
    lines: [
      "- /b (VAL-001): missing; expected string",
      String.raw`- /c (VAL-001): missing; expected string matching ^[cC][^\s-]{8,}$`,
      "- /c2 (VAL-001): missing; expected string matching ^[0-9a-z]+$",
      String.raw`- /em (VAL-001): missing; expected string matching ^(\p{Extended_Pictographic}|\p{Emoji_Component})+$`,
      "- /ul (VAL-001): missing; expected string matching ^[0-9A-HJKMNP-TV-Z]{26}$",
    ],
  },
  {
    name: "date-time with options",
    zod3: z.object({
      a: z.string().datetime({ offset: true }),
      b: z.string().datetime({ local: true }),
      c: z.string().datetime({ precision: 3 }),
    }),
    sent: { a: "x", c: "2026-01-01T00:00:00Z" },
    lines: [
      '- /a, /c (VAL-010): Invalid format; expected date-time string such as "2026-01-31T09:30:00Z"',
      '- /b (VAL-001): missing; expected date-time string such as "2026-01-31T09:30:00Z"',
    ],
  },
];
