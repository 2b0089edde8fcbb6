import type { ErrorCode } from "../error-code.ts";
import type { ValidationError } from "../validation-error.ts";
import { formatHead, parseHead } from "./bullet-head.ts";
import { deriveMessage } from "./derive-message.ts";
import { decodePart, encodePart, splitOutsideQuotes } from "./quoted-text.ts";
import { isValuePreview } from "./value-preview.ts";

/** What begins a bullet of the compact style. */
export const COMPACT_BULLET = "- ";

const SEPARATOR = "; ";
const SHORT_FACTS: Partial<Record<ErrorCode, string>> = {
  "VAL-001": "missing",
  "VAL-005": "unknown field",
};
const KEYWORDS = ["got ", "expected ", "as ", "hint: "];

interface Fact {
  readonly actualValue?: string;
  /** Absent where it follows from the code and the fields. */
  readonly message?: string;
}

/** Writes a displayed error as one line: the fact, what was expected, the hint, the variant. */
export function formatCompactBullet(error: ValidationError): string {
  const { expectedValue, hint, variant } = error;
  const parts = formatFact(error);
  if (expectedValue !== undefined) parts.push(`expected ${encodePart(expectedValue)}`);
  if (hint !== undefined) parts.push(formatHint(encodePart(hint)));
  if (variant !== undefined) parts.push(`as ${encodePart(variant)}`);
  return COMPACT_BULLET + formatHead(error) + parts.join(SEPARATOR);
}

/** Reads a bullet, without its mark, that formatCompactBullet wrote. */
export function parseCompactBullet(lines: readonly string[]): ValidationError | undefined {
  const head = lines.length === 1 ? parseHead(lines[0] ?? "") : undefined;
  if (head === undefined || head.rest === "") return undefined;
  const { rest, ...place } = head;
  const parts = [...splitOutsideQuotes(rest, SEPARATOR)];
  const fact = parseFact(place.errorCode, parts);
  const expected = takePart(parts, /^expected (.+)$/);
  const hint = takePart(parts, /^hint: (.+)$/) ?? takePart(parts, /^(?!as )(.+)$/);
  const variant = takePart(parts, /^as (.+)$/);
  if (fact === undefined || parts.length > 0) return undefined;
  const fields = {
    ...(expected !== undefined && { expectedValue: expected }),
    ...(fact.actualValue !== undefined && { actualValue: fact.actualValue }),
    ...(hint !== undefined && { hint }),
    ...(variant !== undefined && { variant }),
  };
  const message = fact.message ?? deriveMessage({ ...place, ...fields });
  return message === undefined ? undefined : { ...place, message, ...fields };
}

// The value alone says enough where the message follows from it; any other message keeps its own words.
function formatFact(error: ValidationError): string[] {
  const actual = error.actualValue === undefined ? undefined : encodePart(error.actualValue);
  if (deriveMessage(error) === error.message) {
    const short = SHORT_FACTS[error.errorCode];
    if (actual === undefined && short !== undefined) return [short];
    if (actual !== undefined && isValuePreview(actual)) return [actual];
  }
  const message = encodePart(error.message);
  const fact = needsLabel(message) ? `message: ${message}` : message;
  return actual === undefined ? [fact] : [fact, `got ${actual}`];
}

function parseFact(code: ErrorCode, parts: string[]): Fact | undefined {
  const fact = parts.shift() ?? "";
  if (fact === SHORT_FACTS[code]) return {};
  if (isValuePreview(fact)) return { actualValue: decodePart(fact) };
  if (fact === "" || (needsLabel(fact) && !fact.startsWith("message: "))) return undefined;
  const actualValue = takePart(parts, /^got (.+)$/);
  const message = decodePart(fact.replace(/^message: /, ""));
  return { message, ...(actualValue !== undefined && { actualValue }) };
}

function needsLabel(message: string): boolean {
  return (
    isValuePreview(message) ||
    message.startsWith("message: ") ||
    Object.values(SHORT_FACTS).includes(message)
  );
}

function formatHint(hint: string): string {
  return KEYWORDS.some((keyword) => hint.startsWith(keyword)) ? `hint: ${hint}` : hint;
}

function takePart(parts: string[], pattern: RegExp): string | undefined {
  const text = pattern.exec(parts[0] ?? "")?.[1];
  if (text === undefined) return undefined;
  parts.shift();
  return decodePart(text);
}
