import type { LintRule } from "../shared/index.ts";
import { isFreeString, saysList } from "./prose.ts";

/** A list that has to be written into one string. */
export const listInString: LintRule = {
  name: "list-in-string",
  severity: "warning",
  about:
    "A string holds a list in a notation of its own; models send an array, or other separators.",
  fix: 'use an array: "type": "array", "items": { "type": "string" }',
  numbers: "260 of 1,902 invalid real calls confuse one value, an array and a list in a string.",
  *check({ places, pointerOf }) {
    for (const place of places) {
      if (!isFreeString(place) || !saysList(place.node)) continue;
      yield {
        path: pointerOf(place),
        message: "The description asks for a list inside a string",
      };
    }
  },
};
