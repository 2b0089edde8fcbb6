import type { JsonRule } from "../shared/index.ts";

const BACKSLASH = 0x5c;
const SPACE = 0x20;
/** The characters next to which jsonrepair takes a quote for the start or end of a string. */
const DELIMITERS = ",:[]/{}()\n+";
/** The quotes of templates. */
const BACKTICKS = "`´";
/** The quotes that may close a string, by its opening quote. */
const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["“", '"“”'],
  ["”", '"“”'],
  ["‘", "'‘’`´"],
  ["’", "'‘’`´"],
  ["`", "'‘’`´"],
  ["´", "'‘’`´"],
]);

/** A place where a string stops being JSON, and the rule that it breaks. */
export interface JsonProblem {
  readonly offset: number;
  readonly rule: JsonRule;
  /** For a bracket that closes another: both. */
  readonly brackets?: string;
}

/** The departures from JSON that a scan found. */
export interface ScanNotes {
  /** The first departure with one clear reading, or -1. */
  odd: number;
  /** How often jsonrepair would copy everything it has written so far. */
  rewrites: number;
  /** The first departure without a clear reading. */
  broken: JsonProblem | undefined;
}

/** Creates empty notes. */
export function createScanNotes(): ScanNotes {
  return { odd: -1, rewrites: 0, broken: undefined };
}

/** Notes a departure from JSON that may be repaired. */
export function noteOdd(notes: ScanNotes, offset: number): void {
  if (notes.odd < 0) notes.odd = offset;
}

/** Notes a departure from JSON that must not be repaired. */
export function noteBroken(
  notes: ScanNotes,
  offset: number,
  rule: JsonRule,
  brackets?: string,
): void {
  noteOdd(notes, offset);
  notes.broken ??= { offset, rule, ...(brackets !== undefined && { brackets }) };
}

/**
 * Returns the offset just past the string that opens at `start`, or -1 if it is still open at the end.
 *
 * @remarks JSON is read as JSON. Otherwise a quote that cannot close a string (`"27" wide"`) is content.
 */
export function scanString(text: string, start: number, notes: ScanNotes): number {
  const quote = text.charCodeAt(start);
  const closers = CLOSERS.get(text.charAt(start)) ?? "";
  if (closers !== '"') noteOdd(notes, start);
  // A template is not a literal: what is in it may be filled in.
  if (BACKTICKS.includes(text.charAt(start))) noteBroken(notes, start, "double-quotes");
  let inner = -1;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) {
      checkEscape(text, at, notes);
      at += 1;
    } else if (code < SPACE) noteOdd(notes, at);
    else if (code === quote || (closers.length > 1 && closers.includes(text.charAt(at)))) {
      if (closesString(text, start, at, notes)) return at + 1;
      if (inner < 0) inner = at;
    }
  }
  // In JSON that was cut off, no quote is content.
  if (inner >= 0) noteBroken(notes, inner, quoteRule(text, start));
  return -1;
}

function checkEscape(text: string, at: number, notes: ScanNotes): void {
  const escaped = text.charAt(at + 1);
  if (escaped === "'") {
    noteOdd(notes, at);
  } else if (escaped === "u") {
    const digits = text.slice(at + 2, at + 6);
    // An escape at the end is cut off, not wrong.
    const ends = at + 2 + digits.length === text.length;
    if (!/^[\da-f]*$/i.test(digits) || (digits.length < 4 && !ends)) {
      noteBroken(notes, at, "backslash");
    }
  } else if (!'"\\/bfnrt'.includes(escaped)) {
    // Dropping the backslash of `C:\dir` or `\$HOME` would change the meaning.
    noteBroken(notes, at, "backslash");
  }
}

/** Decides as jsonrepair does; where a person would decide otherwise, the text is noted as broken. */
function closesString(text: string, start: number, at: number, notes: ScanNotes): boolean {
  const next = skipSpace(text, at + 1);
  const follower = text.charAt(next);
  if (follower === "" || follower === "," || follower === ":") return true;
  if (text.slice(at + 1, next).includes("\n") || text.startsWith("//", next)) return true;
  if (follower === "}" || follower === "]") {
    if (leavesOpen(text.slice(start, at), follower)) notes.rewrites = Infinity;
    return true;
  }
  const nextIsQuote = isQuote(follower);
  const nextCloses = nextIsQuote && DELIMITERS.includes(text.charAt(skipSpace(text, next + 1)));
  if (nextIsQuote && !nextCloses && next > at + 1) return true;

  // Whether the quote belongs to the string, only the model knows.
  noteBroken(notes, at, quoteRule(text, start));
  return false;
}

/** The rule that a quote inside a string breaks. */
function quoteRule(text: string, start: number): JsonRule {
  return text.charAt(start) === '"' ? "quote" : "double-quotes";
}

/** jsonrepair takes the closing quote of `"a [b"]` for content; it must never see one. */
function leavesOpen(content: string, closer: string): boolean {
  const opener = closer === "}" ? "{" : "[";
  return content.split(opener).length > content.split(closer).length;
}

/** Whether a character opens a string, in JSON or in what models write instead. */
export function isQuote(character: string): boolean {
  return CLOSERS.has(character);
}

/** Returns the first offset from `offset` on that is not JSON white space. */
export function skipSpace(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** Whether a character code is JSON white space. */
export function isSpace(code: number): boolean {
  return code === SPACE || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Whether a character is a space outside JSON, or a byte order mark. */
export function isForeignSpace(character: string): boolean {
  return /^[\u00a0\u180e\u2000-\u200b\u202f\u205f\u3000\ufeff]/.test(character);
}
