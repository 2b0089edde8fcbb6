import * as v from "valibot";
import { z } from "zod3";
import type { LibraryCase } from "../library-case.ts";

interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}

const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), children: z.array(tree) }));
const treeInValibot: v.GenericSchema<Tree> = v.lazy(() =>
  v.object({ name: v.string(), children: v.array(treeInValibot) }),
);
const chain: z.ZodTypeAny = z.object({ name: z.string(), next: z.lazy(() => chain) });
const boundedChain: z.ZodTypeAny = z.object({
  name: z.string().min(3).max(5),
  next: z.lazy(() => boundedChain.nullable()),
});
const boundedTree: z.ZodTypeAny = z.object({
  name: z.string().min(3).max(5),
  kind: z.enum(["a", "b"]).optional(),
  children: z.array(z.lazy(() => boundedTree)).optional(),
});
const filter: z.ZodTypeAny = z.union([
  z.string(),
  z.object({ op: z.enum(["and", "or"]), args: z.array(z.lazy(() => filter)).min(1) }),
]);
const point = z.object({ x: z.number().int().min(0), y: z.number() });
const person = z.object({ name: z.string().min(2), age: z.number().int() });
const personInValibot = v.object({
  name: v.pipe(v.string(), v.minLength(2)),
  age: v.pipe(v.number(), v.integer()),
});

/** Schemas within schemas: nested, shared, recursive, merged, and those that change or judge a value. */
export const partCases: readonly LibraryCase[] = [
  {
    name: "nested objects and arrays",
    zod3: z.object({
      a: z.object({ b: z.object({ c: z.array(z.object({ d: z.number().int().min(1) })) }) }),
    }),
    valibot: v.object({
      a: v.object({
        b: v.object({
          c: v.array(v.object({ d: v.pipe(v.number(), v.integer(), v.minValue(1)) })),
        }),
      }),
    }),
    sent: { a: { b: { c: [{ d: 0 }, { d: "1" }, {}] } } },
    lines: [
      "- /a/b/c/0/d (VAL-003): 0; expected integer at least 1",
      '- /a/b/c/1/d (VAL-002): "1"; expected integer at least 1; send 1 without quotes',
      "- /a/b/c/2/d (VAL-001): missing; expected integer at least 1",
    ],
  },
  {
    name: "an array of objects",
    zod3: z.object({ people: z.array(person) }),
    valibot: v.object({ people: v.array(personInValibot) }),
    sent: { people: [{ name: "A", age: "3" }, {}, "x"] },
    lines: [
      '- /people/0/age (VAL-002): "3"; expected integer; send 3 without quotes',
      '- /people/0/name (VAL-009): "A"; expected string, at least 2 characters',
      "- /people/1/age (VAL-001): missing; expected integer",
      "- /people/1/name (VAL-001): missing; expected string, at least 2 characters",
      '- /people/2 (VAL-002): "x"; expected object with name, age',
    ],
  },
  {
    name: "faults at several depths",
    zod3: z.object({
      a: z.array(z.object({ b: z.string().email(), c: z.array(z.number()).min(2) })),
    }),
    sent: { a: [{ b: 1, c: [] }, { c: "x" }] },
    lines: [
      '- /a/0/b (VAL-002): 1; expected email string such as "ana@example.com"',
      "- /a/0/c (VAL-006): []; expected array of number, at least 2 items",
      '- /a/1/b (VAL-001): missing; expected email string such as "ana@example.com"',
      '- /a/1/c (VAL-002): "x"; expected array of number, at least 2 items',
    ],
  },
  {
    name: "one schema used twice",
    zod3: z.object({ from: point, to: point }),
    sent: { from: { x: -1, y: "1" }, to: { x: "1" } },
    lines: [
      "- /from/x (VAL-003): -1; expected integer at least 0",
      '- /from/y (VAL-002): "1"; expected number; send 1 without quotes',
      '- /to/x (VAL-002): "1"; expected integer at least 0; send 1 without quotes',
      "- /to/y (VAL-001): missing; expected number",
    ],
  },
  {
    name: "two missing objects of one schema",
    zod3: z.object({ from: point, to: point }),
    sent: {},
    lines: ["- /from, /to (VAL-001): missing; expected object with x, y"],
  },
  {
    name: "recursive arguments",
    zod3: tree,
    valibot: treeInValibot,
    sent: { name: "a", children: [{ name: 1, children: [] }, { name: "b" }] },
    lines: [
      '- /children/0/name (VAL-002): 1; expected string; use "1"',
      "- /children/1/children (VAL-001): missing; expected array of object with name, children",
    ],
  },
  {
    name: "a missing recursive field",
    zod3: chain,
    sent: { name: "a" },
    lines: ["- /next (VAL-001): missing; expected object with name, next"],
  },
  {
    name: "a recursive array",
    zod3: boundedTree,
    sent: {
      name: "abc",
      children: [
        { name: 1, kind: "c" },
        {},
        { name: "x", children: [{ name: 3 }, {}, { nam: "abcd" }, { kind: "aa" }] },
      ],
    },
    lines: [
      '- /children/0/kind, /children/2/children/3/kind (VAL-008): Invalid enum value; expected one of "a", "b"',
      "- /children/0/name, /children/2/children/0/name (VAL-002): Type mismatch: expected string, got integer; expected string, from 3 to 5 characters",
      "- /children/1/name, /children/2/children/1/name, /children/2/children/3/name (VAL-001): missing; expected string, from 3 to 5 characters",
      '- /children/2/children/2/name (VAL-001): missing; expected string, from 3 to 5 characters; rename "nam" to "name"',
      '- /children/2/name (VAL-009): "x"; expected string, from 3 to 5 characters',
    ],
  },
  {
    name: "a nullable recursive field",
    zod3: boundedChain,
    sent: { name: "abc", next: { name: "x", next: {} } },
    lines: [
      '- /next/name (VAL-009): "x"; expected string, from 3 to 5 characters',
      "- /next/next/name (VAL-001): missing; expected string, from 3 to 5 characters",
      "- /next/next/next (VAL-001): missing; expected null or object with name, next; send null if there is none",
    ],
  },
  {
    name: "a recursive union",
    zod3: z.object({ where: filter }),
    sent: { where: { op: "xor", args: [{ op: "and", args: [] }] } },
    lines: [
      "- /where/args/0/args (VAL-006): []; expected array of (string or object with op, args), at least 1 item",
      '- /where/op (VAL-008): "xor"; expected one of "and", "or"',
    ],
  },
  {
    name: "intersections",
    zod3: z
      .object({
        x: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
        y: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
      })
      .and(z.object({ c: z.number() })),
    sent: { x: { a: 1 } },
    lines: [
      "- /c, /x/b (VAL-001): missing; expected number",
      '- /x/a (VAL-002): 1; expected string; use "1"',
      "- /y (VAL-001): missing; expected object with a, b",
    ],
  },
  {
    name: "an extended object",
    zod3: z
      .object({ a: z.string() })
      .extend({ b: z.number().int().max(3) })
      .partial({ b: true }),
    sent: { b: 4 },
    lines: [
      "- /a (VAL-001): missing; expected string",
      "- /b (VAL-003): 4; expected integer at most 3",
    ],
  },
  {
    name: "values that are changed before or after they are judged",
    zod3: z.object({
      transformed: z.string().transform(Number),
      trimmed: z.string().trim().min(2),
      processed: z.preprocess((value) => value, z.number().int()),
      piped: z.string().pipe(z.string().min(3)),
      missing: z.string().min(2).pipe(z.coerce.number().max(9)),
    }),
    sent: { transformed: 1, trimmed: " a ", processed: "1", piped: "a" },
    lines: [
      "- /missing (VAL-001): missing; expected string, at least 2 characters",
      '- /piped (VAL-009): "a"; expected string, at least 3 characters',
      '- /processed (VAL-002): "1"; expected integer; send 1 without quotes',
      '- /transformed (VAL-002): 1; expected string; use "1"',
      '- /trimmed (VAL-009): " a "; expected string, at least 2 characters',
    ],
  },
  {
    name: "refinements",
    zod3: z.object({
      named: z.number().refine((value) => value > 6, "Too old"),
      silent: z.number().refine((value) => value > 6),
      unasked: z
        .number()
        .int()
        .min(2)
        .refine((value) => value > 6, "Too old"),
    }),
    sent: { named: 1, silent: 1, unasked: "x" },
    lines: [
      "- /named (VAL-016): Too old; got 1",
      "- /silent (VAL-016): Invalid input; got 1",
      '- /unasked (VAL-002): "x"; expected integer at least 2',
    ],
  },
  {
    name: "a refinement of the object",
    zod3: z
      .object({ a: z.number(), b: z.number() })
      .refine((value) => value.a < value.b, { message: "a must be less than b", path: ["a"] }),
    sent: { a: 3, b: 1 },
    lines: ["- /a (VAL-016): a must be less than b; got 3"],
  },
];
