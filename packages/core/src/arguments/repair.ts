import { jsonrepair } from "jsonrepair";
import { type ClosedRoot, findRoot } from "./find-root.ts";
import { type JsonScan, scanJson } from "./scan-json.ts";
import { isQuote } from "./scan-string.ts";

/** What kind of change made an argument text readable. */
export type RepairStep = "fence" | "prose" | "syntax" | "close" | "unwrap";

/** What the text pipeline changed, in counts only: never the text itself. */
export interface Repair {
  readonly step: RepairStep;
  /** Where the change begins, in UTF-16 units of the text as the model sent it. */
  readonly offset: number;
  /** How many UTF-16 units were taken out. */
  readonly removed: number;
  /** How many UTF-16 units were put in. */
  readonly inserted: number;
}

/** The longest text that is repaired, in UTF-16 units: the repairer's time grows with the square of it. */
const MAX_REPAIR_LENGTH = 131_072;
/** The deepest nesting that is repaired: the repairer recurses. */
const MAX_REPAIR_DEPTH = 100;
/** Rewrites times length: at each the repairer copies its whole output (256 KiB without commas take it 19 s). */
const MAX_REPAIR_WORK = 2 ** 28;

/** A text that was made readable, and how. */
export interface RepairedText {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
}

/** Takes the one object or array out of its text and repairs its syntax, or answers undefined. */
export function repairText(text: string, { start, scan }: ClosedRoot): RepairedText | undefined {
  const before = removal(text.slice(0, start), 0);
  const after = removal(text.slice(scan.end), scan.end);
  const source = text.slice(start, scan.end);
  const native = parseNative(source);
  if (native !== undefined) return { value: native.value, repairs: [...before, ...after] };

  const { broken, rewrites } = scan.notes;
  if (broken !== undefined || scan.depth > MAX_REPAIR_DEPTH || source.length > MAX_REPAIR_LENGTH)
    return undefined;
  if (rewrites * source.length > MAX_REPAIR_WORK) return undefined;
  const repaired = repairSyntax(source);
  if (repaired === undefined) return undefined;
  const syntax = difference(source, repaired.text, start);
  return { value: repaired.value, repairs: [...before, syntax, ...after] };
}

/** Parses JSON text natively; undefined where it is none. */
export function parseNative(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The repairer guesses, so its answer counts only where our own reading of the source agrees with it. */
function repairSyntax(
  source: string,
): { readonly text: string; readonly value: unknown } | undefined {
  let text: string;
  try {
    text = jsonrepair(source);
  } catch {
    return undefined;
  }
  const native = parseNative(text);
  if (native === undefined || outlineJson(text) !== outlineJson(source)) return undefined;
  return { text, value: native.value };
}

function removal(around: string, offset: number): readonly Repair[] {
  if (/^[ \t\r\n]*$/.test(around)) return [];
  let step: RepairStep = "prose";
  if (around.includes("```")) step = "fence";
  else if (/^[\s,;]*$/.test(around)) step = "syntax";
  return [{ step, offset, removed: around.length, inserted: 0 }];
}

/** The one range in which two texts differ, in counts. */
function difference(source: string, repaired: string, start: number): Repair {
  const shorter = Math.min(source.length, repaired.length);
  let head = 0;
  while (head < shorter && source[head] === repaired[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && source.at(-1 - tail) === repaired.at(-1 - tail)) tail += 1;
  const removed = source.length - head - tail;
  return { step: "syntax", offset: start + head, removed, inserted: repaired.length - head - tail };
}

/**
 * Adds the closing brackets that a cut text lacks, or answers undefined where more than brackets is missing.
 *
 * @remarks A number at the end is never taken for complete: `"amount": 10` may have been 1000.
 */
export function closeBrackets(
  text: string,
  scan: JsonScan | undefined,
  repairJson: boolean,
): RepairedText | undefined {
  if (scan === undefined || !scan.settled || scan.open.length > MAX_REPAIR_DEPTH) return undefined;
  const closers = scan.open.map((bracket) => (bracket === "{" ? "}" : "]")).toReversed();
  const closed = text + closers.join("");
  const close: Repair = {
    step: "close",
    offset: text.length,
    removed: 0,
    inserted: closers.length,
  };
  const native = parseNative(closed);
  if (native !== undefined) return { value: native.value, repairs: [close] };
  const root = repairJson ? findRoot(closed) : undefined;
  const repaired = root?.status === "closed" ? repairText(closed, root) : undefined;
  return repaired && { value: repaired.value, repairs: [...repaired.repairs, close] };
}

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
function outlineJson(text: string): string {
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
