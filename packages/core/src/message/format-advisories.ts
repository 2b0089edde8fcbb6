import type { ValidationError } from "../validation-error.ts";
import { toDisplayedError } from "./displayed-error.ts";
import { fitBudget } from "./fit-budget.ts";
import type { FormatOptions } from "./format-options.ts";
import { readEntries } from "./read-foreign.ts";

/** Writes the note that follows the result of a call that ran; empty where there is nothing to say. */
export function formatAdvisories(
  advisories: readonly ValidationError[],
  options: FormatOptions,
): string {
  const shown = readEntries(advisories, options.maxErrors);
  if (shown.length === 0) return "";
  const draft = {
    style: options.style,
    errors: [],
    hiddenErrors: 0,
    atLeast: false,
    advisories: shown.map((advisory) => toDisplayedError(advisory, options)),
    guidance: [],
    earlier: [],
  };
  return fitBudget(draft, options);
}
