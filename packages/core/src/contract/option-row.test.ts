import { describe, expect, test, vi } from "vitest";
import { createContract } from "./create-contract.ts";
import { OPTIONS } from "./options.ts";
import { resolveOptions } from "./resolve-options.ts";

vi.mock(import("./options.ts"), async (original) => {
  const { CONTRACT_OPTIONS, ...rest } = await original();
  const toy = {
    wants: "a color",
    fits: (value: unknown) => value === "red" || value === "blue",
    fallback: "red",
  };
  return { ...rest, CONTRACT_OPTIONS: { ...CONTRACT_OPTIONS, toy } };
});

describe("an option is one row of the table", () => {
  test("a new row is checked, suggested and filled in", () => {
    const create = (options: object) => () => createContract(options);
    expect(create({ toy: "blue" })).not.toThrow();
    expect(create({ toy: 5 })).toThrow("createContract: option 'toy' must be a color.");
    expect(create({ tooy: "red" })).toThrow(
      "createContract: unknown option 'tooy'. Did you mean 'toy'?",
    );
    expect(resolveOptions()).toMatchObject({ toy: "red", maxAttempts: 3 });
    expect(resolveOptions({ toy: "blue" } as never)).toMatchObject({ toy: "blue" });
  });

  test("a row that a file can set has a value to begin a file with", () => {
    const rows = Object.values(OPTIONS).filter(({ key }) => key !== undefined);
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) expect(row).toSatisfy(hasBeginning, row.key);
  });

  test("a row that a file can set says in sentences what it does", () => {
    const rows = Object.entries(OPTIONS).filter(([, { key }]) => key !== undefined);
    const silent = rows.filter(
      ([, row]) => !("about" in row && /^[A-Za-z].*\w.*\.$/s.test(row.about)),
    );
    expect(silent).toEqual([]);
  });

  test("a default is a value that fits", () => {
    const misfits = Object.entries(OPTIONS).filter(
      ([, { fallback, fits }]) => fallback !== undefined && !fits(fallback),
    );
    expect(misfits).toEqual([]);
  });
});

function hasBeginning({ fallback, ...row }: { readonly fallback?: unknown }): boolean {
  return fallback !== undefined || "example" in row;
}
