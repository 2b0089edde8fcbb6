import { type } from "arktype";
import * as v from "valibot";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { explain, explainAsync, formatFindings } from "../index.ts";

const COSTS = "The user has to confirm the costs first.";

/** The findings as compact lines. */
function lines(schema: object, value: unknown): readonly string[] {
  return formatFindings(explain(schema as never, value), { style: "compact" }).split("\n");
}

describe("what the author of a validator wrote for a fault is its hint", () => {
  test.each<readonly [string, object, unknown, string]>([
    [
      "zod: a pattern",
      z.object({ c: z.string().regex(/^[a-zA-Z]{2}$/, { message: "Alpha-2 code, such as DE" }) }),
      { c: "Germany" },
      '- /c (VAL-007): "Germany"; expected string matching ^[a-zA-Z]{2}$; Alpha-2 code, such as DE',
    ],
    [
      "zod: a type, whatever could be sent in its place",
      z.object({ confirm: z.string({ error: COSTS }) }),
      { confirm: true },
      `- /confirm (VAL-002): true; expected string; ${COSTS}`,
    ],
    [
      "zod: a missing field, by a function that looks at what was sent",
      z.object({
        ok: z.string({ error: ({ input }) => (input === undefined ? COSTS : undefined) }),
      }),
      {},
      `- /ok (VAL-001): missing; expected string; ${COSTS}`,
    ],
    [
      "zod: a value of a list, which stays",
      z.object({ a: z.enum(["x", "y"], "Pick x for XML or y for YAML") }),
      { a: "json" },
      '- /a (VAL-008): "json"; expected one of "x", "y"; Pick x for XML or y for YAML',
    ],
    [
      "zod: an item, a union and unknown fields",
      z.object({
        list: z.array(z.number().max(9, "nine a page")),
        when: z.union([z.number(), z.null()], "Seconds since 1970"),
        more: z.strictObject({ a: z.string() }, "Only a is read"),
      }),
      { list: [99], when: "now", more: { a: "b", zzz: 1 } },
      [
        "- /list/0 (VAL-003): 99; expected number at most 9; nine a page",
        "- /more/zzz (VAL-005): unknown field; expected only a; Only a is read",
        '- /when (VAL-002): "now"; expected number or null; Seconds since 1970',
      ].join("\n"),
    ],
    [
      "zod: behind optional, lazy, a record and a pipe",
      z.object({
        o: z.lazy(() => z.number().int("whole pages").optional()),
        r: z.record(z.string(), z.number("a count")),
        p: z.string("text of a number").pipe(z.coerce.number()),
      }),
      { o: 1.5, r: { a: "x" }, p: 7 },
      [
        "- /o (VAL-002): Type mismatch: not a whole number; got 1.5; expected integer; whole pages",
        "- /p (VAL-002): 7; expected string; text of a number",
        '- /r/a (VAL-002): "x"; expected number; a count',
      ].join("\n"),
    ],
    [
      "zod: beside the same value in another form",
      z.object({ n: z.number("Pages, not words") }),
      { n: "5" },
      '- /n (VAL-002): "5"; expected number; Pages, not words (send 5 without quotes)',
    ],
    [
      "zod 3: a pattern",
      z3.object({ c: z3.string().regex(/^[A-Z]{2}$/, "Two-letter code") }),
      { c: "Germany" },
      '- /c (VAL-007): "Germany"; Two-letter code',
    ],
    [
      "zod 3: a required field, a type and a list",
      z3.object({
        a: z3.string({ required_error: "Country needed" }),
        b: z3.string({ invalid_type_error: "Text, please" }),
        c: z3.enum(["x"], { message: "Only x" }),
      }),
      { b: 7, c: "y" },
      [
        "- /a (VAL-001): missing; expected string; Country needed",
        "- /b (VAL-002): 7; expected string; Text, please",
        '- /c (VAL-008): "y"; expected "x"; Only x',
      ].join("\n"),
    ],
    [
      "valibot: a check and a type",
      v.object({
        a: v.pipe(v.string(), v.startsWith("sub_", "Ids start with sub_")),
        b: v.optional(v.number(({ received }) => `A number, not ${received}`)),
      }),
      { a: "x", b: "y" },
      [
        '- /a (VAL-007): "x"; expected string matching ^sub_; Ids start with sub_',
        '- /b (VAL-002): "y"; expected number; A number, not "y"',
      ].join("\n"),
    ],
    [
      "arktype: a message, a problem, an expectation",
      type({
        a: type("string==2").configure({ message: "two-letter code" }),
        b: type("string").configure({ problem: "cannot be that" }),
        c: type("string").configure({ expected: "a code of the post" }),
      }),
      { a: "Germany", b: 5, c: 5 },
      [
        '- /a (VAL-009): "Germany"; expected string, 2 characters; two-letter code',
        "- /b (VAL-002): 5; expected string; cannot be that",
        "- /c (VAL-002): 5; expected string; must be a code of the post",
      ].join("\n"),
    ],
  ])("%s", (_, schema, value, expected) => {
    expect(lines(schema, value).join("\n")).toBe(expected);
  });

  test("with a validator that waits", async () => {
    const later = z.object({ a: z.string("My words") }).refine(async () => true);
    const findings = await explainAsync(later, { a: 5 });
    expect(findings.map(({ hint }) => hint)).toEqual(["My words"]);
  });

  test("without a secret that it repeats", () => {
    const token = "ghp_0123456789abcdefghij0123456789abcdef";
    const echo = z.object({
      a: z.number({ error: ({ input }) => `not ${JSON.stringify(input)}` }),
    });
    expect(JSON.stringify(explain(echo, { a: token }))).not.toContain(token);
    const password = z.object({
      password: z.string().min(9, { error: (i) => `not ${JSON.stringify(i.input)}` }),
    });
    expect(JSON.stringify(explain(password, { password: "hunter2" }))).not.toContain("hunter2");
  });
});

describe("what a library says by default is not shown, in any language", () => {
  afterEach(() => {
    z.config(z.locales.en());
    v.setGlobalConfig({ lang: undefined });
    v.deleteGlobalMessage();
  });

  const value = { a: "x", b: "y", c: "z", own: 1 };
  const schemas: readonly (readonly [string, object])[] = [
    [
      "zod",
      z.object({
        a: z.string().min(5),
        b: z.number(),
        c: z.enum(["q"]),
        own: z.string("Own words"),
      }),
    ],
    [
      "zod 3",
      z3.object({
        a: z3.string().min(5),
        b: z3.number(),
        c: z3.enum(["q"]),
        own: z3.string({ message: "Own words" }),
      }),
    ],
    [
      "valibot",
      v.object({
        a: v.pipe(v.string(), v.minLength(5)),
        b: v.number(),
        c: v.picklist(["q"]),
        own: v.string("Own words"),
      }),
    ],
    [
      "arktype",
      type({
        a: "string>=5",
        b: "number",
        c: "'q'",
        own: type("string").configure({ message: "Own words" }),
      }),
    ],
  ];

  test.each(schemas)("%s", (_, schema) => {
    const hints = explain(schema as never, value).map(({ hint }) => hint);
    expect(hints).toEqual([undefined, undefined, undefined, "Own words"]);
  });

  test.each(["de", "ja"] as const)("zod and valibot in %s", (lang) => {
    z.config(z.locales[lang]());
    v.setGlobalMessage("Ungültig", lang);
    v.setGlobalConfig({ lang });
    for (const [, schema] of [schemas[0], schemas[2]].flatMap((one) => (one ? [one] : [])))
      expect(explain(schema as never, value).map(({ hint }) => hint)).toEqual([
        undefined,
        undefined,
        undefined,
        "Own words",
      ]);
  });
});

describe("what the author of a JSON Schema wrote for a fault is its hint", () => {
  const amount = {
    type: "integer",
    minimum: 1,
    maximum: 50,
    errorMessage: { type: "Whole euros", maximum: "More needs a person", _: "An amount" },
  };
  const schema = {
    type: "object",
    properties: {
      amount,
      code: { type: "string", pattern: "^[A-Z]{2}$", errorMessage: "Two letters, such as DE" },
      name: { type: "string", minLength: 3, maxLength: 9 },
      note: { $ref: "#/$defs/note" },
    },
    required: ["code"],
    additionalProperties: false,
    errorMessage: {
      required: { code: "The country of the account" },
      properties: { name: "Three to nine letters" },
      additionalProperties: "This tool reads nothing else",
    },
    $defs: { note: { type: "string", "x-error-message": "A note of the customer" } },
  };
  test.each([
    [{ code: "DE", amount: "x" }, "Whole euros"],
    [{ code: "DE", amount: 99 }, "More needs a person"],
    [{ code: "DE", amount: 0 }, "An amount"],
    [{ code: "Germany" }, "Two letters, such as DE"],
    [{}, "The country of the account"],
    [{ code: "DE", name: "x" }, "Three to nine letters"],
    [{ code: "DE", name: 5 }, "Three to nine letters"],
    [{ code: "DE", zzz: 5 }, "This tool reads nothing else"],
    [{ code: "DE", note: ["x", "y"] }, "A note of the customer"],
  ])("%o: %s", (value, hint) => {
    expect(explain(schema as never, value)).toMatchObject([{ hint }]);
  });

  test("a field of that name is a field", () => {
    const log = { type: "object", properties: { errorMessage: { type: "string" } } };
    expect(explain(log as never, { errorMessage: {} })).toMatchObject([
      { expectedValue: "string" },
    ]);
  });
});
