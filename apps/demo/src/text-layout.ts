/** Wraps text at words; continuation lines keep the indentation. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): readonly string[] {
  const indent = /^[ •]*/.exec(line)?.[0].length ?? 0;
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const end = breakAt(rest, width);
    lines.push(rest.slice(0, end));
    rest = " ".repeat(indent) + rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** After the last space or, for JSON, comma in the second half of the width. */
function breakAt(text: string, width: number): number {
  const space = text.lastIndexOf(" ", width);
  if (space > width / 2) return space;
  const comma = text.lastIndexOf(",", width - 1) + 1;
  return comma > width / 2 ? comma : width;
}

/** Keeps both ends of a long string. */
export function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const tail = Math.floor(length / 3);
  return `${text.slice(0, length - tail - 3)} … ${text.slice(-tail)}`;
}

/** Keeps the first lines, each cut at the width; of a diff, the changed lines. */
export function firstLines(text: string, count: number, width: number): string {
  const lines = text.trimEnd().split("\n");
  const relevant = text.startsWith("```diff") ? lines.filter(isChange) : lines;
  const shown = relevant
    .slice(0, count)
    .map((line) => (line.length > width ? `${line.slice(0, width - 2)} …` : line));
  const hidden = lines.length - shown.length;
  if (hidden > 0) shown.push(`… ${hidden} more ${hidden === 1 ? "line" : "lines"}`);
  return shown.join("\n");
}

function isChange(line: string): boolean {
  return /^[+-](?![+-]{2} )/.test(line);
}
