import { isPrintableAscii } from "./escape-text.ts";

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
