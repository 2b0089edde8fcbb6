import { ANTONYMS } from "./antonyms.ts";
import { misspell } from "./misspell.ts";
import { faultAt, type MakeSlip } from "./slip.ts";
import { typesOf, wordsForTypes } from "./type-words.ts";

/** A required field that is not there. */
export const missingSlip: MakeSlip = (site) => {
  if (site.optional || site.siblings.length === 0) return undefined;
  const literal = JSON.stringify(site.value);
  const words = [...wordsForTypes(site.schema), ...(literal.length < 60 ? [literal] : [])];
  const asked = typesOf(site.schema).length > 0 ? [words] : [];
  return {
    edit: { remove: [site.pointer], set: [] },
    fault: faultAt(site, { kind: "missing", fix: asked }),
  };
};

/** A text that is not among the allowed ones: half of them a near miss, half foreign. */
export const enumSlip: MakeSlip = (site, random) => {
  const values = "const" in site.schema ? [site.schema["const"]] : site.schema["enum"];
  if (!Array.isArray(values) || typeof site.value !== "string") return undefined;
  const golden = site.value;
  const isNear = random.next() < 0.5;
  const foreign = ANTONYMS[golden.toLowerCase()] ?? random.pick(["other", "auto", "standard"]);
  const sent = isNear ? misspell(golden, random, "value") : foreign;
  if (values.includes(sent)) return undefined;
  return {
    edit: { remove: [], set: [[site.pointer, sent]] },
    fault: faultAt(site, {
      kind: "enum",
      fix: [[JSON.stringify(golden), golden]],
      ...(isNear && { near: golden }),
    }),
  };
};

/** The same item twice where each must be another. */
export const duplicateSlip: MakeSlip = (site) => {
  if (site.schema["uniqueItems"] !== true || !Array.isArray(site.value)) return undefined;
  const items = site.value as readonly unknown[];
  if (items.length === 0) return undefined;
  return {
    edit: { remove: [], set: [[site.pointer, [...items, items[0]]]] },
    fault: faultAt(site, {
      kind: "duplicate",
      fix: [["duplicate", "unique", "distinct", "different", "same"]],
    }),
  };
};
