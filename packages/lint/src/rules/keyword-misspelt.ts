import { keywordKinds, nearest, readType } from "@toolcontract/explain/adapter";
import { declaredTypes } from "../proof/index.ts";
import type { Place, RuleReport, LintRule } from "../shared/index.ts";

/** What schemas may say beside what validates: annotations, and what OpenAPI and generators add. */
const OTHERS = new Set(
  (
    "$schema $id $ref $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary $comment $defs id " +
    "definitions const title description default deprecated readOnly writeOnly examples example contentEncoding " +
    "contentMediaType contentSchema nullable discriminator xml externalDocs strict name optional order properties"
  ).split(" "),
);
const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];
// Annotations that are often misspelt, and always strings.
const TEXTS = ["description", "title"];

/** A keyword or type that JSON Schema does not know and that is nearly one it knows. */
export const keywordMisspelt: LintRule = {
  name: "keyword-misspelt",
  severity: "error",
  about: "A validator ignores a misspelt keyword, or refuses the whole schema for a misspelt type.",
  fix: "write the keyword as JSON Schema does",
  numbers: "Each ignored limit is one that models break without ever being told.",
  *check(facts) {
    for (const place of facts.places) {
      yield* keywordsOf(place, facts.pointerOf, facts.parts?.dialect ?? "2020-12");
      yield* misspeltTypes(place, facts.pointerOf);
    }
  },
};

type PointerOf = (place: Place, ...keys: string[]) => string;
type DialectOfSchema = Parameters<typeof keywordKinds>[0];

function* keywordsOf(
  place: Place,
  pointerOf: PointerOf,
  dialect: DialectOfSchema,
): Generator<RuleReport> {
  const { node } = place;
  const kinds = keywordKinds(dialect);
  for (const [keyword, value] of Object.entries(node)) {
    if (Object.hasOwn(kinds, keyword) || OTHERS.has(keyword) || /^(?:x-|\$|_)/.test(keyword))
      continue;
    const meant = nearest(keyword, [...Object.keys(kinds), ...TEXTS]);
    if (meant === undefined || Object.hasOwn(node, meant)) continue;
    const fits = TEXTS.includes(meant) ? undefined : kinds[meant];
    if (fits ? !fits(value) : typeof value !== "string") continue;
    yield {
      path: pointerOf(place, keyword),
      message: `"${keyword.slice(0, 64)}" is no keyword of JSON Schema, so it is ignored; "${meant}" is`,
      fix: `rename it to ${meant}`,
      edit: [{ kind: "rename", pointer: pointerOf(place, keyword), key: meant }],
    };
  }
}

/** A `type` that does not exist, and the one that is meant; undefined if it is right or not nearly right. */
function misspeltType(
  node: Place["node"],
): { readonly wrong: string; readonly meant: string | readonly string[] | undefined } | undefined {
  const { type } = node;
  if (type === undefined || declaredTypes(node) !== undefined) return undefined;
  const names: readonly unknown[] = [type].flat();
  const wrong = names.find((name) => typeof name === "string" && !TYPES.includes(name));
  if (typeof wrong !== "string") return undefined;
  const reading = readType(node);
  if (reading.kind === "meant") return { wrong, meant: reading.type };
  const meant = names.length === 1 ? nearest(wrong, TYPES) : undefined;
  return meant === undefined ? undefined : { wrong, meant };
}

/** Whether the type of a schema is misspelt. */
export function isMisspeltType(node: Place["node"]): boolean {
  return misspeltType(node) !== undefined;
}

function* misspeltTypes(place: Place, pointerOf: PointerOf): Generator<RuleReport> {
  const misspelt = misspeltType(place.node);
  if (!misspelt) return;
  const { wrong, meant } = misspelt;
  const path = pointerOf(place, "type");
  yield {
    path,
    message: `${JSON.stringify(wrong.slice(0, 64))} is no type of JSON Schema`,
    fix:
      meant === undefined ? "leave type out: any value is meant" : `write ${JSON.stringify(meant)}`,
    edit: [
      meant === undefined
        ? { kind: "remove", pointer: path }
        : { kind: "set", pointer: path, value: meant },
    ],
  };
}
