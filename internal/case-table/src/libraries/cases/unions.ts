import * as v from "valibot";
import { z } from "zod3";
import type { LibraryCase } from "../library-case.ts";

const person = z.object({ name: z.string().min(2), age: z.number().int() });
const address = z.object({ street: z.string(), zip: z.string().length(5) });

const edit = z.discriminatedUnion("type", [
  z.object({ type: z.literal("add"), text: z.string() }),
  z.object({ type: z.literal("del"), at: z.number() }),
]);
const editInValibot = v.variant("type", [
  v.object({ type: v.literal("add"), text: v.string() }),
  v.object({ type: v.literal("del"), at: v.number() }),
]);

/** Unions, with and without a tag. */
export const unionCases: readonly LibraryCase[] = [
  {
    name: "a union of types",
    zod3: z.object({ id: z.union([z.string(), z.number()]) }),
    valibot: v.object({ id: v.union([v.string(), v.number()]) }),
    sent: { id: true },
    lines: ["- /id (VAL-002): true; expected string or number"],
  },
  {
    name: "a missing union",
    zod3: z.object({ id: z.union([z.string(), z.number()]) }),
    sent: {},
    lines: ["- /id (VAL-001): missing; expected string or number"],
  },
  {
    name: "a union of types with limits",
    zod3: z.object({ id: z.union([z.string().min(3), z.number().int()]) }),
    sent: { id: "a" },
    lines: ['- /id (VAL-009): "a"; expected string, at least 3 characters'],
  },
  {
    name: "unions of literals",
    zod3: z.object({
      l: z.union([z.literal("a"), z.literal("b")]),
      m: z.union([z.literal("a"), z.literal("b"), z.literal(3)]),
    }),
    sent: { l: "c", m: "c" },
    lines: [
      '- /l (VAL-008): "c"; expected one of "a", "b"',
      '- /m (VAL-008): "c"; expected one of "a", "b", 3',
    ],
  },
  {
    name: "a number or a word",
    zod3: z.object({ b: z.union([z.number().int().min(1), z.literal("all")]) }),
    sent: { b: "everything" },
    lines: ['- /b (VAL-008): "everything"; expected "all" or integer at least 1'],
  },
  {
    name: "a format or the empty string",
    zod3: z.object({
      n: z.number().int().or(z.literal("auto")),
      e: z.string().email().or(z.literal("")),
    }),
    sent: { n: "x", e: "x" },
    lines: [
      '- /e (VAL-013): "x"; expected email string such as "ana@example.com" or ""',
      '- /n (VAL-008): "x"; expected "auto" or integer',
    ],
  },
  {
    name: "one or many",
    zod3: z.object({ ids: z.union([z.string(), z.array(z.string())]) }),
    sent: { ids: [1] },
    lines: ['- /ids/0 (VAL-002): 1; expected string; use "1"'],
  },
  {
    name: "a union of objects, none of which is meant",
    zod3: z.object({
      to: z.union([z.object({ email: z.string() }), z.object({ phone: z.string() })]),
    }),
    valibot: v.object({
      to: v.union([v.object({ email: v.string() }), v.object({ phone: v.string() })]),
    }),
    sent: { to: {} },
    lines: ["- /to (VAL-013): {}; expected object with email, or with phone"],
  },
  {
    name: "a union of objects, one of which is meant",
    zod3: z.object({ who: z.union([person, address]) }),
    valibot: v.object({
      who: v.union([
        v.object({ name: v.string(), age: v.pipe(v.number(), v.integer()) }),
        v.object({ street: v.string(), zip: v.string() }),
      ]),
    }),
    sent: { who: { name: "Ana" } },
    lines: ["- /who/age (VAL-001): missing; expected integer; as name variant"],
  },
  {
    name: "a misspelt field of a union",
    zod3: z.object({
      a: z.union([z.object({ email: z.string() }), z.object({ phone: z.string() })]),
    }),
    sent: { a: { emial: "x" } },
    lines: [
      '- /a/email (VAL-001): missing; expected string; rename "emial" to "email"; as email variant',
    ],
  },
  {
    name: "a union with a literal tag",
    zod3: z.object({
      a: z.union([
        z.object({ t: z.literal("x"), v: z.number() }),
        z.object({ t: z.literal("y"), w: z.string() }),
      ]),
    }),
    sent: { a: { t: "x", v: "1" } },
    lines: ['- /a/v (VAL-002): "1"; expected number; send 1 without quotes; as x variant'],
  },
  {
    name: "a strict union member",
    zod3: z.object({
      a: z.union([
        z.object({ t: z.literal("x"), v: z.number() }).strict(),
        z.object({ t: z.literal("y"), w: z.string() }).strict(),
      ]),
    }),
    sent: { a: { t: "x", v: 1, q: 1 } },
    lines: [
      "- /a/q (VAL-005): unknown field; expected only t, v; no such option: if the call needs it, ask the user; as x variant",
    ],
  },
  {
    name: "a discriminated union",
    zod3: z.object({ op: edit, on: edit }),
    valibot: v.object({ op: editInValibot, on: editInValibot }),
    sent: { op: { type: "add" }, on: { type: "del", at: "1" } },
    lines: [
      '- /on/at (VAL-002): "1"; expected number; send 1 without quotes; as del variant',
      "- /op/text (VAL-001): missing; expected string; as add variant",
    ],
  },
  {
    name: "wrong tags",
    zod3: z.object({
      do: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("move"), x: z.number() }),
        z.object({ kind: z.literal("say"), text: z.string() }),
      ]),
      op: edit,
    }),
    valibot: v.object({
      do: v.variant("kind", [
        v.object({ kind: v.literal("move"), x: v.number() }),
        v.object({ kind: v.literal("say"), text: v.string() }),
      ]),
      op: editInValibot,
    }),
    sent: { do: { kind: "mov", x: 1 }, op: { type: "ad" } },
    lines: [
      '- /do/kind (VAL-008): "mov"; expected one of "move", "say"; use "move"',
      '- /op/type (VAL-008): "ad"; expected one of "add", "del"',
    ],
  },
  {
    name: "a missing tag",
    zod3: z.object({ op: edit }),
    sent: { op: { at: 1 } },
    lines: ['- /op/type (VAL-001): missing; expected one of "del", "add"; use "del"'],
  },
  {
    name: "a missing discriminated union",
    zod3: z.object({ op: edit }),
    sent: {},
    lines: [
      '- /op (VAL-001): missing; expected object with type "add", text or object with type "del", at',
    ],
  },
  {
    name: "a discriminated union as the arguments",
    zod3: z.discriminatedUnion("t", [
      z.object({ t: z.literal("a"), path: z.string() }),
      z.object({ t: z.literal("b"), b: z.number() }),
    ]),
    sent: { t: "a", pth: "x" },
    lines: ['- /path (VAL-001): missing; expected string; rename "pth" to "path"; as a variant'],
  },
];
