import { hasSecret } from "../sanitize/index.ts";
import type { JsonRule } from "../shared/index.ts";
import type { JsonProblem } from "./scan-string.ts";

/** How much of a text is searched for secrets; a longer one is not shown. */
const MAX_SEARCHED = 65_536;
const BEFORE = 24;
const AFTER = 16;

/** An operator behind a number, a bracket or a string; or a call of a function. */
const CALCULATION =
  /^(?:-?[\d.]+\s*[*+/%^-]\s*[\d(]|[*+/%^-]\s*[\d("']|["')]\s*(?:\+|\.\s*[A-Za-z_]+\()|(?:new\s+)?[A-Za-z_$][\w$.]*\()/;

/** Whether a calculation stands where a value belongs: `1/6`, `"A".repeat(9)`, `range(5)`. */
function isCalculation(text: string, offset: number): boolean {
  return CALCULATION.test(text.slice(offset, offset + 80));
}

const LOOKED_AT = 80;

/** What a model does at a place that is not JSON, by the text there: more than the rule that it breaks. */
const SLIPS: readonly (readonly [text: RegExp, rule: JsonRule])[] = [
  [/^%7B/i, "only-json"],
  [/^["']?\s*(?:\/[*/]|#)/, "comments"],
  [/^["']?\s*=/, "strict"],
  [/^\+[\d.]/, "plus"],
  // An unquoted date, time or version.
  [/^\d{1,4}-\d{1,2}-\d{1,4}(?!\d)|^\d{1,2}:\d{2}(?!\d)|^\d+\.\d+\.\d/, "double-quotes"],
  // The name of the next field, in a string that was not closed.
  [/^["']\s*[\w-]{1,40}["']\s*:|^[\w-]{1,40}["']\s*:/, "close-string"],
];

/** The rule to name for a problem. */
export function ruleOf({ offset, rule }: JsonProblem, text: string): JsonRule {
  if (rule === "twice") return rule;
  // The text is a call of a function, not a value in it.
  if (offset === 0 && /^[A-Za-z_$][\w$.]*\s*\(/.test(text)) return "one-object";
  const [digits = ""] = /\d{1,4}$/.exec(text.slice(Math.max(0, offset - 4), offset)) ?? [];
  const here = digits + text.slice(offset, offset + LOOKED_AT);
  const slip = SLIPS.find(([pattern]) => pattern.test(here));
  if (slip) return slip[1];
  return isCalculation(text, offset) ? "calculation" : rule;
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
