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
