import type { autocompletion } from "@codemirror/autocomplete";

/** Enter takes an option only after an arrow key chose it, so that what is typed stays what is typed. */
export const chosenByArrow: Parameters<typeof autocompletion>[0] = {
  selectOnOpen: false,
  interactionDelay: 0,
  icons: false,
  maxRenderedOptions: 50,
};
