import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../shared/index.ts";
import { engineOf } from "../../testing/engine.ts";
import { codeOfKeyword, keywordKinds } from "../document/index.ts";
import { compileSchema } from "./compile-schema.ts";

const BROKEN: readonly (readonly [keyword: string, schema: JsonSchema, value: unknown])[] = [
  ["type", { type: "string" }, 5],
  ["enum", { enum: ["a"] }, "b"],
  ["const", { const: 1 }, 2],
  ["required", { required: ["a"] }, {}],
  ["additionalProperties", { additionalProperties: false }, { a: 1 }],
  ["unevaluatedProperties", { unevaluatedProperties: false }, { a: 1 }],
  ["dependentRequired", { dependentRequired: { a: ["b"] } }, { a: 1 }],
  ["anyOf", { anyOf: [{ required: ["a"] }, { required: ["b"] }] }, {}],
  ["oneOf", { oneOf: [{ required: ["a"] }, { required: ["b"] }] }, {}],
  ["not", { not: { type: "string" } }, "a"],
  ["contains", { contains: { const: 1 } }, [2]],
  ["pattern", { pattern: "^a" }, "b"],
  ["format", { format: "ipv4" }, "x"],
  ["minLength", { minLength: 2 }, "a"],
  ["maxLength", { maxLength: 1 }, "ab"],
  ["minItems", { minItems: 1 }, []],
  ["maxItems", { maxItems: 0 }, [1]],
  ["uniqueItems", { uniqueItems: true }, [1, 1]],
  ["minimum", { minimum: 2 }, 1],
  ["maximum", { maximum: 1 }, 2],
  ["exclusiveMinimum", { exclusiveMinimum: 1 }, 1],
  ["exclusiveMaximum", { exclusiveMaximum: 1 }, 1],
  ["multipleOf", { multipleOf: 2 }, 3],
];
/** They report what is below them, or are read with another one. */
const CARRIERS = new Set(
  `properties patternProperties propertyNames dependencies dependentSchemas allOf if then else prefixItems items additionalItems
  unevaluatedItems $ref $defs definitions minProperties maxProperties minContains maxContains`.split(
    /\s+/,
  ),
);

describe.each([
  ["compiled code", false],
  ["the interpreter", true],
])("%s", (_, isInterpreted) => {
  test.each(BROKEN)("reports %s by its code", (keyword, schema, value) => {
    const compiled = compileSchema(schema, JSON.stringify(schema), engineOf(isInterpreted));
    expect(compiled.accepts(value)).toBe(false);
    expect(compiled.explain(value).findings[0]?.code).toBe(codeOfKeyword(keyword));
  });
});

test("every keyword has a row here, or reports what is below it", () => {
  const tried = new Set(BROKEN.map(([keyword]) => keyword));
  const known = [...Object.keys(keywordKinds("2020-12")), "const"];
  expect(known.filter((keyword) => !tried.has(keyword) && !CARRIERS.has(keyword))).toEqual([]);
});

test("the walk judges by no keyword that is missing from the table", () => {
  const rooms = ["walk", "union"].map((name) => join(import.meta.dirname, "..", name));
  const sources = rooms.flatMap((room) =>
    globSync("*.ts", { cwd: room })
      .filter((name) => !name.endsWith(".test.ts"))
      .map((name) => readFileSync(join(room, name), "utf8")),
  );
  const read = sources.flatMap((text) => [...text.matchAll(/schema\["([^"]+)"\]/g)]);
  const names = new Set(read.map(([, name = ""]) => name));
  const words = new Set(["title", "description", "$recursiveAnchor", "$dynamicAnchor"]);
  const known = new Set([...Object.keys(keywordKinds("2020-12")), "const"]);
  expect(names.size).toBeGreaterThan(5);
  expect([...names].filter((name) => !known.has(name) && !words.has(name))).toEqual([]);
});
