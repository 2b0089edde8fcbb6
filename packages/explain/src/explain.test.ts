import { type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { compileAjv } from "./ajv.ts";
import {
  type Degradation,
  type ExplainOptions,
  ToolContractError,
  explain,
  explainAsync,
  formatFindings,
} from "./index.ts";
import { anySchema, anyValue } from "./testing/any-schema.ts";

const SEARCH = {
  type: "object",
  properties: {
    query: { type: "string", minLength: 1 },
    limit: { type: "integer", maximum: 100 },
  },
  required: ["query"],
};

/** The findings as compact lines. */
function lines(schema: object, value: unknown, options?: ExplainOptions): readonly string[] {
  const text = formatFindings(explain(schema as never, value, options), { style: "compact" });
  return text === "" ? [] : text.split("\n");
}

describe("what is wrong with a value", () => {
  test.each([
    ["nothing, by JSON Schema", SEARCH, { query: "a" }, []],
    ["nothing, by zod", z.object({ a: z.string() }), { a: "b" }, []],
    [
      "every fault at once",
      SEARCH,
      { limit: "5" },
      [
        '- /limit (VAL-002): "5"; expected integer at most 100; send 5 without quotes',
        "- /query (VAL-001): missing; expected string, at least 1 character",
      ],
    ],
    ["zod", z.object({ a: z.number() }), { a: "b" }, ['- /a (VAL-002): "b"; expected number']],
    ["valibot", v.object({ a: v.number() }), { a: "b" }, ['- /a (VAL-002): "b"; expected number']],
    ["arktype", type({ a: "number" }), { a: "b" }, ['- /a (VAL-002): "b"; expected number']],
    ["a schema that accepts nothing", false, 1, ["- (arguments) (VAL-003): 1; expected nothing"]],
    [
      "a secret, masked",
      { properties: { mode: { enum: ["a"] } } },
      { mode: `sk-${"a1B2".repeat(12)}` },
      ['- /mode (VAL-008): "[redacted]"; expected "a"'],
    ],
  ])("%s", (_, schema, value, expected) => {
    expect(lines(schema as never, value)).toEqual(expected);
  });

  test("is the same whether ajv judges or the schema is walked", () => {
    fc.assert(
      fc.property(anySchema, anyValue, (schema, value) => {
        const walked = explain(schema, value, { onDegraded: () => undefined });
        const judged = explain(schema, value, {
          compileJudge: compileAjv,
          onDegraded: () => undefined,
        });
        expect(judged).toEqual(walked);
      }),
    );
  });

  test("is written for any value without throwing, within its length", () => {
    fc.assert(
      fc.property(
        anySchema,
        anyValue,
        fc.constantFrom("standard", "compact"),
        (schema, value, style) => {
          const findings = explain(schema, value, { onDegraded: () => undefined });
          expect(formatFindings(findings, { style, maxLength: 400 }).length).toBeLessThanOrEqual(
            400,
          );
        },
      ),
    );
  });
});

describe("options", () => {
  test.each<[string, ExplainOptions, readonly string[]]>([
    ["a field that nobody declared passes", {}, []],
    [
      "with `warn` it is a warning",
      { unknownFields: "warn" },
      ["- /page (VAL-005 warning): unknown field"],
    ],
    [
      "with `reject` it is an error",
      { unknownFields: "reject" },
      ["- /page (VAL-005): unknown field"],
    ],
  ])("%s", (_, options, expected) => {
    const found = lines(SEARCH, { query: "a", page: 2 }, options).map((line) =>
      line.replace(/; expected [^;]*/, ""),
    );
    expect(found).toEqual(expected);
  });

  test("values are cut, shortened and redacted", () => {
    const schema = { type: "integer" };
    const shown = (value: string, options: ExplainOptions): string | undefined =>
      explain(schema, value, options)[0]?.actualValue;
    expect(shown("x".repeat(50), { maxValuePreview: 5 })).toBe('"xx..." (50 characters)');
    expect(shown("/home/ada/app/a.ts", { workspaceRoot: "/home/ada/app" })).toBe('"a.ts"');
    const redact = [(text: string, { tool }: { tool: string }) => `${tool}:${text.length}`];
    expect(shown("abc", { redact, name: "lookup" })).toBe('"lookup:3"');
  });

  test.each([
    [{ unknownField: "warn" }, /unknown option 'unknownField'. Did you mean 'unknownFields'\?/],
    [{ unknownFields: "drop" }, /option 'unknownFields' must be/],
    [{ maxValuePreview: 0 }, /option 'maxValuePreview' must be/],
  ])("%j is a mistake of the program", (options, message) => {
    expect(() => explain(SEARCH, {}, options as never)).toThrow(ToolContractError);
    expect(() => explain(SEARCH, {}, options as never)).toThrow(message);
  });

  test.each([undefined, null, 5, "object"])("%j is not a schema", (schema) => {
    expect(() => explain(schema as never, {})).toThrow(/pass a JSON Schema, or a validator/);
  });
});

describe("asynchronous validators", () => {
  const slow = z.string().refine(async (text) => text !== "taken");

  test("are waited for", async () => {
    expect(await explainAsync(slow, "free")).toEqual([]);
    expect(await explainAsync(slow, "taken")).toMatchObject([{ errorCode: "VAL-016" }]);
  });

  test("cannot be explained at once", () => {
    expect(() => explain(slow, "taken")).toThrow(/Use `await explainAsync/);
  });
});

describe("what cannot be judged is said", () => {
  afterEach(() => vi.restoreAllMocks());

  test.each([
    ["a broken keyword", { type: "string", maxLength: "5" }, ["/maxLength"]],
    ["a pattern that cannot be read", { type: "string", pattern: "(" }, ["/pattern"]],
  ])("%s", (_, schema, places) => {
    const said: Degradation[] = [];
    explain(schema, "abc", { onDegraded: (one) => said.push(one) });
    expect(said.map((one) => one.places)).toEqual([places]);
  });

  test("a validator that throws refuses the value, and says that it threw", () => {
    const said: string[] = [];
    const broken = z.string().transform(() => {
      throw new Error("no connection");
    });
    const findings = explain(broken, "abc", { onDegraded: ({ reason }) => said.push(reason) });
    expect(findings).toHaveLength(1);
    expect(JSON.stringify(findings)).not.toContain("connection");
    expect(said).toEqual(["validator"]);
  });

  test("by default once, on the console", () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const schema = { type: "string", maxLength: "said once" };
    explain(schema, "abc");
    explain(schema, "abc");
    expect(warn.mock.calls).toEqual([
      ["@toolcontract/explain does not enforce everything: schema: keyword-left-out /maxLength"],
    ]);
  });
});

describe("fields that a schema names beside its properties are no unknown ones", () => {
  const t = { type: "string" };
  test.each<readonly [string, object]>([
    ["dependentRequired", { dependentRequired: { t: ["u"] } }],
    [
      "dependencies",
      { $schema: "http://json-schema.org/draft-07/schema#", dependencies: { t: ["u"] } },
    ],
    ["dependentSchemas", { dependentSchemas: { u: { required: ["t"] } } }],
    ["required", { required: ["u"] }],
    ["propertyNames", { propertyNames: { enum: ["t", "u"] } }],
    ["a part of allOf", { allOf: [{ dependentRequired: { t: ["u"] } }] }],
  ])("%s", (_, schema) => {
    const closed = { type: "object", properties: { t }, ...schema };
    expect(explain(closed, { t: "a", u: 1 }, { unknownFields: "reject" })).toEqual([]);
  });
});
