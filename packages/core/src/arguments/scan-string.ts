/** A place where a text stops being JSON, and the fixed words that tell how to write it. */
export interface JsonProblem {
  readonly offset: number;
  readonly hint: string;
}

/** What a scan noticed about a text that is not quite JSON. */
export interface ScanNotes {
  /** Where the text first departs from JSON in a way that has one clear reading, or -1. */
  odd: number;
  /** How often a repair would have to copy everything it has written so far. */
  rewrites: number;
  /** The first departure that has no clear reading. */
  broken: JsonProblem | undefined;
}

/** The whole vocabulary of hints for invalid JSON: no input text ever joins it. */
export const JSON_HINTS = {
  one: "send one JSON object and nothing else",
  strict:
    "write it as strict JSON: names and strings in double quotes, a colon after each name, matching brackets",
  value:
    "write each value as JSON: a string in double quotes, a number, true, false, null, an object or an array",
  quote: 'write a double quote inside a string as \\"',
  backslash: "write a backslash inside a string as \\\\",
} as const;

/** Starts an empty set of notes. */
export function createScanNotes(): ScanNotes {
  return { odd: -1, rewrites: 0, broken: undefined };
}

/** Notes a departure from JSON that a repair may mend. */
export function noteOdd(notes: ScanNotes, offset: number): void {
  if (notes.odd < 0) notes.odd = offset;
}

/** Notes a departure from JSON that no repair may touch. */
export function noteBroken(notes: ScanNotes, offset: number, hint: string): void {
  noteOdd(notes, offset);
  notes.broken ??= { offset, hint };
}

const BACKSLASH = 0x5c;
const SPACE = 0x20;
/** The characters after which, and before which, the repairer takes a quote for the border of a string. */
const DELIMITERS = ",:[]/{}()\n+";
/** Which quotes may close a string, by the quote that opened it. */
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

/** Tells whether a character opens a string, in JSON or in what models write for it. */
export function isQuote(character: string): boolean {
  return CLOSERS.has(character);
}

/** Finds the first character from `offset` on that is no JSON white space. */
export function skipSpace(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** Tells whether a character code is JSON white space. */
export function isSpace(code: number): boolean {
  return code === SPACE || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Tells whether a character is a space that JSON does not know, or a byte order mark. */
export function isForeignSpace(character: string): boolean {
  return /^[\u00a0\u180e\u2000-\u200b\u202f\u205f\u3000\ufeff]/.test(character);
}

/**
 * Finds the offset just past the string that opens at `start`, or -1 where it is still open at the end.
 *
 * @remarks On JSON this is the JSON reading. Elsewhere a quote that cannot close a string (`"27" wide"`) is content.
 */
export function scanString(text: string, start: number, notes: ScanNotes): number {
  const quote = text.charCodeAt(start);
  const closers = CLOSERS.get(text.charAt(start)) ?? "";
  if (closers !== '"') noteOdd(notes, start);
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
  // In a text that is JSON up to its cut no quote is content.
  if (inner >= 0) noteBroken(notes, inner, JSON_HINTS.quote);
  return -1;
}

function checkEscape(text: string, at: number, notes: ScanNotes): void {
  const escaped = text.charAt(at + 1);
  if (escaped === "'") {
    noteOdd(notes, at);
  } else if (escaped === "u") {
    const digits = text.slice(at + 2, at + 6);
    // An escape that runs into the end is a cut, not a fault.
    const ends = at + 2 + digits.length === text.length;
    if (!/^[\da-f]*$/i.test(digits) || (digits.length < 4 && !ends)) {
      noteBroken(notes, at, JSON_HINTS.backslash);
    }
  } else if (!'"\\/bfnrt'.includes(escaped)) {
    // Dropping the backslash of `C:\dir` or `\$HOME` would change what is done.
    noteBroken(notes, at, JSON_HINTS.backslash);
  }
}

/** Decides as the repairer does; what it would read otherwise than a person is noted as broken. */
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

  const structural =
    /[\d\\]/.test(follower) || DELIMITERS.includes(follower) || isForeignSpace(follower);
  const before = precedingCharacter(text, at);
  if (
    structural ||
    nextIsQuote !== nextCloses ||
    text.charAt(start) !== '"' ||
    isQuote(before) ||
    DELIMITERS.includes(before)
  ) {
    noteBroken(notes, at, structural ? JSON_HINTS.one : JSON_HINTS.quote);
  } else {
    noteOdd(notes, at);
    notes.rewrites += 1;
  }
  return false;
}

/** The repairer takes the closing quote of `"a [b"]` for content; it must never see one. */
function leavesOpen(content: string, closer: string): boolean {
  const opener = closer === "}" ? "{" : "[";
  return content.split(opener).length > content.split(closer).length;
}

function precedingCharacter(text: string, offset: number): string {
  let at = offset - 1;
  while (isSpace(text.charCodeAt(at))) at -= 1;
  return text.charAt(at);
}
