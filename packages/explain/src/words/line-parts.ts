// In a compact line, parts end at "; " outside JSON strings, so a part must contain neither that nor an unpaired quote.
const SPECIAL = /\\u(?:003b|0022|005c)|;(?= )|"/g;
const ESCAPED = /\\u(?:003b|0022|005c)/g;

/** A piece of a line: a JSON string, or what is between two of them. */
interface LinePiece {
  readonly text: string;
  /** True for a whole JSON string with its quotes. */
  readonly quoted: boolean;
}

/** Escapes a part of a compact line, so that splitting the line at "; " returns it whole. */
export function encodePart(text: string): string {
  return mapOutsideQuotes(text, (outside) => outside.replace(SPECIAL, escapeSpecial));
}

/** Undoes encodePart. */
export function decodePart(part: string): string {
  return mapOutsideQuotes(part, (outside) =>
    outside.replace(ESCAPED, (escape) => String.fromCharCode(Number.parseInt(escape.slice(2), 16))),
  );
}

function mapOutsideQuotes(text: string, change: (outside: string) => string): string {
  return toPieces(text)
    .map((piece) => (piece.quoted ? piece.text : change(piece.text)))
    .join("");
}

function escapeSpecial(found: string): string {
  if (found === ";") return "\\u003b";
  return found === '"' ? "\\u0022" : `\\u005c${found.slice(1)}`;
}

/** Splits a string at a separator, but never inside a JSON string. */
export function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  const parts = [""];
  for (const piece of toPieces(text)) {
    const [first = "", ...others] = piece.quoted ? [piece.text] : piece.text.split(separator);
    parts[parts.length - 1] += first;
    for (const other of others) parts.push(other);
  }
  return parts;
}

/** Splits a list at its commas, but never inside a JSON string, array or object. */
export function splitList(text: string): readonly string[] {
  const items: string[] = [];
  let depth = 0;
  for (const part of splitOutsideQuotes(text, ", ")) {
    if (depth > 0) items[items.length - 1] += `, ${part}`;
    else items.push(part);
    depth = Math.max(0, depth + nesting(part));
  }
  return items;
}

function nesting(part: string): number {
  const outside = toPieces(part).filter((piece) => !piece.quoted);
  return outside.reduce(
    (depth, { text }) => depth + text.split(/[[{]/).length - text.split(/[\]}]/).length,
    0,
  );
}

/** Cuts a string into its JSON strings and what is between them; an unpaired quote begins no string. */
export function toPieces(text: string): readonly LinePiece[] {
  const pieces: LinePiece[] = [];
  let position = 0;
  while (position < text.length) {
    const open = text.indexOf('"', position);
    const close = open === -1 ? -1 : closingQuote(text, open);
    // All quotes after an unpaired one are unpaired too.
    if (close === -1) break;
    if (open > position) pieces.push({ text: text.slice(position, open), quoted: false });
    pieces.push({ text: text.slice(open, close + 1), quoted: true });
    position = close + 1;
  }
  if (position < text.length) pieces.push({ text: text.slice(position), quoted: false });
  return pieces;
}

function closingQuote(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && isEscapedQuote(text, close)) close = text.indexOf('"', close + 1);
  return close;
}

function isEscapedQuote(text: string, position: number): boolean {
  let start = position;
  while (text[start - 1] === "\\") start -= 1;
  return (position - start) % 2 === 1;
}
