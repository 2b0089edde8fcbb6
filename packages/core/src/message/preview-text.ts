// In a compact line, parts end at "; " outside JSON strings, so a part must hold neither that nor an unpaired quote.
const SPECIAL = /\\u(?:003b|0022|005c)|;(?= )|"/g;
const ESCAPED = /\\u(?:003b|0022|005c)/g;

interface Piece {
  readonly text: string;
  /** True for a whole JSON string with its quotes. */
  readonly quoted: boolean;
}

/** Cuts a text into its JSON strings and what stands between them; an unpaired quote begins no string. */
function toPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let position = 0;
  while (position < text.length) {
    const open = text.indexOf('"', position);
    const close = open === -1 ? -1 : closingQuote(text, open);
    // Quotes after an unpaired one are unpaired too: each of them is escaped.
    if (close === -1) break;
    if (open > position) pieces.push({ text: text.slice(position, open), quoted: false });
    pieces.push({ text: text.slice(open, close + 1), quoted: true });
    position = close + 1;
  }
  if (position < text.length) pieces.push({ text: text.slice(position), quoted: false });
  return pieces;
}

/** Splits a text at a separator, but never inside a JSON string. */
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

/** Escapes a part of a compact line so that `splitOutsideQuotes(line, "; ")` gives it back whole. */
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

function closingQuote(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close;
}

function isEscaped(text: string, position: number): boolean {
  let start = position;
  while (text[start - 1] === "\\") start -= 1;
  return (position - start) % 2 === 1;
}

function nesting(part: string): number {
  const outside = toPieces(part).filter((piece) => !piece.quoted);
  return outside.reduce(
    (depth, { text }) => depth + text.split(/[[{]/).length - text.split(/[\]}]/).length,
    0,
  );
}

const COUNT = / \((over )?(\d{1,15}) [a-z]+\)$/;
const SCALAR = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;

/** A JSON type, with the integers told apart from the other numbers. */
type PreviewType =
  | "string"
  | "integer"
  | "number"
  | "boolean"
  | "null"
  | "array"
  | "object"
  | undefined;

/** Tells whether a text looks like the preview of a value that the sanitiser makes. */
export function isValuePreview(text: string): boolean {
  if (SCALAR.test(text)) return true;
  const value = text.replace(COUNT, "");
  const [first, second] = toPieces(value);
  if (first?.quoted === true) return second === undefined;
  return isEnclosed(value, "[", "]") || isEnclosed(value, "{", "}");
}

/** Reads the type of a previewed value; undefined where it was masked or the text is no preview. */
export function readPreviewType(text: string | undefined): PreviewType {
  if (text === undefined || text === "[redacted]" || !isValuePreview(text)) return undefined;
  if (text.startsWith('"')) return "string";
  if (text.startsWith("[")) return "array";
  if (text.startsWith("{")) return "object";
  if (text === "null") return "null";
  if (text === "true" || text === "false") return "boolean";
  return /^-?\d+$/.test(text) ? "integer" : "number";
}

/** Reads how many characters or items a previewed string or array has, where the preview tells. */
export function readPreviewCount(text: string | undefined): number | undefined {
  const type = readPreviewType(text);
  if (text === undefined || (type !== "string" && type !== "array")) return undefined;
  const [, over, count] = COUNT.exec(text) ?? [];
  if (count !== undefined) return over === undefined ? Number(count) : undefined;
  return type === "string" ? countCharacters(text) : countItems(text.slice(1, -1));
}

// JSON Schema counts code points.
function countCharacters(quoted: string): number | undefined {
  try {
    return Array.from(String(JSON.parse(quoted))).length;
  } catch {
    return undefined;
  }
}

function countItems(list: string): number | undefined {
  if (list === "") return 0;
  const items = splitList(list);
  return items.includes("...") ? undefined : items.length;
}

function isEnclosed(text: string, open: string, close: string): boolean {
  return text.length > 1 && text.startsWith(open) && text.endsWith(close);
}
