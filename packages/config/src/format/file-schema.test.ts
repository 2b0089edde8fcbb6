import { readFileSync } from "node:fs";
import { createContract, type SchemaObject } from "@toolcontract/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileSchema } from "./file-schema.ts";
import { FILE_OPTIONS, type NamedFileOption, toOptions } from "./option-table.ts";

const published = JSON.parse(
  readFileSync(new URL("../../schema.json", import.meta.url), "utf8"),
) as SchemaObject;
const contract = createContract({ logger: () => undefined, interpreter: true });

function fits(inputSchema: SchemaObject, value: unknown): boolean {
  return contract.check({ name: "file", inputSchema }, value).status === "valid";
}

function fitsOption({ schema }: NamedFileOption, value: unknown): boolean {
  return fits({ type: "object", properties: { value: schema } }, { value });
}

function isTakenByCore({ name }: NamedFileOption, value: unknown): boolean {
  try {
    createContract(toOptions(new Map([[name, value]])));
    return true;
  } catch {
    return false;
  }
}

const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.integer({ min: -2, max: 1_000 }),
  fc.double(),
  fc.constantFrom(...FILE_OPTIONS.flatMap(({ schema }) => (schema["enum"] ?? []) as string[]), ""),
);

test("schema.json matches the table of options: run `pnpm --filter @toolcontract/config schema`", () => {
  expect(published).toEqual(fileSchema(true));
});

describe("the schema accepts what core accepts, and nothing else", () => {
  test.each(FILE_OPTIONS)("$name", (option) => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(fitsOption(option, value)).toBe(isTakenByCore(option, value));
      }),
      { numRuns: 200 },
    );
  });

  test("its defaults are values that core accepts", () => {
    const defaults = FILE_OPTIONS.filter(({ fallback }) => fallback !== undefined);
    expect(defaults.filter((option) => !isTakenByCore(option, option.fallback))).toEqual([]);
  });
});

describe("the published schema is the one that validates, except for placeholders", () => {
  const inFile = (value: unknown): unknown => ({ tools: { validation: value } });

  test("both give the same result for files without any", () => {
    const key = fc.constantFrom(...FILE_OPTIONS.flatMap(({ keys }) => keys), "other");
    const validation = fc.dictionary(key, fc.oneof(anyValue, fc.dictionary(key, anyValue)));
    fc.assert(
      fc.property(validation, (value) => {
        fc.pre(!JSON.stringify(value).includes("${"));
        expect(fits(published, inFile(value))).toBe(fits(fileSchema(false), inFile(value)));
      }),
    );
  });

  test("editors accept ${VARIABLE} for every setting", () => {
    for (const { keys } of FILE_OPTIONS) {
      const value = keys.reduceRight<unknown>((rest, key) => ({ [key]: rest }), "${NAME}");
      expect(fits(published, inFile(value))).toBe(true);
    }
  });

  test("keys of others are not validated", () => {
    expect(fits(published, { mcpServers: 3, tools: { queues: [] } })).toBe(true);
  });
});
