import type { Text } from "@codemirror/state";

/** A longer text is only shown and edited: parsing it on each key would stop the page. */
export const LONGEST_CHECKED = 1_000_000;

export function isTooLong(doc: Text): boolean {
  return doc.length > LONGEST_CHECKED;
}
