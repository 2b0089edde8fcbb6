import { createQuoteSearch } from "./end-of-string.ts";

/** A token at the top level of a JSON object. */
export type TopLevelToken =
  | "{"
  | "}"
  | ":"
  | ","
  /** The end of an object or list in it. */
  | "nested"
  /** What no parser reads, or only some do. */
  | "broken"
  | {
      readonly kind: "string" | "literal";
      /** As it was sent, without quotes; undefined if it is long. */
      readonly text: string | undefined;
    };

/** Longer than the words that matter with every letter escaped, and than the ids in use. */
const MAX_TEXT = 512;
const RETURN = 0x0d;

/** The kind of a byte outside strings. */
const KINDS: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if ('{}[]:,"'.includes(character)) return character;
  if (" \t\n\r".includes(character)) return "space";
  return /[-+.0-9A-Za-z]/.test(character) ? "literal" : "broken";
});

/**
 * Creates the reader of one JSON object, which needs the same memory for any length.
 *
 * @returns The function that takes the next bytes.
 */
export function createTopLevelReader(
  onToken: (token: TopLevelToken) => void,
): (bytes: Buffer) => void {
  let depth = 0;
  let inside: "string" | "literal" | undefined;
  const closingQuote = createQuoteSearch();
  let text = "";

  function keep(bytes: Buffer, from: number, to: number): void {
    const room = MAX_TEXT + 1 - text.length;
    if (depth === 1 && room > 0) text += bytes.toString("latin1", from, Math.min(to, from + room));
  }

  function begin(kind: "string" | "literal"): void {
    inside = kind;
    text = "";
  }

  function finish(kind: "string" | "literal"): void {
    inside = undefined;
    const isLong = text.length > MAX_TEXT;
    if (depth === 0) onToken("broken");
    if (depth !== 1) return;
    onToken({ kind, text: isLong ? undefined : Buffer.from(text, "latin1").toString("utf8") });
  }

  /** Returns the index after the string's last byte in this chunk. */
  function readString(bytes: Buffer, start: number): number {
    const quote = closingQuote(bytes, start);
    const end = quote === -1 ? bytes.length : quote;
    keep(bytes, start, end);
    if (quote !== -1) finish("string");
    return quote === -1 ? end : end + 1;
  }

  function readMark(kind: string): void {
    switch (kind) {
      case "{":
      case "[":
        depth += 1;
        if (depth === 1) onToken(kind === "{" ? kind : "broken");
        break;
      case "}":
      case "]":
        depth -= 1;
        if (depth === 1) onToken("nested");
        else if (depth <= 0) onToken(kind === "}" ? kind : "broken");
        break;
      case ":":
      case ",":
        if (depth <= 1) onToken(kind);
        break;
      case "broken":
        onToken(kind);
        break;
    }
  }

  return (bytes) => {
    // Some servers take it for the end of a line.
    const lineBreak = bytes.indexOf(RETURN);
    for (let at = 0; at < bytes.length;) {
      const start = at;
      if (inside === "string") {
        at = readString(bytes, start);
        if (lineBreak >= start && lineBreak < at) onToken("broken");
        continue;
      }
      const kind = KINDS[bytes[at] ?? 0] ?? "broken";
      at += 1;
      if (kind === "literal") {
        if (inside === undefined) begin("literal");
        keep(bytes, start, at);
        continue;
      }
      if (inside === "literal") finish("literal");
      if (kind === '"') begin("string");
      else readMark(kind);
    }
  };
}
