import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const PAGES = [...globSync("docs/{,errors/}*.md"), ...globSync("packages/*/README.md")];
const BLOCK = /^```(?:ts|js)\n(.*?)^```/gms;
/** A number of a schema: in JSON Schema with what is beside its type, in zod with what is called on it. */
const NUMBER = /\{[^{}]*type: "(?:integer|number)"[^{}]*\}|\b(?:z|v)\.number\(\)[\w.()]*/g;
const LEAST = /\b(?:exclusiveM|m)inimum:|\.(?:min|positive|nonnegative)\(/;

/** The samples that make guardrails, by page. */
const samples = PAGES.flatMap((page) =>
  [...readFileSync(page, "utf8").matchAll(BLOCK)]
    .map(([, code = ""]) => code)
    .filter((code) => code.includes("createGuardrails("))
    .map((code, index) => [`${page} ${index + 1}`, code] as const),
);

test("there are samples", () => {
  expect(samples.length).toBeGreaterThan(10);
});

// A model that sends -1000 has 1000 more to spend, and what is absent is NaN in a sum.
test.each(samples)("%s: each number has a least value and must be there", (_, code) => {
  const numbers = [...code.matchAll(NUMBER)].map(([number]) => number);
  expect(numbers.filter((number) => !LEAST.test(number))).toEqual([]);
  const isJsonSchema = numbers.some((number) => number.startsWith("{"));
  expect(isJsonSchema && !/\brequired: /.test(code)).toBe(false);
});
