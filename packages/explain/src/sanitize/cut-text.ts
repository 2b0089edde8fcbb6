const ELLIPSIS = "...";
// Counting this many takes tens of milliseconds.
const MAX_COUNTED = 20_000_000;
const LOOKAHEAD = 64;
const MAX_LOGGED = 1_000;

// All invisible characters but the two presentation selectors, which are harmless.
const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}/gu;

const PRINTABLE_ASCII = /^[ -~]*$/;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** How much of a string is kept, and how it is escaped. */
export interface CutOptions {
  readonly graphemes: number;
  /** The limit in UTF-16 units of the escaped string, for graphemes with a thousand combining marks. */
  readonly units: number;
  /** True if the string is already the beginning of a longer one. */
  readonly clipped?: boolean;
  /** Applied to one grapheme at a time, so that an escape is never cut in half. */
  readonly escape: (text: string) => string;
}

/** An escaped string that fits, and whether anything was cut. */
export interface CutText {
  readonly text: string;
  readonly cut: boolean;
}

/** Escapes a string and cuts it between graphemes to fit both limits, with `...` at the end. */
export function cutText(text: string, options: CutOptions): CutText {
  const whole = fit(text, options);
  if (options.clipped !== true && whole.end === text.length)
    return { text: whole.text, cut: false };
  const shorter = fit(text, {
    ...options,
    graphemes: options.graphemes - ELLIPSIS.length,
    units: options.units - ELLIPSIS.length,
  });
  return { text: shorter.text + ELLIPSIS, cut: true };
}

/** Returns the longest beginning that fits, escaped, and its unescaped length as `end`. */
function fit(text: string, options: CutOptions): { readonly text: string; readonly end: number } {
  const graphemes = Math.max(0, options.graphemes);
  const units = Math.max(0, options.units);
  // An escape is never shorter than what it stands for, so no more than this can fit.
  const head = text.slice(0, units + 1);
  const escaped = options.escape(head);
  // Every grapheme has at least one unit, and splitting into graphemes is the slow part.
  if (head.length <= graphemes && escaped.length <= units)
    return { text: escaped, end: head.length };
  const isAscii = isPrintableAscii(head);
  if (isAscii && escaped === head) {
    const fitting = head.slice(0, Math.min(graphemes, units));
    return { text: fitting, end: fitting.length };
  }
  // In ASCII every character is one grapheme.
  const parts = isAscii ? head.split("") : graphemesOf(head);
  const byGrapheme = takeGraphemes(parts, graphemes, units, options.escape);
  // A single grapheme can exceed the limit: then it is cut between code points.
  const isGiant = byGrapheme.end === 0 && graphemes > 0;
  return isGiant ? takeGraphemes(Array.from(head), units, units, options.escape) : byGrapheme;
}

function takeGraphemes(
  parts: readonly string[],
  count: number,
  units: number,
  escape: (text: string) => string,
): { readonly text: string; readonly end: number } {
  let text = "";
  let end = 0;
  for (const part of parts.slice(0, count)) {
    const escaped = escape(part);
    if (text.length + escaped.length > units) break;
    text += escaped;
    end += part.length;
  }
  return { text, end };
}

/** Writes any string as one visible line of at most `max` UTF-16 units. */
export function oneLine(text: string, max: number): string {
  return clip(escapeText(text.slice(0, max + LOOKAHEAD)), max);
}

/**
 * Cuts a string between graphemes to at most `max` UTF-16 units, ending in `...`, inside its quotes if it has them.
 *
 * @remarks Reads only a few more than `max` units, however long the string or one of its graphemes is.
 */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const ending = text.startsWith('"') ? '..."' : "...";
  const head = text.slice(0, max + LOOKAHEAD);
  return head.slice(0, graphemeStart(head, max - ending.length)) + ending;
}

/** Writes a JSON string without line-breaking or invisible characters. */
export function quoteText(text: string): string {
  return escapeText(JSON.stringify(text));
}

/** Escapes every control, format, invisible and line-breaking character, and every lone surrogate. */
export function escapeText(text: string): string {
  return isPrintableAscii(text) ? text : text.replace(UNSAFE, toEscape);
}

/** JSON in which nothing but its own layout ends a line, and nothing hides or commands a terminal; its value stays the same. */
export function visibleJson(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, null, indent) ?? "null");
}

/** The entry of a log as one line of JSON, whose strings have an end. */
export function logLine(entry: object): string {
  const shorten = (_: string, value: unknown): unknown =>
    typeof value === "string" ? clip(value, MAX_LOGGED) : value;
  return escapeJson(JSON.stringify(entry, shorten));
}

function escapeJson(json: string): string {
  if (isPrintableAscii(json)) return json;
  return json.replace(UNSAFE, (character) =>
    character === "\n" ? character : toEscape(character),
  );
}

function toEscape(character: string): string {
  return (
    SHORT_ESCAPES[character] ??
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("")
  );
}

/** Whether a string is printable ASCII only: the common case, with a fast path everywhere. */
export function isPrintableAscii(text: string): boolean {
  return PRINTABLE_ASCII.test(text);
}

/** How many characters a string has; `count` is missing if it is too long to be counted. */
export interface CharacterCount {
  readonly count?: number;
  readonly words: string;
}

/** Counts the code points of a string; a very long string is not counted. */
export function countCharacters(text: string): CharacterCount {
  if (text.length > MAX_COUNTED) return { words: `over ${MAX_COUNTED} characters` };
  let count = text.length;
  for (let index = 1; index < text.length; index += 1) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) count -= 1;
  }
  return { count, words: `${count} characters` };
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

// Created lazily: the first segmenter of a process takes longer than importing core.
let segmenter: Intl.Segmenter | undefined;

/** Splits a string into graphemes. */
export function graphemesOf(text: string): readonly string[] {
  return Array.from(segments(text), ({ segment }) => segment);
}

/** Returns the start of the grapheme at an index; 0 if the index is out of range. */
export function graphemeStart(text: string, index: number): number {
  if (index < 0 || index >= text.length) return 0;
  if (isPrintableAscii(text)) return index;
  return segments(text).containing(index)?.index ?? 0;
}

function segments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}
