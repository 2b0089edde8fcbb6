import { type JsonScan, scanJson } from "./scan-json.ts";
import { JSON_HINTS, type JsonProblem, skipSpace } from "./scan-string.ts";

/** Exactly one object or array, closed, with nothing around it but white space, prose and fences. */
export interface ClosedRoot {
  readonly status: "closed";
  readonly start: number;
  readonly scan: JsonScan;
}

/** How a text that native `JSON.parse` refused is to be read. */
export type RootSearch =
  | ClosedRoot
  /** Something is still open at the end; `scan` is there where that is an object or array. */
  | { readonly status: "cut"; readonly scan?: JsonScan }
  /** There is not exactly one object or array in it; `open` where it may have been cut as well. */
  | { readonly status: "invalid"; readonly problem: JsonProblem; readonly open?: true };

/** The proper prefixes of `true`, `false`, `null` and of numbers that are none themselves. */
const CUT_SCALAR =
  /^\s*(?:t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|-|-?(?:0|[1-9]\d*)(?:\.|(?:\.\d+)?[eE][+-]?))$/;
/** What can be no prose: brackets, and members of an object that lost its braces. */
const NO_PROSE = /[{}[\]]|["'\u201d]\s*:/;

/**
 * Finds the one object or array in a text, and tells a cut text from a malformed one.
 *
 * @remarks The first bracket decides: prose with brackets of its own is refused. A text that ends after its closed
 * root, within a fence or in the prose behind it, is whole: what is missing there is no part of the arguments.
 */
export function findRoot(text: string): RootSearch {
  const first = skipSpace(text, 0);
  if (CUT_SCALAR.test(text) || isOpenString(text, first)) return { status: "cut" };
  const start = text.search(/[{[]/);
  if (start < 0) return invalid(first);

  const scan = scanJson(text, start);
  if (scan.open.length > 0) {
    const { broken } = scan.notes;
    // A malformed text that ends in a bracket was misread, and not cut, in all likelihood.
    const misread = broken !== undefined && /[}\]]\s*$/.test(text.slice(-64));
    return misread ? { status: "invalid", problem: broken, open: true } : { status: "cut", scan };
  }
  if (endsOpen(text, scan.end)) return { status: "cut" };
  if (NO_PROSE.test(text.slice(0, start))) return invalid(first);
  const after = text.slice(scan.end);
  if (/^\s*[,:]\s*\S/.test(after)) return invalid(skipSpace(text, scan.end));
  const stray = after.search(NO_PROSE);
  return stray < 0 ? { status: "closed", start, scan } : invalid(scan.end + stray);
}

function invalid(offset: number): RootSearch {
  return { status: "invalid", problem: { offset, hint: JSON_HINTS.one } };
}

/** Tells whether one of the further objects or arrays in a text is still open at its end. */
function endsOpen(text: string, from: number): boolean {
  const bracket = /[{[]/g;
  bracket.lastIndex = from;
  for (let found = bracket.exec(text); found !== null; found = bracket.exec(text)) {
    const { open, end } = scanJson(text, found.index);
    if (open.length > 0) return true;
    bracket.lastIndex = end;
  }
  return false;
}

/** Tells whether the text is a JSON string that never closes, whatever brackets stand in it. */
function isOpenString(text: string, start: number): boolean {
  if (text.charAt(start) !== '"') return false;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === '"') return false;
  }
  return true;
}
