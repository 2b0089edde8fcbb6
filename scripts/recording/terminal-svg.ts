import { escapeMarkup } from "../escape-markup.ts";

/** A line of a terminal, and when it came, in milliseconds. */
export interface TimedLine {
  readonly at: number;
  readonly text: string;
  /** What it is: what was typed, what was said beside it, what is bad, or the result. */
  readonly kind: "command" | "note" | "bad" | "result";
}

const COLUMNS = 112;
const LINE = 20;
const PADDING = 16;
const COLORS = { command: "#e6edf3", note: "#8b949e", bad: "#ff7b72", result: "#7ee787" } as const;

/** Draws lines of a terminal that appear at their time; without motion, all are there. */
export function terminalSvg(lines: readonly TimedLine[], title: string): string {
  const rows = lines.flatMap(({ text, ...line }) =>
    wrapped(text).map((part) => ({ ...line, text: part })),
  );
  const width = COLUMNS * 8 + 2 * PADDING;
  const height = rows.length * LINE + 2 * PADDING;
  const drawn = rows.map(({ at, text, kind }, index) => {
    const y = PADDING + LINE * index + 14;
    const delay = (at / 1_000).toFixed(2);
    return `<text x="${PADDING}" y="${y}" fill="${COLORS[kind]}" style="animation-delay:${delay}s">${escaped(text)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${escaped(title)}</title>
<style>
text { font: 13px ui-monospace, Menlo, Consolas, monospace; white-space: pre }
@media (prefers-reduced-motion: no-preference) { text { opacity: 0; animation: show 0s forwards } }
@keyframes show { to { opacity: 1 } }
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${drawn.join("\n")}
</svg>
`;
}

function wrapped(text: string): readonly string[] {
  if (text.length <= COLUMNS) return [text];
  const space = text.lastIndexOf(" ", COLUMNS);
  const end = space > 0 ? space : COLUMNS;
  return [text.slice(0, end), ...wrapped(`  ${text.slice(end).trimStart()}`)];
}

function escaped(text: string): string {
  return escapeMarkup(text.replaceAll(/\p{Cc}/gu, ""));
}
