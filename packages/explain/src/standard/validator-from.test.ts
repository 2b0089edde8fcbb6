import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { createCompilingCache } from "../schema/index.ts";
import { inWords } from "../testing/in-words.ts";
import { jsonSchemaOf, validateStandard, validatorFrom } from "./index.ts";

const cache = createCompilingCache();

const parsers: readonly (readonly [string, (value: unknown) => unknown])[] = [
  ["zod 4", (value) => z.object({ city: z.string(), days: z.number().optional() }).parse(value)],
  ["zod 3", (value) => z3.object({ city: z3.string(), days: z3.number().optional() }).parse(value)],
  ["valibot", v.parser(v.object({ city: v.string(), days: v.optional(v.number()) }))],
  ["arktype", (value) => type({ city: "string", "days?": "number" }).assert(value)],
  [
    "an asynchronous function",
    async (value) => z.object({ city: z.string(), days: z.number().optional() }).parseAsync(value),
  ],
];

describe("a validator from a function that throws", () => {
  test.each(parsers)("%s: accepts what it returns", async (_, parse) => {
    const verdict = await validateStandard(validatorFrom(parse), { city: "Oslo" }, () => undefined);
    expect(verdict).toEqual({ ok: true, output: { city: "Oslo" } });
  });

  test.each(parsers)("%s: its issues are read as its library writes them", async (_, parse) => {
    const inputSchema = {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "number" } },
      required: ["city"],
    } as const;
    const validator = validatorFrom(parse, { inputSchema });
    expect(jsonSchemaOf(validator)).toBe(inputSchema);
    const verdict = await validateStandard(validator, { days: "3" }, () => cache.get(inputSchema));
    const findings = verdict.ok ? [] : verdict.findings.map(inWords);
    expect(findings.map(({ code, path }) => [code, ...path])).toEqual([
      ["VAL-001", "city"],
      ["VAL-002", "days"],
    ]);
  });

  test.each([
    ["an error without issues", new TypeError("db is down")],
    ["an error without any issue", Object.assign(new Error("empty"), { issues: [] })],
    ["a string", "no"],
    ["a proxy that throws", new Proxy({}, { get: () => expect.unreachable() })],
  ])("%s is a fault of the function, and refuses", (_, thrown) => {
    const faults: unknown[] = [];
    const parse = (): never => {
      // oxlint-disable-next-line typescript/only-throw-error -- libraries throw anything
      throw thrown;
    };
    const options = { onThrow: (fault: unknown) => void faults.push(fault === thrown) };
    const verdict = validateStandard(validatorFrom(parse), {}, () => undefined, options);
    expect(verdict).toMatchObject({
      ok: false,
      findings: [{ reason: { kind: "validator-could-not-run" } }],
    });
    expect(faults).toEqual([true]);
  });

  test('its vendor is "function" until an error names its library', () => {
    const validator = validatorFrom((value) => z.string().parse(value));
    expect(validator["~standard"].vendor).toBe("function");
    expect(validateStandard(validator, 1, () => undefined)).toMatchObject({ ok: false });
    expect(validator["~standard"].vendor).toBe("zod");
  });

  test("anything but a function throws at once", () => {
    expect(() => validatorFrom(z.string() as never)).toThrow(
      "validatorFrom: pass the function that returns the arguments or throws",
    );
  });
});
