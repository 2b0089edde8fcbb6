import { hasSecret } from "../sanitize/index.ts";

/** How much of a text is searched for secrets; a longer one is not shown. */
const MAX_SEARCHED = 65_536;
const BEFORE = 24;
const AFTER = 16;

/** An operator behind a number, a bracket or a string; or a call of a function. */
const CALCULATION =
  /^(?:-?[\d.]+\s*[*+/%^-]\s*[\d(]|[*+/%^-]\s*[\d("']|["')]\s*(?:\+|\.\s*[A-Za-z_]+\()|(?:new\s+)?[A-Za-z_$][\w$.]*\()/;

/** Whether a calculation stands where a value belongs: `1/6`, `"A".repeat(9)`, `range(5)`. */
export function isCalculation(text: string, offset: number): boolean {
  return CALCULATION.test(text.slice(offset, offset + 80));
}

/**
 * The text around a place, with a mark: models cannot count columns.
 *
 * Undefined if there may be a secret anywhere in the text, which the excerpt might repeat.
 */
export function excerptAt(text: string, offset: number): string | undefined {
  if (text.length > MAX_SEARCHED || hasSecret(text)) return undefined;
  const [start, end] = [Math.max(0, offset - BEFORE), Math.min(text.length, offset + AFTER)];
  const before = (start > 0 ? "..." : "") + text.slice(start, offset);
  const after = text.slice(offset, end) + (end < text.length ? "..." : "");
  return `${before}>>>${after}`.replaceAll(/\s+/g, " ").trim();
}
