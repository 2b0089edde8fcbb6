import { escapeText } from "./escape-text.ts";
import { remembered } from "../remembered.ts";
import { writeName } from "./location.ts";

/** Writes a tool's name so that it is safe between single quotes: masked, escaped, cut to 64 characters. */
export function quoteName(name: string): string {
  return writeName(name, escapeQuoted);
}

/** The same for the name of a declared tool, which comes again with every call. */
export const quoteDeclaredName: (name: string) => string = remembered(quoteName);

// The backslash is escaped as well, so that no two names are written alike.
function escapeQuoted(text: string): string {
  return escapeText(text.replaceAll("\\", "\\\\")).replaceAll("'", "\\u0027");
}
