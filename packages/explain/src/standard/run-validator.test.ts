import { setTimeout as sleep } from "node:timers/promises";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";
import { type StandardOptions, validateStandard } from "./validate-standard.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
process.on("unhandledRejection", onUnhandled);
afterAll(() => void process.off("unhandledRejection", onUnhandled));

const later = async <T>(value: T): Promise<T> => value;
const none = (): undefined => undefined;

function validate(validator: StandardSchemaV1, input: unknown, options: StandardOptions) {
  return validateStandard(validator, input, none, options);
}

interface Parser extends StandardSchemaV1 {
  safeParse(input: unknown): { readonly success: boolean; readonly data?: unknown };
  safeParseAsync(input: unknown): Promise<{ readonly success: boolean; readonly data?: unknown }>;
}

type Place<Schema> = readonly [where: string, around: (part: Schema) => Parser, input: unknown];

const PARTS: readonly (readonly [string, (seen: (value: unknown) => void) => z.ZodType])[] = [
  ["transform", (seen) => z.string().transform(async (text) => (seen(text), `${text}!`))],
  ["refine", (seen) => z.string().refine(async (text) => (seen(text), true))],
  ["superRefine", (seen) => z.string().superRefine(async (text) => seen(text))],
  ["promise of a plain function", (seen) => z.string().refine((text) => (seen(text), later(true)))],
  ["preprocess", (seen) => z.preprocess(async (text) => (seen(text), text), z.string())],
  [
    "codec",
    (seen) =>
      z.codec(z.string(), z.string(), {
        decode: async (text) => (seen(text), `${text}!`),
        encode: later,
      }),
  ],
  ["pipe", (seen) => z.string().pipe(z.transform(async (text) => (seen(text), `${text}!`)))],
];

const PLACES: readonly Place<z.ZodType>[] = [
  ["alone", (part) => part, "x"],
  ["in an object", (part) => z.object({ a: part }), { a: "x" }],
  [
    "in an object in an object",
    (part) => z.object({ o: z.object({ a: part }) }),
    { o: { a: "x" } },
  ],
  ["in a strict object", (part) => z.strictObject({ a: part }), { a: "x" }],
  ["in a loose object", (part) => z.looseObject({ a: part }), { a: "x", b: 1 }],
  ["in other fields", (part) => z.object({}).catchall(part), { a: "x" }],
  ["in an array", (part) => z.array(part), ["x"]],
  ["in a tuple", (part) => z.tuple([part]), ["x"]],
  ["in a record", (part) => z.record(z.string(), part), { a: "x" }],
  ["in a union", (part) => z.union([z.number(), part]), "x"],
  [
    "in a variant",
    (part) => z.discriminatedUnion("k", [z.object({ k: z.literal("a"), a: part })]),
    { k: "a", a: "x" },
  ],
  ["in an intersection", (part) => z.object({ a: part }).and(z.object({})), { a: "x" }],
  ["optional", (part) => z.object({ a: part.optional() }), { a: "x" }],
  ["nullable", (part) => z.object({ a: part.nullable() }), { a: "x" }],
  ["with a default", (part) => z.object({ a: part.default("d") }), { a: "x" }],
  ["with a catch", (part) => z.object({ a: part.catch("c") }), { a: "x" }],
  ["read only", (part) => z.object({ a: part.readonly() }), { a: "x" }],
  ["lazy", (part) => z.object({ a: z.lazy(() => part) }), { a: "x" }],
  ["before a pipe", (part) => z.object({ a: part.pipe(z.any()) }), { a: "x" }],
];

describe.each(PARTS)("zod 4: an asynchronous %s", (_, part) => {
  test.each(PLACES)("%s gives what zod gives, and runs once", async (__, around, input) => {
    const expected = await around(part(none)).safeParseAsync(input);
    expect(expected.success).toBe(true);
    const seen: unknown[] = [];
    const validator = around(part((value) => seen.push(value)));
    const verdict = await validate(validator, input, { mayWait: true });
    expect(verdict).toEqual({ ok: true, output: expected.data });
    expect(seen).toEqual(["x"]);
  });

  test.each(PLACES)(
    "%s makes a promise for a caller that cannot wait",
    async (__, around, input) => {
      const verdict = validate(around(part(none)), input, { mayWait: false });
      expect(verdict).toBeInstanceOf(Promise);
      expect(await verdict).toMatchObject({ ok: true });
    },
  );
});

test("zod 4: an asynchronous part that another branch of a union makes needless is one", async () => {
  const part = z.object({ a: z.preprocess(later, z.string().optional()) });
  const validator = z.union([z.union([z.string(), part]), z.union([z.string(), z.object({})])]);
  const verdict = validate(validator, {}, { mayWait: false });
  expect(verdict).toBeInstanceOf(Promise);
  expect(await verdict).toMatchObject({ ok: true });
});

test.each<[string, z.ZodType, unknown]>([
  ["a length", z.string().min(1), "x"],
  ["a format", z.iso.date(), "2026-05-01"],
  ["a pattern", z.string().regex(/x/), "x"],
  ["a limit", z.int().min(1), 7],
  ["a union", z.union([z.number(), z.array(z.string())]), ["x"]],
  ["a default", z.string().default("x"), "x"],
])("zod 4: %s needs no promise, even for a caller that can wait", (_, part, value) => {
  expect(validate(z.object({ a: part }), { a: value }, { mayWait: true })).toEqual({
    ok: true,
    output: { a: value },
  });
});

const PARTS_3: readonly (readonly [string, z3.ZodTypeAny])[] = [
  ["transform", z3.string().transform(async (text) => `${text}!`)],
  ["refine", z3.string().refine(later)],
  ["preprocess", z3.preprocess(later, z3.string())],
  ["preprocess of a plain function", z3.preprocess((text) => later(text), z3.string())],
  ["preprocess before a coercion", z3.preprocess(later, z3.coerce.number())],
  ["preprocess before anything", z3.preprocess(later, z3.any())],
];

const PLACES_3: readonly Place<z3.ZodTypeAny>[] = [
  ["alone", (part) => part, "7"],
  ["in an object", (part) => z3.object({ a: part }), { a: "7" }],
  ["in an array", (part) => z3.array(part), ["7"]],
  ["in a record", (part) => z3.record(part), { a: "7" }],
  ["in a union", (part) => z3.union([part, z3.boolean()]), "7"],
  ["with a catch", (part) => z3.object({ a: part.catch("c") }), { a: "7" }],
  ["optional", (part) => z3.object({ a: part.optional() }), { a: "7" }],
  ["before a pipe", (part) => part.pipe(z3.any()), "7"],
];

describe.each(PARTS_3)("zod 3: an asynchronous %s", (_, part) => {
  test.each(PLACES_3)("%s gives what zod gives", async (__, around, input) => {
    const validator = around(part);
    const expected = await validator.safeParseAsync(input);
    expect(expected.success).toBe(true);
    const verdict = await validate(validator, input, { mayWait: true });
    expect(verdict).toEqual({ ok: true, output: expected.data });
  });
});

const COERCIONS_3: readonly (readonly [string, z3.ZodTypeAny])[] = [
  ["a string", z3.string()],
  ["a coercion to a string", z3.coerce.string()],
  ["a coercion to a number", z3.coerce.number()],
  ["a coercion to a boolean", z3.coerce.boolean()],
  ["a coercion to a date", z3.coerce.date()],
  ["anything", z3.any()],
  ["a check that cannot read a promise", z3.any().refine((text: string) => text.startsWith("7"))],
];

const MORE_PLACES_3: readonly Place<z3.ZodTypeAny>[] = [
  ["lazy", (part) => z3.object({ a: z3.lazy(() => z3.object({ b: part })) }), { a: { b: "7" } }],
  [
    "in a variant",
    (part) => z3.discriminatedUnion("k", [z3.object({ k: z3.literal("a"), a: part })]),
    { k: "a", a: "7" },
  ],
  ["in an intersection", (part) => z3.object({ a: part }).and(z3.object({})), { a: "7" }],
  ["in a tuple", (part) => z3.tuple([part]), ["7"]],
  ["in other fields", (part) => z3.object({}).catchall(part), { a: "7" }],
  ["with a default", (part) => z3.object({ a: part.default("d") }), { a: "7" }],
  ["before a check", (part) => z3.object({ a: part.refine(() => true) }), { a: "7" }],
];

describe.each(COERCIONS_3)("zod 3: a preprocess before %s", (_, after) => {
  const kinds: readonly (readonly [string, (value: unknown) => unknown])[] = [
    ["asynchronous", async (value) => value],
    ["a plain function of a promise", (value) => later(value)],
    ["rejecting", async () => Promise.reject(new RangeError("the database is offline"))],
  ];

  test.each([...PLACES_3, ...MORE_PLACES_3])(
    "%s is not judged by its promise",
    async (__, around, input) => {
      for (const [, preprocess] of kinds) {
        const verdict = validate(around(z3.preprocess(preprocess, after)), input, {
          mayWait: false,
        });
        expect(verdict).toBeInstanceOf(Promise);
        await verdict;
      }
      await sleep(1);
      expect(unhandled).toEqual([]);
    },
  );

  test.each([...PLACES_3, ...MORE_PLACES_3])(
    "%s needs no promise if it is synchronous",
    (__, around, input) => {
      const validator = around(z3.preprocess((value) => value, after));
      const own = validator.safeParse(input);
      const verdict = validate(validator, input, { mayWait: false });
      expect(verdict).toEqual(
        own.success ? { ok: true, output: own.data } : expect.objectContaining({ ok: false }),
      );
    },
  );
});

test.each([
  ["zod 3", z3.object({ a: z3.string().refine(async () => sleep(1, true)) })],
  ["zod 4", z.object({ a: z.string().refine(async () => sleep(1, true)) })],
  ["zod mini", mini.object({ a: mini.string().check(mini.refine(async () => sleep(1, true))) })],
])("%s: a valid value of an asynchronous validator is accepted", async (_, validator) => {
  expect(await validate(validator, { a: "x" }, { mayWait: true })).toEqual({
    ok: true,
    output: { a: "x" },
  });
});

test("zod 3: a schema of a class of its own is parsed as it is", () => {
  class Even extends z3.ZodNumber {
    readonly #divisor: number;
    constructor(divisor: number) {
      super(z3.number()._def);
      if (typeof divisor !== "number") throw new TypeError("no divisor");
      this.#divisor = divisor;
    }
    override _parse(input: z3.ParseInput): z3.ParseReturnType<number> {
      return Number(input.data) % this.#divisor === 0 ? super._parse(input) : z3.INVALID;
    }
  }
  const validator = z3.object({ n: z3.preprocess(Number, new Even(2)) });
  expect(validate(validator, { n: "4" }, { mayWait: false })).toEqual({
    ok: true,
    output: { n: 4 },
  });
});

describe("a part that fails", () => {
  const offline = new RangeError("the database is offline");
  const fails = (): never => {
    throw offline;
  };
  const rejects = async (): Promise<never> => fails();
  const couldNotRun = {
    ok: false,
    findings: [{ code: "VAL-016", path: [], reason: { kind: "validator-could-not-run" } }],
    atLeast: false,
  };
  const ROWS: readonly (readonly [string, StandardSchemaV1])[] = [
    ["zod 4, throws", z.object({ a: z.string().refine(fails) })],
    ["zod 4, throws in a transform", z.object({ a: z.string().transform(fails) })],
    ["zod 4, rejects", z.object({ a: z.string().refine(rejects) })],
    ["zod 4, rejects in a transform", z.object({ a: z.string().transform(rejects) })],
    ["zod 3, throws", z3.object({ a: z3.string().refine(fails) })],
    ["zod 3, rejects", z3.object({ a: z3.string().refine(rejects) })],
    ["zod 3, rejects in a transform", z3.object({ a: z3.string().transform(rejects) })],
    ["zod 3, rejects in a preprocess", z3.object({ a: z3.preprocess(rejects, z3.string()) })],
  ];

  test.each(ROWS)(
    "%s: refuses the call, and its own error is reported once",
    async (_, validator) => {
      const thrown: unknown[] = [];
      const onThrow = (error: unknown): void => void thrown.push(error);
      const verdict = await validate(validator, { a: "x" }, { mayWait: true, onThrow });
      expect(verdict).toEqual(couldNotRun);
      expect(thrown).toEqual([offline]);
      await sleep(1);
      expect(unhandled).toEqual([]);
    },
  );

  test.each(ROWS.filter(([name]) => name.includes("throws")))(
    "%s: is not a promise for a caller that cannot wait",
    (_, validator) => {
      const thrown: unknown[] = [];
      const onThrow = (error: unknown): void => void thrown.push(error);
      const verdict = validate(validator, { a: "x" }, { mayWait: false, onThrow });
      expect(verdict).toEqual(couldNotRun);
      expect(thrown).toEqual([offline]);
    },
  );

  // Zod 4 drops the promise that it meets, and what it calls cannot be watched.
  test.each(ROWS.filter(([name]) => name.startsWith("zod 3, rejects")))(
    "%s: leaves nothing unhandled for a caller that cannot wait",
    async (_, validator) => {
      const verdict = validate(validator, { a: "x" }, { mayWait: false });
      expect(verdict).toBeInstanceOf(Promise);
      expect(await verdict).toEqual(couldNotRun);
      await sleep(1);
      expect(unhandled).toEqual([]);
    },
  );

  test("once only is not an asynchronous part", () => {
    let runs = 0;
    const once = z.string().refine(() => {
      runs += 1;
      if (runs === 1) fails();
      return true;
    });
    expect(validate(z.object({ a: once }), { a: "x" }, { mayWait: false })).toEqual(couldNotRun);
  });
});
