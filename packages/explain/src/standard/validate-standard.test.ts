import { schemaOf } from "@toolcontract/case-table/schema-of";
import { inWords, type WrittenFinding } from "../testing/in-words.ts";
import type { JsonSchema } from "../shared/index.ts";
import { createCompilingCache } from "../schema/index.ts";
import { jsonSchemaOf } from "./json-schema-of.ts";
import { type Validation, validateStandard } from "./validate-standard.ts";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z as z4 } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";

const cache = createCompilingCache();

function judge(
  validator: StandardSchemaV1,
  input: unknown,
  inputSchema: JsonSchema | undefined = jsonSchemaOf(validator) ?? schemaOf(validator),
): Validation {
  const verdict = validateStandard(validator, input, () =>
    inputSchema === undefined ? undefined : cache.get(inputSchema),
  );
  if ("then" in verdict) throw new Error("asynchronous");
  return verdict;
}

function findings(
  validator: StandardSchemaV1,
  input: unknown,
  inputSchema?: JsonSchema,
): readonly WrittenFinding[] {
  const verdict = judge(validator, input, inputSchema);
  return verdict.ok ? [] : verdict.findings.map(inWords);
}

/** A validator of no known library, with the issues that it always finds. */
function foreign(...issues: readonly StandardSchemaV1.Issue[]): StandardSchemaV1 {
  return { "~standard": { version: 1, vendor: "acme", validate: () => ({ issues }) } };
}

describe("what the validator accepts is accepted, and its value is the output", () => {
  const accepted: readonly [string, StandardSchemaV1, unknown, unknown][] = [
    ["zod 3 default", z3.object({ limit: z3.number().default(10) }), {}, { limit: 10 }],
    ["zod 4 default", z4.object({ limit: z4.number().default(10) }), {}, { limit: 10 }],
    ["valibot default", v.object({ limit: v.optional(v.number(), 10) }), {}, { limit: 10 }],
    ["arktype default", type({ limit: "number = 10" }), {}, { limit: 10 }],
    ["zod 3 coercion", z3.object({ limit: z3.coerce.number() }), { limit: "5" }, { limit: 5 }],
    ["zod 4 coercion", z4.object({ limit: z4.coerce.number() }), { limit: "5" }, { limit: 5 }],
    ["arktype morph", type({ limit: "string.numeric.parse" }), { limit: "5" }, { limit: 5 }],
    [
      "valibot transform",
      v.object({ limit: v.pipe(v.string(), v.transform(Number), v.number()) }),
      { limit: "5" },
      { limit: 5 },
    ],
    [
      "zod 3 transform",
      z3.object({ path: z3.string().transform((path) => path.length) }),
      { path: "ab" },
      { path: 2 },
    ],
    [
      "zod 4 transform",
      z4.object({ path: z4.string().transform((path) => path.length) }),
      { path: "ab" },
      { path: 2 },
    ],
    [
      "zod 3 preprocess",
      z3.preprocess((one) => ({ path: one }), z3.object({ path: z3.string() })),
      "a",
      { path: "a" },
    ],
    [
      "zod 4 preprocess",
      z4.preprocess((one) => ({ path: one }), z4.object({ path: z4.string() })),
      "a",
      { path: "a" },
    ],
    [
      "zod 3 stripped field",
      z3.object({ path: z3.string() }),
      { path: "a", mode: 1 },
      { path: "a" },
    ],
    [
      "zod 4 stripped field",
      z4.object({ path: z4.string() }),
      { path: "a", mode: 1 },
      { path: "a" },
    ],
    [
      "valibot stripped field",
      v.object({ path: v.string() }),
      { path: "a", mode: 1 },
      { path: "a" },
    ],
    ["zod 4 catch", z4.object({ limit: z4.number().catch(3) }), { limit: "many" }, { limit: 3 }],
  ];

  test.each(accepted)("%s", (_, validator, input, output) => {
    const closed: JsonSchema = { type: "object", required: ["other"], additionalProperties: false };
    expect(judge(validator, input)).toEqual({ ok: true, output });
    expect(judge(validator, input, closed)).toEqual({ ok: true, output });
  });

  test("asks for no JSON Schema before the validator refused something", () => {
    const neverAsked = (): undefined => expect.unreachable();
    expect(validateStandard(z4.string(), "a", neverAsked)).toEqual({ ok: true, output: "a" });
  });
});

describe("only what the validator refused is told", () => {
  const strict: JsonSchema = {
    type: "object",
    properties: { limit: { type: "number" }, sort: { type: "string" } },
    required: ["limit", "sort"],
    additionalProperties: false,
  };

  test.each([
    ["zod 3", z3.object({ limit: z3.number(), sort: z3.string().default("asc") })],
    ["zod 4", z4.object({ limit: z4.number(), sort: z4.string().default("asc") })],
    ["valibot", v.object({ limit: v.number(), sort: v.optional(v.string(), "asc") })],
    ["arktype", type({ limit: "number", sort: "string = 'asc'" })],
  ] as const)("%s: not the default nor the stripped field beside the fault", (_, validator) => {
    expect(findings(validator, { limit: "5", extra: 1 }, strict)).toMatchObject([
      { code: "VAL-002", path: ["limit"], expected: "number", hint: "send 5 without quotes" },
    ]);
  });

  test.each([
    [
      "zod 3",
      z3.object({
        at: z3.union([z3.object({ line: z3.number() }), z3.object({ text: z3.string() })]),
      }),
    ],
    [
      "zod 4",
      z4.object({
        at: z4.union([z4.object({ line: z4.number() }), z4.object({ text: z4.string() })]),
      }),
    ],
  ] as const)("%s: not the stripped field inside of a union", (_, validator) => {
    const branch = (name: string, field: string): JsonSchema => ({
      type: "object",
      properties: { [name]: { type: field } },
      required: [name],
      additionalProperties: false,
    });
    const schema: JsonSchema = {
      type: "object",
      properties: { at: { anyOf: [branch("line", "number"), branch("text", "string")] } },
    };
    expect(findings(validator, { at: { line: "5", extra: 1 } }, schema)).toMatchObject([
      { code: "VAL-002", path: ["at", "line"], variant: "line variant" },
    ]);
  });

  test("not the stripped field beside a wrong tag", () => {
    const variant = (kind: string, field: string): JsonSchema => ({
      type: "object",
      properties: { kind: { const: kind }, [field]: { type: "string" } },
      required: ["kind", field],
      additionalProperties: false,
    });
    const validator = z4.discriminatedUnion("kind", [
      z4.object({ kind: z4.literal("file"), path: z4.string() }),
      z4.object({ kind: z4.literal("text"), body: z4.string() }),
    ]);
    const input = { kind: "fil", path: 3, extra: 1 };
    const told = findings(validator, input, {
      oneOf: [variant("file", "path"), variant("text", "body")],
    });
    expect(told).toMatchObject([
      { code: "VAL-008", path: ["kind"], hint: 'use "file"' },
      { code: "VAL-002", path: ["path"] },
    ]);
  });

  test("the missing field, though the arguments break a condition of the JSON Schema as a whole", () => {
    const schema: JsonSchema = { type: "object", required: ["path"], not: { required: ["mode"] } };
    expect(findings(z4.object({ path: z4.string() }), { mode: 1 }, schema)).toMatchObject([
      { code: "VAL-001", path: ["path"] },
    ]);
  });

  test.each([
    [
      "zod 3",
      z3
        .object({ a: z3.string(), b: z3.string() })
        .refine((one) => one.a === one.b, { message: "must equal a", path: ["b"] }),
    ],
    [
      "zod 4",
      z4
        .object({ a: z4.string(), b: z4.string() })
        .refine((one) => one.a === one.b, { error: "must equal a", path: ["b"] }),
    ],
    [
      "valibot",
      v.pipe(
        v.object({ a: v.string(), b: v.string() }),
        v.forward(
          v.partialCheck([["a"], ["b"]], (one) => one.a === one.b, "must equal a"),
          ["b"],
        ),
      ),
    ],
    [
      "arktype",
      type({ a: "string", b: "string" }).narrow(
        (one, ctx) => one.a === one.b || ctx.reject({ message: "must equal a", path: ["b"] }),
      ),
    ],
  ] as const)("VAL-016 for a refinement, in its author's words: %s", (_, validator) => {
    expect(findings(validator, { a: "x", b: "y" })).toEqual([
      { code: "VAL-016", path: ["b"], message: "must equal a", actual: { value: "y" } },
    ]);
  });

  test("arktype's requirement without the value that its message repeats", () => {
    const even = type({
      pin: type("string").narrow((pin, ctx) => pin.length > 3 || ctx.mustBe("a longer PIN")),
    });
    expect(findings(even, { pin: "hunter" })).toEqual([]);
    expect(findings(even, { pin: "123" })).toMatchObject([
      { code: "VAL-016", message: "must be a longer PIN" },
    ]);
  });
});

test("what is nested one level too deep in an inner object is explained there too", () => {
  const trip = z4.object({ trip: z4.object({ city: z4.string(), days: z4.number() }) });
  expect(findings(trip, { trip: { params: { city: "Oslo", days: "3" } } })).toMatchObject([
    { code: "VAL-001", path: ["trip", "city"] },
    { code: "VAL-002", path: ["trip", "params", "days"], hint: "send 3 without quotes" },
    { code: "VAL-001", path: ["trip", "days"] },
  ]);
});

describe("the issue wins where it says something else than the JSON Schema", () => {
  const told: readonly [string, StandardSchemaV1, unknown, Partial<WrittenFinding>][] = [
    [
      "zod 3 coerced range",
      z3.object({ n: z3.coerce.number().min(5) }),
      { n: "3" },
      { code: "VAL-003", path: ["n"], expected: "number at least 5" },
    ],
    [
      "zod 4 coerced range",
      z4.object({ n: z4.coerce.number().min(5) }),
      { n: "3" },
      { code: "VAL-003", path: ["n"], expected: "number at least 5" },
    ],
    [
      "zod 4 coerced garbage",
      z4.object({ n: z4.coerce.number().min(5) }),
      { n: "some" },
      { code: "VAL-002", path: ["n"], expected: "number at least 5" },
    ],
    [
      "valibot range after a transform",
      v.object({ n: v.pipe(v.string(), v.transform(Number), v.minValue(5)) }),
      { n: "3" },
      { code: "VAL-003", path: ["n"], expected: "string that holds a number at least 5" },
    ],
    [
      "arktype range after a morph",
      type({ n: type("string.numeric.parse").to("number >= 5") }),
      { n: "3" },
      { code: "VAL-003", path: ["n"], expected: "string that holds a number at least 5" },
    ],
    [
      "zod 3 enum after a preprocess",
      z3.object({
        e: z3.preprocess((one) => String(one).toLowerCase(), z3.enum(["utf-8", "ascii"])),
      }),
      { e: "UFT8" },
      { code: "VAL-008", path: ["e"], expected: 'one of "utf-8", "ascii"', hint: 'use "utf-8"' },
    ],
    [
      "zod 3 date",
      z3.object({ at: z3.coerce.date() }),
      { at: "soon" },
      { code: "VAL-010", path: ["at"] },
    ],
    [
      "zod 4 date",
      z4.object({ at: z4.coerce.date() }),
      { at: "soon" },
      { code: "VAL-010", path: ["at"] },
    ],
    ["valibot date", v.object({ at: v.date() }), { at: 5 }, { code: "VAL-002", path: ["at"] }],
    [
      "zod 4 time, which has no zone",
      z4.object({ at: z4.iso.time() }),
      { at: "9am" },
      { code: "VAL-010", expected: "string in HH:MM:SS format" },
    ],
    [
      "valibot date and time without seconds",
      v.object({ at: v.pipe(v.string(), v.isoDateTime()) }),
      { at: "9am" },
      { code: "VAL-010", expected: "string in YYYY-MM-DDTHH:MM format" },
    ],
    [
      "zod 4 stricter e-mail",
      z4.object({ to: z4.email() }),
      { to: "ana@localhost" },
      { code: "VAL-010", expected: 'email string such as "ana@example.com"' },
    ],
    [
      "zod 3 never",
      z3.object({ old: z3.never().optional() }),
      { old: 1 },
      { code: "VAL-005", path: ["old"], expected: "nothing here" },
    ],
    [
      "zod 4 never",
      z4.object({ old: z4.never().optional() }),
      { old: 1 },
      { code: "VAL-005", path: ["old"], expected: "nothing here" },
    ],
    [
      "valibot closed tuple",
      v.object({ at: v.strictTuple([v.number()]) }),
      { at: [1, 2] },
      { code: "VAL-006", path: ["at"], expected: "array [number], 1 item" },
    ],
    [
      "zod 4 exclusive or",
      z4.xor([z4.object({ a: z4.string() }), z4.object({ b: z4.string() })]),
      { a: "x", b: "y" },
      { code: "VAL-014", path: [] },
    ],
    [
      "zod 3 value inside of parsed text",
      z3
        .string()
        .transform((text): unknown => JSON.parse(text))
        .pipe(z3.object({ n: z3.number() })),
      '{"n":"3"}',
      { code: "VAL-002", path: ["n"], expected: "number" },
    ],
    [
      "zod 3 field missing in parsed text",
      z3
        .string()
        .transform((text): unknown => JSON.parse(text))
        .pipe(z3.object({ n: z3.number() })),
      "{}",
      { code: "VAL-001", path: ["n"], expected: "number" },
    ],
    [
      "field missing in a default",
      z3.object({ at: z3.object({ line: z3.number() }).default({} as { line: number }) }),
      {},
      { code: "VAL-001", path: ["at", "line"], expected: "number" },
    ],
    [
      "validator that saw another type than was sent",
      z4.object({ path: z4.preprocess((path) => (path === "" ? undefined : path), z4.string()) }),
      { path: "" },
      { code: "VAL-016", path: ["path"] },
    ],
    [
      "valibot length in bytes",
      v.object({ key: v.pipe(v.string(), v.maxBytes(2)) }),
      { key: "abc" },
      { code: "VAL-016", path: ["key"] },
    ],
    [
      "zod 4 requirement inside of a union",
      z4.object({
        at: z4.union([
          z4.string().refine((at) => at.startsWith("/"), "must be absolute"),
          z4.number(),
        ]),
      }),
      { at: "a" },
      { code: "VAL-016", path: ["at"], message: "must be absolute" },
    ],
  ];

  test.each(told)("%s", (_, validator, input, finding) => {
    const found = findings(validator, input);
    expect(found).toHaveLength(1);
    expect(found).toMatchObject([finding]);
  });
});

describe("issues without a JSON Schema", () => {
  test("zod mini's are told from their own structure", () => {
    const validator = mini.object({
      at: mini.union([
        mini.object({ line: mini.number() }),
        mini.object({ from: mini.string(), to: mini.string() }),
      ]),
      encoding: mini.enum(["utf-8", "ascii"]),
      id: mini.union([mini.string(), mini.number()]),
      kind: mini.discriminatedUnion("tag", [
        mini.object({ tag: mini.literal("a") }),
        mini.object({ tag: mini.literal("b") }),
      ]),
      path: mini.string(),
      tags: mini.array(mini.string()).check(mini.maxLength(2)),
    });
    expect(jsonSchemaOf(validator)).toBeUndefined();
    const input = {
      at: { line: "3" },
      encoding: "UTF8",
      id: true,
      kind: {},
      tags: ["a", "b", "c"],
    };
    expect(findings(validator, input)).toEqual([
      {
        code: "VAL-002",
        path: ["at", "line"],
        expected: "number",
        actual: { value: "3" },
        hint: "send 3 without quotes",
      },
      {
        code: "VAL-008",
        path: ["encoding"],
        expected: 'one of "utf-8", "ascii"',
        actual: { value: "UTF8" },
        hint: 'use "utf-8"',
      },
      { code: "VAL-002", path: ["id"], expected: "string or number", actual: { value: true } },
      { code: "VAL-001", path: ["kind", "tag"], expected: 'one of "a", "b"' },
      { code: "VAL-001", path: ["path"], expected: "string" },
      {
        code: "VAL-006",
        path: ["tags"],
        expected: "array, at most 2 items",
        actual: { value: ["a", "b", "c"] },
      },
    ]);
  });

  test("unknown fields are told without the list of known ones", () => {
    expect(findings(mini.strictObject({ path: mini.string() }), { path: "a", mode: 1 })).toEqual([
      { code: "VAL-005", path: ["mode"], expected: "nothing here" },
    ]);
  });
});

describe("the branches of a zod union without a JSON Schema", () => {
  const update = { op: z3.literal("update"), id: z3.string(), patch: z3.record(z3.any()) };
  const remove = { op: z3.literal("delete"), id: z3.string() };
  const operations = z3.union([z3.object(remove), z3.object(update)]);
  const inZod4 = z4.union([
    z4.object({ op: z4.literal("delete"), id: z4.string() }),
    z4.object({ op: z4.literal("update"), id: z4.string(), patch: z4.unknown() }),
  ]);
  const wrong = 'VAL-008 /op | one of "delete", "update"';

  test.each<[title: string, validator: StandardSchemaV1, sent: unknown, ...faults: string[]]>([
    ["a tag of another meaning", operations, { op: "modify", id: "7" }, wrong],
    ["the same in zod 4", inZod4, { op: "modify", id: "7" }, wrong],
    ["no tag", operations, { id: "7" }, 'VAL-001 /op | one of "delete", "update"'],
    [
      "a tag near one of them",
      operations,
      { op: "Update", id: "7" },
      'VAL-008 /op | one of "delete", "update" | use "update"',
      "VAL-001 /patch | object",
    ],
    ["a right tag", operations, { op: "update", id: "7" }, "VAL-001 /patch | object"],
    [
      "a fault of all",
      operations,
      { op: "modify", id: 7 },
      wrong,
      'VAL-002 /id | string | use "7"',
    ],
  ])("%s", (_, validator, sent, ...faults) => {
    const verdict = validateStandard(validator, sent, () => undefined);
    if ("then" in verdict || verdict.ok) throw new Error("not refused at once");
    const told = verdict.findings.map(inWords);
    const lines = told.map(({ code, path, expected, hint }) =>
      [`${code} /${path.join("/")}`, expected, hint].filter(Boolean).join(" | "),
    );
    expect(lines).toEqual(faults);
  });
});

describe("validators of other libraries", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: {
      at: { type: "object", properties: { line: { type: "integer" } } },
      key: { type: "string", minLength: 3, writeOnly: true },
    },
    required: ["path"],
  };

  test("take code and words from the JSON Schema's finding at the same place", () => {
    const validator = foreign(
      { message: "No.", path: [{ key: "at" }, "line"] },
      { message: "No.", path: ["path"] },
      { message: "No.", path: ["key"] },
    );
    expect(findings(validator, { at: { line: "3" }, key: "k" }, schema)).toMatchObject([
      { code: "VAL-002", path: ["at", "line"], hint: "send 3 without quotes" },
      { code: "VAL-001", path: ["path"] },
      { code: "VAL-009", path: ["key"], sensitive: true },
    ]);
  });

  test("a value that the JSON Schema hides stays hidden in words that are the validator's", () => {
    const properties = { at: { type: "string", format: "time", writeOnly: true } };
    const validator = z4.object({ at: z4.iso.time() });
    expect(findings(validator, { at: "hunter2" }, { type: "object", properties })).toMatchObject([
      { code: "VAL-010", expected: "string in HH:MM:SS format", sensitive: true },
    ]);
  });

  test("or at the nearest value around it that is wrong as a whole", () => {
    const validator = foreign({ message: "No.", path: ["at", "line"] });
    expect(findings(validator, { path: "a", at: "3" }, schema)).toMatchObject([
      { code: "VAL-002", path: ["at"] },
    ]);
  });

  test("else speak for themselves", () => {
    const validator = foreign(
      { message: "Line 3 is empty.", path: ["at", "line"] },
      { message: "" },
    );
    expect(findings(validator, { path: "a", at: { line: 3 } }, schema)).toEqual([
      { code: "VAL-016", path: ["at", "line"], message: "Line 3 is empty.", actual: { value: 3 } },
      {
        code: "VAL-016",
        path: [],
        message: "A rule of the tool failed",
        actual: { value: { path: "a", at: { line: 3 } } },
      },
    ]);
  });

  test("name places by symbols, by segment objects and by indexes written as text", () => {
    const validator = foreign(
      { message: "m", path: [Symbol("tag")] },
      { message: "m", path: [Symbol()] },
      { message: "m", path: ["tags", "1"] },
      { message: "m", path: [{ key: "tags" }, { key: 0 }] },
      { message: "m", path: [7] },
    );
    const paths = findings(validator, { tags: ["a", "b"], 7: "x" }).map((finding) => finding.path);
    expect(paths).toEqual([["tag"], ["(symbol)"], ["tags", 1], ["tags", 0], ["7"]]);
  });

  test("see inherited properties as absent", () => {
    const validator = foreign(
      { message: "m", path: ["constructor"] },
      { message: "m", path: ["__proto__", "polluted"] },
    );
    expect(findings(validator, {})).toEqual([
      { code: "VAL-001", path: ["constructor"] },
      { code: "VAL-001", path: ["__proto__", "polluted"] },
    ]);
  });

  test("refuse without any issue", () => {
    expect(findings(foreign(), {})).toEqual([
      { code: "VAL-016", path: [], message: "The tool's validator refused the arguments" },
    ]);
  });
});

describe("a validator's own failure refuses the call and is never quoted", () => {
  const couldNotRun = {
    ok: false,
    findings: [{ code: "VAL-016", path: [], reason: { kind: "validator-could-not-run" } }],
    atLeast: false,
  };
  const fails = (): never => {
    throw new Error("password=hunter2");
  };
  const answering = (validate: () => unknown): StandardSchemaV1 => ({
    "~standard": {
      version: 1,
      vendor: "acme",
      validate: validate as () => StandardSchemaV1.Result<unknown>,
    },
  });

  test.each([
    ["zod 3", z3.string().refine(fails)],
    ["zod 4", z4.string().refine(fails)],
    ["valibot", v.pipe(v.string(), v.check(fails))],
    ["arktype", type("string").narrow(fails)],
    ["answer that is none", answering(() => undefined)],
    [
      "answer that throws",
      answering(() => ({
        get issues(): unknown {
          return fails();
        },
      })),
    ],
  ] as const)("%s", (_, validator) => {
    expect(validateStandard(validator, "a", () => undefined)).toEqual(couldNotRun);
  });

  test.each([
    ["zod 3", z3.string().refine(async (name) => name === "known" || fails())],
    ["zod 4", z4.string().refine(async (name) => name === "known" || fails())],
    ["rejection", answering(async () => fails())],
    ["promise of nothing", answering(async () => undefined)],
  ] as const)("%s, asynchronously", async (_, validator) => {
    const verdict = await validateStandard(validator, "a", () => undefined, { mayWait: true });
    expect(verdict).toEqual(couldNotRun);
  });

  test("a JSON Schema that cannot be compiled costs words, not the verdict", () => {
    expect(validateStandard(z4.object({ n: z4.number() }), { n: "3" }, fails)).toMatchObject({
      ok: false,
      findings: [{ code: "VAL-002" }],
    });
  });
});

describe("asynchronous validators", () => {
  const taken = async (name: string): Promise<boolean> => name !== "taken";
  test.each([
    ["zod 3", z3.object({ name: z3.string().refine(taken, "is taken") })],
    ["zod 4", z4.object({ name: z4.string().refine(taken, "is taken") })],
    ["valibot", v.objectAsync({ name: v.pipeAsync(v.string(), v.checkAsync(taken, "is taken")) })],
  ] as const)("%s", async (_, validator) => {
    const validate = async (name: string): Promise<Validation> =>
      validateStandard(validator, { name }, () => undefined, { mayWait: true });
    expect(await validate("free")).toEqual({ ok: true, output: { name: "free" } });
    expect(await validate("taken")).toMatchObject({
      ok: false,
      findings: [{ code: "VAL-016", path: ["name"], message: "is taken" }],
    });
  });
});

describe("bounds", () => {
  test("looks at 100 of 10,000 issues and says that there are more", () => {
    const validator = z4.object({ ids: z4.array(z4.number()) });
    const verdict = judge(validator, { ids: Array.from({ length: 10_000 }, () => "x") });
    expect(verdict).toMatchObject({ ok: false, atLeast: true });
    expect(verdict.ok ? [] : verdict.findings).toHaveLength(100);
  });

  test("tells 100 of 10,000 unknown fields and says that there are more", () => {
    const input = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`k${index}`, index]),
    );
    const verdict = judge(z4.strictObject({}), input);
    expect(verdict).toMatchObject({ ok: false, atLeast: true });
    expect(verdict.ok ? [] : verdict.findings).toHaveLength(100);
  });

  const recursive3: z3.ZodType = z3.lazy(() =>
    z3.object({ next: recursive3.optional(), n: z3.number() }),
  );
  const recursive4: z4.ZodType = z4.lazy(() =>
    z4.object({ next: recursive4.optional(), n: z4.number() }),
  );
  const recursiveV: v.GenericSchema = v.lazy(() =>
    v.object({ next: v.optional(recursiveV), n: v.number() }),
  );
  const recursiveA = type({ "next?": "this", n: "number" });

  test.each([
    ["zod 3", recursive3],
    ["zod 4", recursive4],
    ["valibot", recursiveV],
    ["arktype", recursiveA],
  ] as const)("%s: deep and cyclic values are refused, not thrown at", async (_, validator) => {
    let deep: object = { n: "x" };
    for (let level = 0; level < 10_000; level += 1) deep = { next: deep, n: 1 };
    expect(judge(validator, deep).ok).toBe(false);
    const cyclic: Record<string, unknown> = { n: "x" };
    cyclic["next"] = cyclic;
    expect(findings(validator, cyclic).length).toBeGreaterThan(0);
    for (const input of [deep, cyclic]) {
      const verdict = await validateStandard(validator, input, () => undefined, { mayWait: true });
      expect(verdict.ok).toBe(false);
    }
  });

  test("a field that throws when read is refused like any other", () => {
    const input = {
      get n(): never {
        throw new Error("password=hunter2");
      },
    };
    const verdict = validateStandard(
      foreign({ message: "No.", path: ["n"] }),
      input,
      () => undefined,
    );
    expect(verdict).toEqual({
      ok: false,
      findings: [{ code: "VAL-016", path: ["n"], message: "No." }],
      atLeast: false,
    });
  });

  const rich: readonly [string, StandardSchemaV1][] = [
    [
      "zod 3",
      z3.object({
        a: z3.union([
          z3.object({ b: z3.number().min(3) }).strict(),
          z3.array(z3.string().email()).max(1),
        ]),
        b: z3.discriminatedUnion("a", [
          z3.object({ a: z3.literal("x"), b: z3.record(z3.number()) }),
          z3.object({ a: z3.literal(1) }),
        ]),
        c: z3.tuple([z3.string(), z3.coerce.number()]).nullable(),
        d: z3.preprocess(
          (one) => (typeof one === "string" ? [one] : one),
          z3.array(z3.enum(["x", "y"])),
        ),
      }),
    ],
    [
      "zod 4",
      z4.object({
        a: z4.union([z4.strictObject({ b: z4.number().min(3) }), z4.array(z4.email()).max(1)]),
        b: z4.discriminatedUnion("a", [
          z4.object({ a: z4.literal("x"), b: z4.record(z4.string(), z4.number()) }),
          z4.object({ a: z4.literal(1) }),
        ]),
        c: z4.tuple([z4.string(), z4.coerce.number()]).nullable(),
        d: z4.preprocess(
          (one) => (typeof one === "string" ? [one] : one),
          z4.array(z4.enum(["x", "y"])),
        ),
      }),
    ],
    [
      "valibot",
      v.object({
        a: v.union([
          v.strictObject({ b: v.pipe(v.number(), v.minValue(3)) }),
          v.pipe(v.array(v.pipe(v.string(), v.email())), v.maxLength(1)),
        ]),
        b: v.variant("a", [
          v.object({ a: v.literal("x"), b: v.record(v.string(), v.number()) }),
          v.object({ a: v.literal(1) }),
        ]),
        c: v.nullable(v.strictTuple([v.string(), v.number()])),
        d: v.array(v.picklist(["x", "y"])),
      }),
    ],
    [
      "arktype",
      type({
        a: type({ b: "number >= 3", "+": "reject" }).or("string.email[] <= 1"),
        b: type({ a: "'x'", b: "Record<string, number>" }).or({ a: "1" }),
        c: [["string", "number"], "|", "null"],
        d: "('x' | 'y')[]",
      }),
    ],
  ];
  const keys = fc.constantFrom("a", "b", "c", "d", "__proto__", "0");
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(fc.constantFrom("x", "y", null, 1, 5, true, ""), fc.jsonValue()),
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(keys, tie("tree"), { maxKeys: 5 }),
    ),
  }));

  test.each(rich)(
    "%s: any JSON is accepted or refused with plain, repeatable findings",
    (_, validator) => {
      fc.assert(
        fc.property(tree, (input) => {
          const verdict = judge(validator, input);
          if (verdict.ok) return;
          expect(verdict.findings.length).toBeGreaterThan(0);
          for (const { code, path, message, actual } of verdict.findings.map(inWords)) {
            expect(
              path.every((segment) => typeof segment === "string" || typeof segment === "number"),
            ).toBe(true);
            expect(code === "VAL-016").toBe(message !== undefined && code !== "VAL-014");
            if (code === "VAL-001" || code === "VAL-005") expect(actual).toBeUndefined();
          }
          expect(judge(validator, input)).toEqual(verdict);
        }),
        { numRuns: 300 },
      );
    },
  );
});

describe("a union of valibot without a JSON Schema", () => {
  const nested = v.union([
    v.object({ type: v.literal("a"), x: v.string() }),
    v.object({ type: v.literal("b"), y: v.number() }),
  ]);
  const rows: readonly [string, StandardSchemaV1, unknown, object][] = [
    [
      "names no branch if it cannot know which one is meant",
      v.object({ nested }),
      { nested: { type: "b", y: "no" } },
      { code: "VAL-013", path: ["nested"] },
    ],
    [
      "names all types that the value itself may have",
      v.object({ id: v.union([v.string(), v.number()]) }),
      { id: true },
      { code: "VAL-002", path: ["id"] },
    ],
  ];

  test.each(rows)("%s", (_, validator, input, expected) => {
    const verdict = validateStandard(validator, input, () => undefined);
    expect(verdict).toMatchObject({ ok: false, findings: [expected] });
  });
});
