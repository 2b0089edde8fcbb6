import { readFileSync } from "node:fs";
import { type SchemaObject, createContract } from "@toolcontract/core";
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

test("schema.json is what the table of options says: run `pnpm --filter @toolcontract/config schema`", () => {
  expect(published).toEqual(fileSchema(true));
});

describe("the schema takes what core takes, and nothing else", () => {
  test.each(FILE_OPTIONS)("$name", (option) => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(fitsOption(option, value)).toBe(isTakenByCore(option, value));
      }),
      { numRuns: 200 },
    );
  });

  test("the defaults in it are values that core takes", () => {
    const defaults = FILE_OPTIONS.filter(({ fallback }) => fallback !== undefined);
    expect(defaults.filter((option) => !isTakenByCore(option, option.fallback))).toEqual([]);
  });
});

describe("the published schema is the one that judges, but for placeholders", () => {
  const judged = (value: unknown): unknown => ({ tools: { validation: value } });

  test("both give the same verdict on files without any", () => {
    const key = fc.constantFrom(...FILE_OPTIONS.flatMap(({ keys }) => keys), "other");
    const validation = fc.dictionary(key, fc.oneof(anyValue, fc.dictionary(key, anyValue)));
    fc.assert(
      fc.property(validation, (value) => {
        fc.pre(!JSON.stringify(value).includes("${"));
        expect(fits(published, judged(value))).toBe(fits(fileSchema(false), judged(value)));
      }),
    );
  });

  test("editors take ${VARIABLE} for every setting", () => {
    for (const { keys } of FILE_OPTIONS) {
      const value = keys.reduceRight<unknown>((rest, key) => ({ [key]: rest }), "${NAME}");
      expect(fits(published, judged(value))).toBe(true);
    }
  });

  test("keys of others are not judged", () => {
    expect(fits(published, { mcpServers: 3, tools: { queues: [] } })).toBe(true);
  });
});
