/** Reads a text line by line, each line once. */
export interface LineReader {
  /** Takes the next line if it is exactly this one. */
  skip(line: string): boolean;
  /** Takes the next line if `parse` understands it. */
  read<T>(parse: (line: string) => T | undefined): T | undefined;
  /** Takes the next line if it starts with a mark, which is cut off, and the indented lines under it. */
  block(mark: string): readonly string[];
  /** Takes the next lines that are indented by two spaces or more. */
  indented(): readonly string[];
  /** Tells whether every line was taken. */
  isAtEnd(): boolean;
}

/** Starts reading a text at its first line. */
export function readLines(text: string): LineReader {
  const lines = text.split("\n");
  let position = 0;
  const indented = (): readonly string[] => {
    const start = position;
    while (lines[position]?.startsWith("  ") === true) position += 1;
    return lines.slice(start, position);
  };
  return {
    skip(line) {
      if (lines[position] !== line) return false;
      position += 1;
      return true;
    },
    read(parse) {
      const line = lines[position];
      const result = line === undefined ? undefined : parse(line);
      if (result !== undefined) position += 1;
      return result;
    },
    block(mark) {
      const line = lines[position];
      if (line?.startsWith(mark) !== true) return [];
      position += 1;
      return [line.slice(mark.length), ...indented()];
    },
    indented,
    isAtEnd: () => position === lines.length,
  };
}
