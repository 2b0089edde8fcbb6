import { contradictionIn } from "../proof/index.ts";
import { type Edit, isNegated, namedTypes, type Place, type LintRule } from "../shared/index.ts";

/** A field or a tool that no value can satisfy. */
export const noValuePasses: LintRule = {
  name: "no-value-passes",
  severity: "error",
  about: "Keywords of a schema contradict each other, so every value is refused.",
  fix: "make the keywords agree: usually the enum belongs to the items, or the type is wrong",
  numbers:
    "8 of 2,371 real schemas have such a field; 14 of the 16 calls that models never got right were calls of such a tool.",
  *check({ places, parts, pointerOf }) {
    if (!parts) return;
    for (const place of places) {
      if (isNegated(place)) continue;
      const reason = contradictionIn(place.node, parts);
      if (reason === undefined) continue;
      const edit = enumOfItems(place, pointerOf);
      yield {
        path: pointerOf(place),
        message: `No value passes: ${reason}`,
        fix: edit ? "move enum into items" : fixOf(reason),
        ...(edit && { edit }),
      };
    }
  },
};

/** What to do about a contradiction. */
function fixOf(reason: string): string | undefined {
  if (reason.startsWith("enum is empty")) return "list the values, or leave enum out";
  if (reason.startsWith("const")) return "correct const, or leave out what refuses it";
  if (reason.includes(" is above ") || reason.includes("between")) return "correct the limits";
  if (reason.includes("required")) return "allow the field, or take it out of required";
  return undefined;
}

/** Moves the enum of an array to its items, if that is where it belongs. */
function enumOfItems(
  place: Place,
  pointerOf: (place: Place, ...keys: string[]) => string,
): readonly Edit[] | undefined {
  const { enum: values, items } = place.node;
  const [type, ...others] = namedTypes(place.node);
  if (type !== "array" || others.length > 0 || !Array.isArray(values) || values.length === 0)
    return undefined;
  if (values.some((value) => Array.isArray(value))) return undefined;
  const isPlain = items === undefined || (typeof items === "object" && !Array.isArray(items));
  if (!isPlain || Object.hasOwn(items ?? {}, "enum")) return undefined;
  return [{ kind: "move", pointer: pointerOf(place, "enum"), into: "items" }];
}
