import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { CODE_OPTIONS, FILE_OPTIONS, OPTIONS } from "./option-table.ts";

/** The options that core itself says it has. */
function optionsOfCore(): readonly string[] {
  try {
    createContract({ "": 0 } as never);
  } catch (thrown) {
    return /The options are (.*)\.$/.exec((thrown as Error).message)?.[1]?.split(", ") ?? [];
  }
  return [];
}

describe("every option of core is in the file or listed as code only", () => {
  test("none is missing and none is made up", () => {
    const names = Object.keys(OPTIONS).map((name) => name.split(".")[0]);
    expect(new Set(names)).toEqual(new Set(optionsOfCore()));
  });

  test("none is both", () => {
    expect(FILE_OPTIONS.length + CODE_OPTIONS.size).toBe(Object.keys(OPTIONS).length);
  });
});
