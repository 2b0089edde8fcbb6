import { jsonLanguage } from "@codemirror/lang-json";
import { ensureSyntaxTree } from "@codemirror/language";
import { linter } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { findJsonFault } from "./json-fault.ts";

/** JSON: its colors and its faults while typing. */
export function jsonMode(_schema: () => unknown): Extension {
  return [
    jsonLanguage,
    linter(
      ({ state }) => {
        const tree = ensureSyntaxTree(state, state.doc.length, 100) ?? undefined;
        const fault = findJsonFault(state.doc.toString(), tree);
        return fault === undefined ? [] : [{ ...fault, severity: "error" }];
      },
      { delay: 300 },
    ),
  ];
}
