import type { JsonRule } from "../shared/index.ts";
import { type JsonScan, scanJson } from "./scan-json.ts";
import { type JsonProblem, skipSpace } from "./scan-string.ts";

/** The proper prefixes of `true`, `false`, `null` and numbers that are not JSON themselves. */
const CUT_SCALAR =
  /^\s*(?:t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|-|-?(?:0|[1-9]\d*)(?:\.|(?:\.\d+)?[eE][+-]?))$/;
/** Four words in a row: of a sentence, not of JSON. */
const SENTENCE = /[A-Za-z]{2,}(?:[ ,.'\u2019]+[A-Za-z]{2,}){3}/;
/** Not prose: brackets, and members of an object that lost its braces. */
const NO_PROSE = /[{}[\]]|["'\u201d]\s*:/;

/** A text with exactly one object or array, closed, and only prose and fences around it. */
export interface ClosedRoot {
  readonly status: "closed";
  readonly start: number;
  readonly scan: JsonScan;
  /** True if what stands before it says nothing else. */
  readonly isRepeated?: true;
}

/** What was found in a string that `JSON.parse` rejects. */
export type RootSearch =
  | ClosedRoot
  /** Something is still open at the end; `scan` is set if that is an object or array. */
  | { readonly status: "cut"; readonly scan?: JsonScan }
  /** Not exactly one object or array; `open` is set if it may be cut off as well. */
  | { readonly status: "invalid"; readonly problem: JsonProblem; readonly open?: true };

/**
 * Finds the one object or array in a string, and distinguishes truncated from malformed JSON.
 *
 * @remarks The first bracket decides. A string that ends after its closed root, in a fence or in prose, is complete: what is
 * missing there is not part of the arguments.
 */
export function findRoot(text: string): RootSearch {
  const first = skipSpace(text, 0);
  if (CUT_SCALAR.test(text) || isOpenString(text, first)) return { status: "cut" };
  const start = text.search(/[{[]/);
  if (start < 0) return invalidRoot(first, "only-json");

  const scan = scanJson(text, start);
  if (scan.open.length > 0) {
    const { broken } = scan.notes;
    // Malformed text that ends in a bracket was probably misread rather than cut off.
    const misread = broken !== undefined && /[}\]]\s*$/.test(text.slice(-64));
    if (broken !== undefined && SENTENCE.test(text.slice(broken.offset, broken.offset + 512)))
      return { status: "invalid", problem: { offset: broken.offset, rule: "only-json" } };
    return misread ? { status: "invalid", problem: broken, open: true } : { status: "cut", scan };
  }
  const { broken } = scan.notes;
  if (broken?.rule === "bracket") return { status: "invalid", problem: broken };
  if (endsOpen(text, scan.end)) return { status: "cut" };
  if (NO_PROSE.test(text.slice(0, start))) return invalidRoot(first);
  const after = text.slice(scan.end);
  if (/^\s*[,:]\s*\S/.test(after)) return invalidRoot(skipSpace(text, scan.end));
  const stray = after.search(NO_PROSE);
  return stray < 0 ? { status: "closed", start, scan } : invalidRoot(scan.end + stray);
}

/** Whether a text ends before the object or array that it begins with. */
export function isCutOff(text: string): boolean {
  return findRoot(text).status === "cut";
}

function invalidRoot(offset: number, rule: JsonRule = "one-object"): RootSearch {
  return { status: "invalid", problem: { offset, rule } };
}

/** Whether a further object or array is still open at the end. */
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

/** Whether the text is a JSON string that never closes, whatever brackets it contains. */
function isOpenString(text: string, start: number): boolean {
  if (text.charAt(start) !== '"') return false;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === '"') return false;
  }
  return true;
}
