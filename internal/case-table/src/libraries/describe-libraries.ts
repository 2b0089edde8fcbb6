import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { describe, expect, test } from "vitest";
import { fieldCases } from "./cases/fields.ts";
import { partCases } from "./cases/parts.ts";
import { stringCases } from "./cases/strings.ts";
import { unionCases } from "./cases/unions.ts";
import { valueCases } from "./cases/values.ts";
import type { LibraryCase } from "./library-case.ts";

/** A framework with one tool. */
export interface LibrariesHost {
  /**
   * Calls a tool of this schema with these arguments: what the model reads in the compact style, without the first and
   * the last line.
   */
  readonly linesOf: (schema: unknown, sent: unknown) => Promise<readonly string[]>;
  /** Why the framework takes no schema of a library; its cases are skipped with that reason. */
  readonly cannot?: Readonly<Partial<Record<Library, string>>>;
}

type Library = "zod 3" | "valibot";
type Row = readonly [name: string, schema: unknown, sent: unknown, lines: readonly string[]];

const CASES: readonly LibraryCase[] = [
  ...fieldCases,
  ...valueCases,
  ...stringCases,
  ...unionCases,
  ...partCases,
];

const ROWS: Readonly<Record<Library, readonly Row[]>> = {
  "zod 3": CASES.flatMap(({ name, zod3, sent, lines }) =>
    zod3 ? [[name, zod3, sent, lines] as const] : [],
  ),
  valibot: CASES.flatMap(({ name, valibot, sent, lines }) =>
    valibot ? [[name, toStandardJsonSchema(valibot), sent, lines] as const] : [],
  ),
};

/** Registers the table of libraries for one host. */
export function describeLibraries({ linesOf, cannot = {} }: LibrariesHost): void {
  for (const library of ["zod 3", "valibot"] as const) {
    describe(`a tool in ${library}`, () => {
      const reason = cannot[library];
      if (reason === undefined) runRows(ROWS[library], linesOf);
      else cannotRun(reason);
    });
  }
}

function runRows(rows: readonly Row[], linesOf: LibrariesHost["linesOf"]): void {
  test.each(rows)("%s", async (_, schema, sent, lines) => {
    expect(await linesOf(schema, sent)).toEqual(lines);
  });
}

function cannotRun(reason: string): void {
  test("cannot run", ({ skip }) => {
    skip(reason);
    expect.unreachable();
  });
}
