import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z as z4 } from "zod";
import { z as z3 } from "zod3";
import { jsonSchemaOf } from "./json-schema-of.ts";

describe("exported by the validator", () => {
  test.each([
    ["zod 4", z4.object({ path: z4.string(), mode: z4.number().default(4) })],
    ["arktype", type({ path: "string", mode: "number = 4" })],
  ] as const)("%s: what it takes in", (_, validator) => {
    expect(jsonSchemaOf(validator)).toMatchObject({
      type: "object",
      properties: { path: { type: "string" } },
      required: ["path"],
    });
  });

  test("a part that JSON Schema cannot express costs that part only", () => {
    expect(jsonSchemaOf(z4.object({ at: z4.date(), path: z4.string() }))).toMatchObject({
      properties: { at: {}, path: { type: "string" } },
    });
  });

  test("an export that throws is as good as none", () => {
    const validator: StandardSchemaV1 = z4.string();
    const input = (): never => {
      throw new Error("not supported");
    };
    const broken = { "~standard": { ...validator["~standard"], jsonSchema: { input } } };
    expect(jsonSchemaOf(broken)).toBeUndefined();
  });
});

test("is read once for each validator", () => {
  const validator = z4.object({ path: z4.string() });
  expect(jsonSchemaOf(validator)).toBe(jsonSchemaOf(validator));
});

test.each([
  [
    "an unknown library",
    { "~standard": { version: 1, vendor: "acme", validate: (value: unknown) => ({ value }) } },
  ],
  ["zod 3", z3.object({ path: z3.string() })],
  ["bare valibot", v.object({ path: v.string() })],
] as const)("%s exports none", (_, validator) => {
  expect(jsonSchemaOf(validator as StandardSchemaV1)).toBeUndefined();
});
