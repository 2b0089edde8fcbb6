import { type Span, findNamedSecrets } from "./named-secret.ts";
import { SECRET_SHAPES, type SecretShape } from "./secret-shapes.ts";

/** What replaces a secret. */
export const REDACTED = "[redacted]";

/** How much of a string is kept: far more than any message shows. */
export const MASKING_WINDOW = 2048;

/** No secret shape matches fewer characters: `-u a:b` behind a space. */
const SHORTEST_SHAPE = 7;

/** How far beyond the window a secret that begins inside it is followed. */
const LOOKAHEAD = 2048;

const ASCII_ESCAPE = /(?<!\\)\\+(?:u00([2-7][0-9a-f])|\/)/gi;

/** A string without its secrets. */
export interface MaskedText {
  readonly text: string;
  /** True if the original is longer than what was searched. */
  readonly clipped: boolean;
  /** True if a secret was replaced. */
  readonly changed: boolean;
}

/**
 * Replaces everything in a string that has the shape or the name of a secret.
 *
 * @remarks Only the beginning of a huge string is returned, so that the work stays bounded.
 */
export function maskText(raw: string, window: number = MASKING_WINDOW): MaskedText {
  const clipped = raw.length > window + LOOKAHEAD;
  const head = clipped ? raw.slice(0, window + LOOKAHEAD) : raw;
  const limit = clipped ? window : head.length;
  const decoded = decodeEscapes(head);
  const hidden = decoded === head ? [] : findSecrets(decoded);
  if (hidden.length > 0)
    return { text: coverSpans(decoded, hidden, limit), clipped, changed: true };
  const spans = findSecrets(head);
  return { text: coverSpans(head, spans, limit), clipped, changed: spans.length > 0 };
}

/** In JSON that does not parse, a secret can be spelt with escapes, as in `\u0073k-...`. */
function decodeEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(ASCII_ESCAPE, (_, code: string | undefined) =>
    code === undefined ? "/" : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function findSecrets(text: string): readonly Span[] {
  if (text.length < 4) return [];
  const spans = [...findNamedSecrets(text)];
  if (text.length < SHORTEST_SHAPE) return spans;
  for (const shape of SECRET_SHAPES) addShape(spans, text, shape);
  return spans;
}

function addShape(spans: Span[], text: string, { pattern }: SecretShape): void {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const end = match.index + match[0].length;
    spans.push([end - (match[1] ?? match[0]).length, end]);
  }
}

/** Replaces stretches of a string, which may overlap, and cuts it at `limit`. */
export function coverSpans(
  text: string,
  spans: readonly Span[],
  limit: number = text.length,
): string {
  let result = "";
  let at = 0;
  for (const [start, end] of spans.toSorted((one, other) => one[0] - other[0])) {
    if (start >= limit) break;
    if (start >= at) result += text.slice(at, start) + REDACTED;
    at = Math.max(at, end);
  }
  return result + text.slice(at, Math.max(at, limit));
}
