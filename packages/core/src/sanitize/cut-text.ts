/** How much of a text is kept, and how it is written. */
export interface CutOptions {
  readonly graphemes: number;
  /** The limit in UTF-16 units of the escaped text, for letters that carry a thousand marks. */
  readonly units: number;
  /** True where the text is already the beginning of a longer one. */
  readonly clipped?: boolean;
  /** Applied letter by letter, so that an escape is never cut in half. */
  readonly escape: (text: string) => string;
}

/** An escaped text that fits, and whether anything is missing from it. */
export interface CutText {
  readonly text: string;
  readonly cut: boolean;
}

const ELLIPSIS = "...";

/** The longest beginning that fits; units are escaped ones, `end` counts raw ones. */
function fit(text: string, options: CutOptions): { readonly text: string; readonly end: number } {
  const graphemes = Math.max(0, options.graphemes);
  const units = Math.max(0, options.units);
  // No escape is shorter than what it stands for, so more than this cannot fit.
  const head = text.slice(0, units + 1);
  // Every such character is a letter of its own; telling letters apart is what takes time.
  if (isPrintableAscii(head) && options.escape(head) === head) {
    const fitting = head.slice(0, Math.min(graphemes, units));
    return { text: fitting, end: fitting.length };
  }
  const byLetter = take(graphemesOf(head), graphemes, units, options.escape);
  // One letter alone can pass the limit: then it is cut between its marks.
  const isGiant = byLetter.end === 0 && graphemes > 0;
  return isGiant ? take(Array.from(head), units, units, options.escape) : byLetter;
}

function take(
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

/** Escapes a text and cuts it between letters, with `...` at its end, so that no limit is passed. */
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

// Counting this many takes some tens of milliseconds.
const COUNTED = 20_000_000;

/** Counts code points, and says so where a text is too long to be counted for a message. */
export function countCharacters(text: string): string {
  if (text.length > COUNTED) return `over ${COUNTED} characters`;
  let count = text.length;
  for (let index = 1; index < text.length; index += 1) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) count -= 1;
  }
  return `${count} characters`;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

// Two emoji presentation selectors stay: they are harmless, and every other invisible character goes.
const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}/gu;

const PRINTABLE_ASCII = /^[ -~]*$/;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Tells whether a text holds nothing but printable ASCII: most do, and telling so is many times faster than the rest. */
export function isPrintableAscii(text: string): boolean {
  return PRINTABLE_ASCII.test(text);
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

/** Writes every control, format, invisible and line-breaking character, and every lone surrogate, as an escape. */
export function escapeText(text: string): string {
  return isPrintableAscii(text) ? text : text.replace(UNSAFE, toEscape);
}

/** Writes a text as a JSON string that holds no character which could break a line or hide. */
export function quoteText(text: string): string {
  return escapeText(JSON.stringify(text));
}

// The first segmenter of a process makes the runtime read its tables, which takes longer than importing core.
let segmenter: Intl.Segmenter | undefined;

/** The graphemes of a text, in order. */
export function graphemesOf(text: string): readonly string[] {
  return Array.from(segments(text), ({ segment }) => segment);
}

/** Where the grapheme begins that holds the unit at this index; 0 where the text has no such unit. */
export function graphemeStart(text: string, index: number): number {
  if (index < 0 || index >= text.length) return 0;
  if (isPrintableAscii(text)) return index;
  return segments(text).containing(index)?.index ?? 0;
}

function segments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

const LOOKAHEAD = 64;

/** Makes any text one visible line of at most `max` UTF-16 units; a text that is one already stays as it is. */
export function oneLine(text: string, max: number): string {
  return clip(escapeText(text.slice(0, max + LOOKAHEAD)), max);
}

/**
 * Cuts a text that is too long between two graphemes and ends it in `...`, inside the quotes where it has them.
 *
 * @remarks Looks only at the first `max` units and a few more, however long the text or one of its letters is.
 */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const ending = text.startsWith('"') ? '..."' : "...";
  const head = text.slice(0, max + LOOKAHEAD);
  return head.slice(0, graphemeStart(head, max - ending.length)) + ending;
}
