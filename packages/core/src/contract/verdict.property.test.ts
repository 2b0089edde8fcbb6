import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type Type, type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import type { CheckResult } from "../call/index.ts";
import { createContract } from "./create-contract.ts";
import { ToolContractError } from "@toolcontract/explain";

// What clients make of arguments is repaired before the library judges again.
const contract = createContract({ logger: () => undefined, unwrapStrings: false });

/** A schema of any library, as data: what runs later is an asynchronous function of its author. */
type Spec =
  | { readonly kind: "string" | "number" | "boolean" | "tag" | "coerced" }
  | { readonly kind: Later | Wrapper; readonly inner: Spec }
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, Spec>> }
  | { readonly kind: "union"; readonly branches: readonly [Spec, Spec] };
type Later = "check" | "transform" | "preprocess" | "pipe";
type Wrapper =
  | "array"
  | "record"
  | "tuple"
  | "optional"
  | "nullable"
  | "default"
  | "catch"
  | "lazy";

const LATER: readonly Later[] = ["check", "transform", "preprocess", "pipe"];
const WRAPPERS: readonly Wrapper[] = [
  "array",
  "record",
  "tuple",
  "optional",
  "nullable",
  "default",
  "catch",
  "lazy",
];
const FIELDS = ["a", "b"] as const;

const { spec } = fc.letrec<{ spec: Spec }>((tie) => ({
  spec: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constantFrom("string", "number", "boolean", "tag", "coerced") }),
    fc.record({ kind: fc.constantFrom(...LATER), inner: tie("spec") }),
    fc.record({ kind: fc.constantFrom(...LATER), inner: tie("spec") }),
    fc.record({ kind: fc.constantFrom(...WRAPPERS), inner: tie("spec") }),
    fc.record({
      kind: fc.constant("object" as const),
      fields: fc.dictionary(fc.constantFrom(...FIELDS), tie("spec"), { maxKeys: 2 }),
    }),
    fc.record({
      kind: fc.constant("union" as const),
      branches: fc.tuple(tie("spec"), tie("spec")),
    }),
  ),
}));

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("x", "no", "broken", 1, 2, true, null),
    fc.array(tie("tree"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...FIELDS, "c"), tie("tree"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}));

/** A value that fits a schema in most of its places. */
function fitting(one: Spec): fc.Arbitrary<unknown> {
  switch (one.kind) {
    case "string":
      return fc.constantFrom("x", "x", "no", "broken", 1);
    case "number":
      return fc.constantFrom(1, 2, 3, "x");
    case "boolean":
      return fc.boolean();
    case "tag":
    case "coerced":
      return fc.constant("x");
    case "object":
      return fc.record(
        Object.fromEntries(Object.entries(one.fields).map(([name, part]) => [name, fitting(part)])),
        { noNullPrototype: true },
      );
    case "union":
      return fc.oneof(...one.branches.map(fitting));
    case "array":
      return fc.array(fitting(one.inner), { maxLength: 2 });
    case "tuple":
      return fc.tuple(fitting(one.inner));
    case "record":
      return fc.dictionary(fc.constantFrom(...FIELDS), fitting(one.inner), {
        maxKeys: 2,
        noNullPrototype: true,
      });
    case "nullable":
      return fc.oneof(fc.constant(null), fitting(one.inner));
    default:
      return fitting(one.inner);
  }
}

const given = spec.chain((root) =>
  fc.tuple(fc.constant(root), fc.oneof({ weight: 4, arbitrary: fitting(root) }, tree)),
);

/**
 * Accepts most values, refuses some, and fails for some, as a look-up does.
 *
 * @remarks It throws instead of rejecting: of a union, zod 4 itself leaves a rejecting branch unhandled if a later one
 * fits at once.
 */
function passes(value: unknown): Promise<boolean> {
  if (value === "broken") throw new RangeError("the database is offline");
  return Promise.resolve(value !== "no");
}

function changed(value: unknown): Promise<unknown> {
  const ready = typeof value === "string" ? `${value}!` : value;
  return passes(value).then(() => ready);
}

function looked<Value>(value: Value): Promise<Value> {
  return passes(value).then(() => value);
}

function zod4(one: Spec): z.ZodType {
  switch (one.kind) {
    case "string":
      return z.string();
    case "number":
      return z.number();
    case "boolean":
      return z.boolean();
    case "tag":
      return z.enum(["x", "y"]);
    case "coerced":
      return z.coerce.string();
    case "check":
      return zod4(one.inner).refine(passes);
    case "transform":
      return zod4(one.inner).transform(changed);
    case "preprocess":
      return z.preprocess(looked, zod4(one.inner));
    case "pipe":
      return z.codec(z.any(), zod4(one.inner), {
        decode: looked,
        encode: (value) => value,
      });
    case "array":
      return z.array(zod4(one.inner));
    case "record":
      return z.record(z.string(), zod4(one.inner));
    case "tuple":
      return z.tuple([zod4(one.inner)]);
    case "optional":
      return zod4(one.inner).optional();
    case "nullable":
      return zod4(one.inner).nullable();
    case "default":
      return zod4(one.inner).default("d");
    case "catch":
      return zod4(one.inner).catch("c");
    case "lazy":
      return z.lazy(() => zod4(one.inner));
    case "object":
      return z.object(mapped(one.fields, zod4));
    case "union":
      return z.union(one.branches.map(zod4));
  }
}

function zod3(one: Spec): z3.ZodTypeAny {
  switch (one.kind) {
    case "string":
      return z3.string();
    case "number":
      return z3.number();
    case "boolean":
      return z3.boolean();
    case "tag":
      return z3.enum(["x", "y"]);
    case "coerced":
      return z3.coerce.string();
    case "check":
      return zod3(one.inner).refine(passes);
    case "transform":
      return zod3(one.inner).transform(changed);
    case "preprocess":
      return z3.preprocess(looked, zod3(one.inner));
    case "pipe":
      return z3.any().transform(changed).pipe(zod3(one.inner));
    case "array":
      return z3.array(zod3(one.inner));
    case "record":
      return z3.record(zod3(one.inner));
    case "tuple":
      return z3.tuple([zod3(one.inner)]);
    case "optional":
      return zod3(one.inner).optional();
    case "nullable":
      return zod3(one.inner).nullable();
    case "default":
      return zod3(one.inner).default("d");
    case "catch":
      return zod3(one.inner).catch("c");
    case "lazy":
      return z3.lazy(() => zod3(one.inner));
    case "object":
      return z3.object(mapped(one.fields, zod3));
    case "union":
      return z3.union([zod3(one.branches[0]), zod3(one.branches[1])]);
  }
}

type Valibot = v.GenericSchema | v.GenericSchemaAsync;

function valibot(one: Spec): Valibot {
  switch (one.kind) {
    case "string":
      return v.string();
    case "number":
      return v.number();
    case "boolean":
      return v.boolean();
    case "tag":
      return v.picklist(["x", "y"]);
    case "coerced":
      return v.pipe(v.unknown(), v.transform(String));
    case "check":
      return v.pipeAsync(valibot(one.inner), v.checkAsync(passes));
    case "transform":
      return v.pipeAsync(valibot(one.inner), v.transformAsync(changed));
    case "preprocess":
    case "pipe":
      return v.pipeAsync(v.unknown(), v.transformAsync(changed), valibot(one.inner));
    case "array":
      return v.arrayAsync(valibot(one.inner));
    case "record":
      return v.recordAsync(v.string(), valibot(one.inner));
    case "tuple":
      return v.tupleAsync([valibot(one.inner)]);
    case "optional":
      return v.optionalAsync(valibot(one.inner));
    case "nullable":
      return v.nullableAsync(valibot(one.inner));
    case "default":
      return v.optionalAsync(valibot(one.inner), "x");
    case "catch":
      return v.fallbackAsync(valibot(one.inner), "c");
    case "lazy":
      return v.lazyAsync(() => valibot(one.inner));
    case "object":
      return v.objectAsync(mapped(one.fields, valibot));
    case "union":
      return v.unionAsync(one.branches.map(valibot));
  }
}

const erased = (schema: unknown): Type => schema as Type;

/** arktype has nothing asynchronous: its narrowings and morphs run at once. Its unions take no overlapping morphs. */
function arktype(one: Spec, morphs = true): Type {
  switch (one.kind) {
    case "string":
    case "number":
    case "boolean":
      return erased(type(one.kind));
    case "tag":
      return erased(type("'x' | 'y'"));
    case "coerced":
      return erased(morphs ? type("unknown").pipe(String) : type("string"));
    case "check":
      return erased(arktype(one.inner, morphs).narrow((value) => value !== "no"));
    case "transform":
    case "preprocess":
    case "pipe":
      if (!morphs) return arktype(one.inner, false);
      return erased(
        arktype(one.inner, true).pipe((value) => {
          if (value === "broken") throw new RangeError("the database is offline");
          return typeof value === "string" ? `${value}!` : value;
        }),
      );
    case "array":
    case "tuple":
      return erased(arktype(one.inner, morphs).array());
    case "record":
      return erased(type({ "[string]": arktype(one.inner, morphs) }));
    case "nullable":
      return erased(arktype(one.inner, false).or("null"));
    case "object":
      return erased(type(mapped(one.fields, (field) => arktype(field, morphs))));
    case "union":
      return erased(arktype(one.branches[0], false).or(arktype(one.branches[1], false)));
    default:
      return arktype(one.inner, morphs);
  }
}

function mapped<Part>(
  fields: Readonly<Record<string, Spec>>,
  build: (one: Spec) => Part,
): Record<string, Part> {
  return Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, build(part)]));
}

type Verdict =
  | { readonly status: "valid"; readonly output: unknown }
  | { readonly status: "invalid" }
  | { readonly status: "could not run" };

/** What the library itself says. */
async function own(ask: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await ask();
  } catch {
    return { status: "could not run" };
  }
}

/** A string would be parsed as JSON. */
function argumentsOf(value: unknown): unknown {
  return typeof value === "string" ? JSON.stringify(value) : value;
}

async function judged(validator: StandardSchemaV1, value: unknown): Promise<Verdict> {
  return verdictOf(await contract.checkAsync({ name: "act", validator }, argumentsOf(value)));
}

/** What `check()` says; undefined if it asks for `checkAsync()`. */
function judgedAtOnce(validator: StandardSchemaV1, value: unknown): Verdict | undefined {
  try {
    return verdictOf(contract.check({ name: "act", validator }, argumentsOf(value)));
  } catch (error) {
    expect(error).toBeInstanceOf(ToolContractError);
    expect(String(error)).toContain("checkAsync()");
    return undefined;
  }
}

function verdictOf(result: CheckResult): Verdict {
  if (result.status === "valid") return { status: "valid", output: result.output };
  const isFailure = result.errors.some(({ message }) => /could not run/.test(message));
  return { status: isFailure ? "could not run" : "invalid" };
}

/** Whether two fields of one object may fail: zod 3 itself waits for one after the other, and leaves the second unhandled. */
function failsTwice(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const parts = Object.values(value);
  const failing = parts.filter((part) => JSON.stringify(part).includes("broken"));
  return (!Array.isArray(value) && failing.length > 1) || parts.some(failsTwice);
}

type Ask = (one: Spec) => {
  readonly validator: StandardSchemaV1;
  readonly ask: (value: unknown) => Promise<Verdict>;
};

const askZod =
  (build: (one: Spec) => z.ZodType | z3.ZodTypeAny): Ask =>
  (one) => {
    const validator = build(one);
    const ask = async (value: unknown): Promise<Verdict> => {
      const parsed = await validator.safeParseAsync(value);
      return parsed.success ? { status: "valid", output: parsed.data } : { status: "invalid" };
    };
    return { validator, ask };
  };

const LIBRARIES: readonly (readonly [string, Ask])[] = [
  ["zod 4", askZod(zod4)],
  ["zod 3", askZod(zod3)],
  [
    "valibot",
    (one) => {
      const validator = valibot(one);
      const ask = async (value: unknown): Promise<Verdict> => {
        const parsed = await v.safeParseAsync(validator, value);
        return parsed.success ? { status: "valid", output: parsed.output } : { status: "invalid" };
      };
      return { validator, ask };
    },
  ],
  [
    "arktype",
    (one) => {
      const validator = arktype(one);
      const ask = async (value: unknown): Promise<Verdict> => {
        const out = (validator as (given: unknown) => unknown)(value);
        return out instanceof type.errors
          ? { status: "invalid" }
          : { status: "valid", output: out };
      };
      return { validator, ask };
    },
  ],
];

describe("the verdict on any schema and its output are the library's own", () => {
  test.each(LIBRARIES)("%s", async (name, library) => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(given, async ([one, value]) => {
        fc.pre(name !== "zod 3" || !failsTwice(value));
        const { validator, ask } = library(one);
        const expected = await own(async () => ask(value));
        expect(await judged(validator, value)).toEqual(expected);
        seen.add(expected.status);
      }),
      { numRuns: 1_000 },
    );
    expect([...seen].toSorted()).toEqual(["could not run", "invalid", "valid"]);
  });

  // Zod 4 leaves promises of its own unhandled if an asynchronous schema is parsed synchronously.
  const AT_ONCE = LIBRARIES.filter(([name]) => name !== "zod 4");

  test.each(AT_ONCE)("%s, without waiting", async (_, library) => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(given, async ([one, value]) => {
        // Asynchronously, zod 3 also runs the branches of a union after the one that matches, which may fail.
        fc.pre(!JSON.stringify(value).includes("broken"));
        const { validator, ask } = library(one);
        const expected = await own(async () => ask(value));
        const verdict = judgedAtOnce(validator, value);
        if (verdict !== undefined) expect(verdict).toEqual(expected);
        seen.add(verdict?.status ?? "asynchronous");
      }),
      { numRuns: 1_000 },
    );
    expect([...seen]).toEqual(expect.arrayContaining(["invalid", "valid"]));
  });
});
