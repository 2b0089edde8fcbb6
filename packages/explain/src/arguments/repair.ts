import { jsonrepair } from "jsonrepair";
import { type ClosedRoot, findRoot } from "./find-root.ts";
import { type JsonScan, scanJson } from "./scan-json.ts";
import { isQuote, skipSpace } from "./scan-string.ts";

/** The longest text that is repaired, in UTF-16 units: jsonrepair takes quadratic time. */
export const MAX_REPAIR_LENGTH = 131_072;
/** The deepest nesting that is repaired: jsonrepair recurses. */
const MAX_REPAIR_DEPTH = 100;
/** Rewrites times length: at each rewrite jsonrepair copies its output (256 KiB without commas take 19 s). */
const MAX_REPAIR_WORK = 2 ** 28;

/** Python literals that a repair may replace. */
const PYTHON_LITERALS: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

/** The kind of change that made the text parseable. */
export type RepairStep = "fence" | "syntax" | "close" | "unwrap" | "null" | "empty";

/** A change to the text, in counts only: never the text itself. */
export interface Repair {
  readonly step: RepairStep;
  /** Where the change begins, in UTF-16 units of the text as the model sent it. */
  readonly offset: number;
  /** How many UTF-16 units were removed. */
  readonly removed: number;
  /** How many UTF-16 units were inserted. */
  readonly inserted: number;
}

/** A repaired text's value, and its repairs. */
export interface RepairedText {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  /** The text as JSON. */
  readonly json: string;
}

/** Takes the one object or array out of a fence and repairs its syntax; undefined if that is unsafe. */
export function repairText(text: string, root: ClosedRoot): RepairedText | undefined {
  if (proseAround(text, root) !== undefined) return undefined;
  const { start, scan } = root;
  const before = removal(text.slice(0, start), 0);
  const after = removal(text.slice(scan.end), scan.end);
  const source = text.slice(start, scan.end);
  const native = parseNative(source);
  if (native !== undefined)
    return { value: native.value, repairs: [...before, ...after], json: source };

  const { broken, rewrites } = scan.notes;
  if (broken !== undefined || scan.depth > MAX_REPAIR_DEPTH || source.length > MAX_REPAIR_LENGTH)
    return undefined;
  if (rewrites * source.length > MAX_REPAIR_WORK) return undefined;
  const repaired = repairSyntax(source);
  if (repaired === undefined) return undefined;
  const syntax = difference(source, repaired.text, start);
  return { value: repaired.value, repairs: [...before, syntax, ...after], json: repaired.text };
}

/**
 * Adds missing closing brackets to a truncated text; undefined if more than brackets is missing.
 *
 * @remarks A number at the end never counts as complete: `"amount": 10` may have been 1000.
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
  if (native !== undefined) return { value: native.value, repairs: [close], json: closed };
  const root = repairJson ? findRoot(closed) : undefined;
  const repaired = root?.status === "closed" ? repairText(closed, root) : undefined;
  return repaired && { ...repaired, repairs: [...repaired.repairs, close] };
}

/** Parses JSON text natively; undefined if it is not JSON. */
export function parseNative(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Runs jsonrepair. It guesses, so its result counts only if it has the same outline as the source. */
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

/** What a chat template writes around a call: no word of the model. A tag that opens may hold more than a call, such as thoughts. */
const CONTROL_TOKEN =
  /<[|\uFF5C][\p{L}\p{N}_\u2581 .:-]{1,40}[|\uFF5C]>|<\/(?:s|tools?|tool_(?:calls?|name|input|use)|function(?:_calls?)?|invoke|arguments|parameters)>/giu;

function withoutTokens(around: string): string {
  return around.includes("<") ? around.replaceAll(CONTROL_TOKEN, " ") : around;
}

/** The offset of text around an object that is neither a fence, a control token nor stray punctuation. */
export function proseAround(
  text: string,
  { start, scan: { end }, isRepeated }: ClosedRoot,
): number | undefined {
  const before = isRepeated ? "" : withoutTokens(text.slice(0, start));
  if (!/^(?:[\s\uFEFF]*|\s*```[\w-]*\s*)$/.test(before)) return skipSpace(text, 0);
  return /^(?:[\s,;]*|\s*```\s*)$/.test(withoutTokens(text.slice(end)))
    ? undefined
    : skipSpace(text, end);
}

function removal(around: string, offset: number): readonly Repair[] {
  if (/^[ \t\r\n]*$/.test(around)) return [];
  const step = around.includes("```") ? "fence" : "syntax";
  return [{ step, offset, removed: around.length, inserted: 0 }];
}

/** Finds the one range in which the strings differ. */
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
 * Writes the content of an object or array, however its commas, quotes and comments are written.
 *
 * Texts with the same outline have the same structure, keys, strings, numbers and literals. A repair that changes the
 * meaning, or adds or drops a value, has a different outline.
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

/** Escapes the content of a string as JSON does; `\'` is the only escape that JSON lacks. */
function escapeContent(content: string): string {
  return content.replaceAll(/\\[^]|["\p{Cc}]/gu, (match) => {
    if (match === "\\'") return "'";
    return match.startsWith("\\") ? match : JSON.stringify(match).slice(1, -1);
  });
}
