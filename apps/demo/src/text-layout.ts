/** Wraps a text at words; a line's own indentation goes on to its continuations. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): readonly string[] {
  const indent = /^[ •]*/.exec(line)?.[0].length ?? 0;
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(" ", width);
    // Text without spaces, such as JSON, is better cut than pushed to the next line.
    const end = space > Math.max(indent, width / 2) ? space : width;
    lines.push(rest.slice(0, end));
    rest = " ".repeat(indent) + rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** Keeps both ends of a long text. */
export function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const tail = Math.floor(length / 3);
  return `${text.slice(0, length - tail - 3)} … ${text.slice(-tail)}`;
}

/** Keeps the first lines of a text, each cut at the width. */
export function firstLines(text: string, count: number, width: number): string {
  const lines = text.trimEnd().split("\n");
  const shown = lines
    .slice(0, count)
    .map((line) => (line.length > width ? `${line.slice(0, width - 2)} …` : line));
  const hidden = lines.length - shown.length;
  if (hidden > 0) shown.push(`… ${hidden} more ${hidden === 1 ? "line" : "lines"}`);
  return shown.join("\n");
}
