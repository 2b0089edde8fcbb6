import { parseNative } from "./repair-text.ts";
import { scanJson } from "./scan-json.ts";

/** The longest string that is looked into, in UTF-16 units. */
const MAX_NESTED_LENGTH = 1_048_576;
/** The deepest nesting that is unwrapped. */
const MAX_NESTED_DEPTH = 100;

/** Gives the object or array whose JSON text a string holds; undefined for any other string, or beyond the bounds. */
export function parseNestedJson(text: string): object | undefined {
  if (text.length > MAX_NESTED_LENGTH || !/^\s*[{[]/.test(text)) return undefined;
  const value = parseNative(text)?.value;
  if (typeof value !== "object" || value === null) return undefined;
  return scanJson(text, text.search(/[{[]/)).depth > MAX_NESTED_DEPTH ? undefined : value;
}
