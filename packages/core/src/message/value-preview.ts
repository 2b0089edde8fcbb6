import { splitList, toPieces } from "./quoted-text.ts";

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
