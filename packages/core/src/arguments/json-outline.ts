import { scanJson } from "./scan-json.ts";
import { isQuote } from "./scan-string.ts";

/** The Python spellings that a repair may replace. */
const PYTHON_LITERALS: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

/**
 * Writes down what an object or array says, whatever way its commas, quotes and comments are written.
 *
 * Two texts with one outline have the same structure, keys, strings, numbers and literals,
 * so a repair that changed the meaning, invented a value or dropped one has another outline.
 */
export function outlineJson(text: string): string {
  let outline = "";
  scanJson(text, 0, (token, from, to) => {
    const source = text.slice(from, to);
    if (token === "punctuation") outline += source;
    else if (isQuote(source.charAt(0))) outline += `"${escapeContent(source.slice(1, -1))}"`;
    else if (token === "key") outline += `"${source}"`;
    else outline += ` ${PYTHON_LITERALS.get(source) ?? source}`;
  });
  return outline;
}

/** Spells the content of a string as JSON does; `\'` is the one escape that JSON lacks. */
function escapeContent(content: string): string {
  return content.replaceAll(/\\[^]|["\p{Cc}]/gu, (match) => {
    if (match === "\\'") return "'";
    return match.startsWith("\\") ? match : JSON.stringify(match).slice(1, -1);
  });
}
