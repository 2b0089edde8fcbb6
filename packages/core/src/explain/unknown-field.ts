import { fitsAs } from "./fits-as.ts";
import { liftingHint, wrappedFields } from "./held-fields.ts";
import { hasField, isRecord } from "./json-type.ts";
import { listNames, listTexts } from "./list-words.ts";
import type { StrayFields } from "./stray-fields.ts";
import { inside, type Location, type SchemaRecord, type Walk } from "./walk.ts";
import type { Finding } from "../fault.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The patterns of `patternProperties` with their schemas. */
export type Patterns = readonly (readonly [string, unknown])[];

/** An undeclared field; where it was meant to be a declared one, what is wrong with it under its right name too. */
export function strayField(
  walk: Walk,
  location: Location,
  schema: SchemaRecord,
  value: Fields,
  name: string,
  strays: StrayFields,
  patterns: Patterns,
): readonly Finding[] {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const declared = Object.keys(properties);
  const wrapped = wrappedFields(properties, name, value, location.path.at(-1));
  if (wrapped.length > 0) {
    return [{ code: "VAL-005", path: [...location.path, name], hint: liftingHint(wrapped) }];
  }
  const near = strays.meantBy(name);
  const unknown = unknownField(location, declared, { name, near }, value, patterns);
  const { renameTo } = unknown;
  if (renameTo === undefined) return [unknown];
  const meant = inside(location, properties[renameTo], renameTo, value[name], false);
  const { findings } = walk.enter(meant);
  if (!fitsAs(meant, findings))
    return [unknownField(location, declared, { name, near: undefined }, value, patterns)];
  const assumed = meant.path.length;
  return [unknown, ...findings.map((found) => ({ ...found, assumed }))];
}

/** The finding for a field that nothing declares, with the name that it was probably meant to have. */
export function unknownField(
  location: Location,
  declared: readonly string[],
  { name, near }: { readonly name: string; readonly near: string | undefined },
  value: Fields,
  patterns: Patterns = [],
): Finding {
  const free = near !== undefined && !hasField(value, near);
  return {
    code: "VAL-005",
    path: [...location.path, name],
    expected: allowedNames(declared, patterns, free),
    ...(free ? { hint: `rename it to ${JSON.stringify(near)}`, renameTo: near } : {}),
  };
}

function allowedNames(declared: readonly string[], patterns: Patterns, isHinted: boolean): string {
  const shapes =
    patterns.length > 0 ? `names matching ${listTexts(patterns.map(([source]) => source))}` : "";
  const names = [listNames(declared, isHinted), shapes].filter((part) => part !== "").join(" and ");
  return names === "" ? "no fields" : `only ${names}`;
}
