import type { LintRule } from "../shared/index.ts";
import { isFreeString, namedFormat } from "./prose.ts";

/** A format that only a description names. */
export const formatInProse: LintRule = {
  name: "format-in-prose",
  severity: "info",
  about: "A string's format is named in its description only, so nothing checks it.",
  fix: "add the format",
  *check({ places, pointerOf }) {
    for (const place of places) {
      const format = isFreeString(place) ? namedFormat(place.node) : undefined;
      if (format === undefined) continue;
      yield {
        path: pointerOf(place),
        message: `The description names a format, the schema does not`,
        fix: `add "format": "${format}"`,
      };
    }
  },
};
