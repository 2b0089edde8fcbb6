import { type Span, findNamedSecrets } from "./named-secret.ts";
import { SECRET_SHAPES, type SecretShape } from "./secret-shapes.ts";

/** What stands in the place of a secret, everywhere. */
export const REDACTED = "[redacted]";

/** A text without secrets; clipped where the original goes on beyond what was looked at. */
export interface MaskedText {
  readonly text: string;
  readonly clipped: boolean;
  /** True where a secret was replaced. */
  readonly changed: boolean;
}

/** How much of a text is kept for showing: far more than any message shows. */
export const MASKING_WINDOW = 2048;

/** How far beyond the window a secret is followed that begins inside it. */
const LOOKAHEAD = 2048;

const ASCII_ESCAPE = /(?<!\\)\\+(?:u00([2-7][0-9a-f])|\/)/gi;

/**
 * Replaces everything in a text that has the shape or the name of a secret.
 *
 * @remarks Of a huge text only the beginning comes back, so that the work stays bounded.
 */
export function maskText(raw: string, window: number = MASKING_WINDOW): MaskedText {
  const clipped = raw.length > window + LOOKAHEAD;
  const head = clipped ? raw.slice(0, window + LOOKAHEAD) : raw;
  const limit = clipped ? window : head.length;
  const decoded = decodeEscapes(head);
  const hidden = decoded === head ? [] : findSecrets(decoded);
  if (hidden.length > 0) return { text: cover(decoded, hidden, limit), clipped, changed: true };
  const spans = findSecrets(head);
  return { text: cover(head, spans, limit), clipped, changed: spans.length > 0 };
}

/** A secret can be spelt with escapes inside JSON that does not parse; `\u0073k-...` is one. */
function decodeEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(ASCII_ESCAPE, (_, code: string | undefined) =>
    code === undefined ? "/" : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function findSecrets(text: string): readonly Span[] {
  if (text.length < 4) return [];
  const spans = [...findNamedSecrets(text)];
  for (const shape of SECRET_SHAPES) addShape(spans, text, shape);
  return spans.toSorted((one, other) => one[0] - other[0]);
}

function addShape(spans: Span[], text: string, { pattern }: SecretShape): void {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const end = match.index + match[0].length;
    spans.push([end - (match[1] ?? match[0]).length, end]);
  }
}

function cover(text: string, spans: readonly Span[], limit: number): string {
  let result = "";
  let at = 0;
  for (const [start, end] of spans) {
    if (start >= limit) break;
    if (start >= at) result += text.slice(at, start) + REDACTED;
    at = Math.max(at, end);
  }
  return result + text.slice(at, Math.max(at, limit));
}
