/** A place in a text, as editors show it. */
export interface PolicyPosition {
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1, in UTF-16 units. */
  readonly column: number;
}

/** The place of an offset in a text. */
export function positionOf(text: string, offset: number): PolicyPosition {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
