import { engineOf } from "./engine.ts";
import { aggregate } from "../findings/index.ts";
import { compileSchema } from "../schema/index.ts";
import { type WrittenFinding, inWords } from "./in-words.ts";
import { expect } from "vitest";

/** Explains a value with a schema that compiles without a warning; undefined if the schema accepts it. */
export function explainedInWords(
  schema: object,
  value: unknown,
  interpreter = false,
): readonly WrittenFinding[] | undefined {
  const compiled = compileSchema(schema as never, JSON.stringify(schema), engineOf(interpreter));
  expect([...compiled.warnings]).toEqual([]);
  return compiled.accepts(value)
    ? undefined
    : aggregate(compiled.explain(value).findings).map(inWords);
}

/** Writes a finding as `code pointer | part | part`, without absent parts. */
export function findingLine(
  { code, path }: WrittenFinding,
  ...parts: readonly (string | undefined)[]
): string {
  return [`${code} /${path.join("/")}`, ...parts.filter((part) => part !== undefined)].join(" | ");
}
