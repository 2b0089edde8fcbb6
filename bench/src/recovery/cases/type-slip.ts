import type { Random } from "../random.ts";
import { faultAt, type MakeSlip } from "./slip.ts";
import type { Site } from "./sites.ts";
import { typeOfValue, typesOf, wordsForTypes } from "./type-words.ts";

/** A value of the wrong type, in the ways and about as often as models send them. */
export const typeSlip: MakeSlip = (site, random) => {
  const [wanted] = typesOf(site.schema);
  const wrong = wanted === undefined || site.pointer === "" ? undefined : WRONG[wanted];
  if (wrong === undefined) return undefined;
  const sent = wrong(site, random);
  // Another variant's type is another variant, not a wrong type.
  if (sent === undefined || site.variantTypes.includes(typeOfValue(sent))) return undefined;
  const literal = JSON.stringify(site.value);
  const fix = [[...wordsForTypes(site.schema, sent), ...(literal.length < 60 ? [literal] : [])]];
  return {
    edit: { remove: [], set: [[site.pointer, sent]] },
    fault: faultAt(site, { kind: "type", fix }),
  };
};

const WRONG: Readonly<Record<string, (site: Site, random: Random) => unknown>> = {
  integer: ({ value }, random) => {
    const way = random.weighted({ text: 18, word: 5, null: 5, float: 5, array: 3 });
    if (way === "text") return String(value);
    if (way === "float") return Number(value) + 0.5;
    if (way === "array") return [value];
    return way === "null" ? null : random.pick(["rw", "many", "max", "five"]);
  },
  number: ({ value }, random) => {
    const way = random.weighted({ text: 5, word: 2, null: 1, unit: 1 });
    if (way === "text") return String(value);
    if (way === "unit") return `${String(value)} km`;
    return way === "null" ? null : random.pick(["high", "N/A", "auto"]);
  },
  boolean: ({ value }, random) =>
    random.pick([String(value), value === true ? "yes" : "no", value === true ? 1 : 0]),
  array: ({ value }, random) => {
    const [first] = value as readonly unknown[];
    const joined = (value as readonly unknown[]).join(", ");
    const plain = typeof first === "string" || typeof first === "number";
    // The first of a list of lists is a list too, so nobody could say which one is missing.
    const bare = Array.isArray(first) ? 0 : 5;
    const way = random.weighted({ json: 4, joined: plain ? 3 : 0, first: bare, empty: 1 });
    if (way === "json") return JSON.stringify(value);
    if (way === "joined") return joined;
    return way === "first" ? first : {};
  },
  object: ({ value }, random) =>
    random.pick([JSON.stringify(value), [value], "default", JSON.stringify(value)]),
  string: ({ value }, random) => {
    const way = random.weighted({ array: 5, object: 2, null: 3, number: 2, boolean: 1 });
    if (way === "array") return [value];
    if (way === "object") return { value };
    if (way === "number") return 10 + random.below(90);
    return way === "null" ? null : random.pick([true, false]);
  },
};
