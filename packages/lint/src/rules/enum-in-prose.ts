import { isRecord } from "@toolcontract/explain/adapter";
import type { LintRule } from "../shared/index.ts";
import { isFreeString, valuesInProse, saysList } from "./prose.ts";

/** Allowed values that only a description lists. */
export const enumInProse: LintRule = {
  name: "enum-in-prose",
  severity: "warning",
  about:
    "The allowed values are listed in a description, where no validator and no provider sees them.",
  fix: "list the values in enum",
  numbers:
    "Of 132 real calls with a value outside an enum, a third differ by case or are part of a value; a declared enum lets a message name the right one.",
  *check({ places, pointerOf }) {
    for (const place of places) {
      if (!isFreeString(place) || saysList(place.node)) continue;
      const siblings = place.parent?.node["properties"];
      const values = valuesInProse(place.node, isRecord(siblings) ? siblings : {});
      if (!values) continue;
      const list = values.map((value) => JSON.stringify(value)).join(", ");
      yield {
        path: pointerOf(place),
        message: `The description lists the allowed values (${list.slice(0, 120)}), the schema does not`,
        fix: `add "enum": [${list}]`,
      };
    }
  },
};
