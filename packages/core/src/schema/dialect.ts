import type { JsonSchema } from "../json-schema.ts";

/** The JSON Schema dialects that the contract understands. */
export type Dialect = "2020-12" | "2019-09" | "draft-07" | "draft-06" | "draft-04";

const DIALECTS: readonly (readonly [RegExp, Dialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, "2020-12"],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, "2019-09"],
  [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, "draft-07"],
  [/^https?:\/\/json-schema\.org\/draft-06\/schema#?$/, "draft-06"],
  [/^https?:\/\/json-schema\.org\/draft-04\/schema#?$/, "draft-04"],
];

/**
 * The dialects in which to read a schema, best first: the declared one alone, or, where none is
 * declared, today's and then the older ones in which generators still write. None: unknown.
 */
export function dialectsOf(schema: JsonSchema): readonly Dialect[] {
  const declared = typeof schema === "boolean" ? undefined : schema["$schema"];
  if (declared === undefined) return ["2020-12", "draft-07", "draft-04"];
  if (typeof declared !== "string") return [];
  const known = DIALECTS.find(([pattern]) => pattern.test(declared));
  return known ? [known[1]] : [];
}

/** Tells whether a `$ref` makes its sibling keywords void, as it did up to draft-07. */
export function refOverrides(dialect: Dialect): boolean {
  return dialect === "draft-07" || dialect === "draft-06" || dialect === "draft-04";
}
