import { JSON_TYPES, keywordKinds, nearest, readType } from "@toolcontract/explain/adapter";
import { declaredTypes } from "../proof/index.ts";
import type { Place, RuleReport, LintRule } from "../shared/index.ts";

/** What schemas may say beside what validates: annotations, and what OpenAPI and generators add. */
const OTHERS = new Set(
  (
    "$schema $id $ref $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary $comment $defs id " +
    "definitions const title description default deprecated readOnly writeOnly examples example contentEncoding " +
    "contentMediaType contentSchema enumNames enumDescriptions enumLabels markdownDescription propertyOrdering nullable discriminator xml externalDocs strict name optional order properties"
  ).split(" "),
);
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
      message: `"${keyword.slice(0, 64)}" is not a keyword of JSON Schema, so it is ignored; "${meant}" is`,
      fix: `rename it to ${meant}`,
      ...(isSlip(keyword, meant) && {
        edit: [{ kind: "rename", pointer: pointerOf(place, keyword), key: meant }],
      }),
    };
  }
}

/** A `type` that does not exist. */
interface MisspeltType {
  readonly wrong: string;
  /** The types that are meant; undefined if any. */
  readonly meant: string | readonly string[] | undefined;
  /** Whether nothing else can be meant, so that writing it narrows nothing. */
  readonly isCertain: boolean;
}

/** What a misspelt `type` means; undefined if it is right or not nearly right. */
function misspeltType(node: Place["node"]): MisspeltType | undefined {
  const { type } = node;
  if (type === undefined || declaredTypes(node) !== undefined) return undefined;
  const names: readonly unknown[] = [type].flat();
  const wrong = names.find((name) => typeof name === "string" && !JSON_TYPES.includes(name));
  if (typeof wrong !== "string") return undefined;
  const several = typeof type === "string" ? type.split(SEPARATORS).map((name) => name.trim()) : [];
  const reading = readType(several.length > 1 ? { ...node, type: several } : node);
  if (reading.kind === "meant") return { wrong, meant: reading.type, isCertain: true };
  if (names.length > 1 || several.length > 1) return undefined;
  const meant = nearest(wrong, JSON_TYPES);
  return meant === undefined ? undefined : { wrong, meant, isCertain: isSlip(wrong, meant) };
}

/** Between the types of a list in one text: `"string|null"`, `"string or null"`. */
const SEPARATORS = /[|,;/]|\bor\b/i;
const MOST_SLIPS = 2;

/** Whether a word is another one with a letter or two wrong, and not a word of its own, such as a plural or a longer one. */
function isSlip(wrong: string, meant: string): boolean {
  const letters = wrong.toLowerCase().replaceAll(/[-_ ]/g, "");
  const right = meant.toLowerCase();
  if (!/^[a-z]+$/.test(letters) || (JSON_TYPES.includes(meant) && letters === `${right}s`))
    return false;
  return distanceBetween(letters, right) <= MOST_SLIPS;
}

/** How many letters have to be put in, taken out or exchanged. */
function distanceBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of one.split("").entries()) {
    const next = [at + 1];
    for (const [index, wanted] of other.split("").entries())
      next.push(
        Math.min(
          (row[index + 1] ?? 0) + 1,
          (next[index] ?? 0) + 1,
          (row[index] ?? 0) + (letter === wanted ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Whether the type of a schema is misspelt. */
export function isMisspeltType(node: Place["node"]): boolean {
  return misspeltType(node) !== undefined;
}

function* misspeltTypes(place: Place, pointerOf: PointerOf): Generator<RuleReport> {
  const misspelt = misspeltType(place.node);
  if (!misspelt) return;
  const { wrong, meant, isCertain } = misspelt;
  const path = pointerOf(place, "type");
  yield {
    path,
    message: `${JSON.stringify(wrong.slice(0, 64))} is not a type of JSON Schema`,
    fix:
      meant === undefined ? "leave type out: any value is meant" : `write ${JSON.stringify(meant)}`,
    ...(isCertain && {
      edit: [
        meant === undefined
          ? { kind: "remove", pointer: path }
          : { kind: "set", pointer: path, value: meant },
      ],
    }),
  };
}
