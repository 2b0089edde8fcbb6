import { isRecord } from "@toolcontract/explain/adapter";
import { declaredTypes } from "../proof/index.ts";
import { type LintRule, isNegated } from "../shared/index.ts";

/** Keywords that refuse no value. */
const ANNOTATIONS = new Set(["type", "title", "description", "examples", "default", "deprecated"]);

/** A branch of `oneOf` of which another one takes every value, so that none passes. */
export const variantsOverlap: LintRule = {
  name: "variants-overlap",
  severity: "warning",
  about:
    "A value of one variant of oneOf fits another one as well, and what fits two variants is refused.",
  fix: "write anyOf in place of oneOf",
  *check({ places, pointerOf }) {
    for (const place of places) {
      const { oneOf } = place.node;
      if (!Array.isArray(oneOf) || isNegated(place)) continue;
      const branches = oneOf.map((one: unknown) => {
        const types = isRecord(one) ? declaredTypes(one) : undefined;
        return {
          types: new Set(types?.includes("number") ? [...types, "integer"] : types),
          isPlain: isRecord(one) && Object.keys(one).every((keyword) => ANNOTATIONS.has(keyword)),
        };
      });
      for (const [index, { types }] of branches.entries()) {
        const other = branches.findIndex(
          ({ types: all, isPlain }, at) =>
            at !== index && isPlain && types.size > 0 && [...types].every((one) => all.has(one)),
        );
        if (other === -1) continue;
        yield {
          path: pointerOf(place, "oneOf"),
          message: `What fits variant ${index + 1} of oneOf fits variant ${other + 1}, too, so ${[...types].join(" or ")} is refused`,
        };
        break;
      }
    }
  },
};
