import { autocompletion } from "@codemirror/autocomplete";
import { jsonLanguage } from "@codemirror/lang-json";
import { linter } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { chosenByArrow } from "./chosen-by-arrow.ts";
import { jsonCompletion } from "./completion/index.ts";
import { findJsonFault } from "../json/index.ts";

/** JSON: colors, faults while typing, and completion of what a schema knows. */
export function jsonMode(schemaOf: () => unknown): Extension {
  return [
    jsonLanguage,
    autocompletion({ ...chosenByArrow, override: [jsonCompletion(schemaOf)] }),
    linter(
      ({ state }) => {
        const fault = findJsonFault(state.doc.toString());
        return fault === undefined ? [] : [{ ...fault, severity: "error" }];
      },
      { delay: 300 },
    ),
  ];
}
