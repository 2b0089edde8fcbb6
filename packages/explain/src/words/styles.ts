import {
  type ErrorCode,
  type Severity,
  type ValidationError,
  looksLikeErrorCode,
} from "../shared/index.ts";
import { REDACTED } from "../sanitize/index.ts";
import { type Bullet, namesField } from "./bullets.ts";
import { deriveMessage } from "./codes.ts";
import { decodePart, encodePart, splitOutsideQuotes } from "./line-parts.ts";
import { isValuePreview, readFacts } from "./read-words.ts";
import { readPlaces, writePlaces } from "./places.ts";
import { factsOf } from "./written-facts.ts";

/** How a message is laid out: several labelled lines for each fault, or one line. */
export type MessageStyle = "standard" | "compact";

/** The start of a bullet in the standard style. */
export const STANDARD_BULLET = "• ";
/** The start of a bullet in the compact style. */
export const COMPACT_BULLET = "- ";

const ROOT = "(arguments)";
const CODE = / \(([A-Z]{2,8}-\d{3})(?: (warning|info))?\): /;
/** Something in a path that looks like the code after it, where the path would seem to end. */
const CODE_IN_PLACE = / \((?=VAL-|[A-Z]{2,8}-\d{3})/g;
const SEPARATOR = "; ";
const SHORT_FACTS: Partial<Record<ErrorCode, string>> = {
  "VAL-001": "missing",
  "VAL-005": "unknown field",
};
/** The messages that name the field, if there are several. */
const PLURALS: Partial<Record<ErrorCode, string>> = {
  "VAL-001": "Required fields are missing",
  "VAL-005": "Unknown fields",
};
const KEYWORDS = ["got ", "expected ", "as ", "hint: "];

/** The beginning of a bullet, in both styles: the places, the code and the severity. */
interface BulletHead {
  readonly places: readonly string[];
  readonly errorCode: ErrorCode;
  readonly severity: Severity;
  /** The rest of the line. */
  readonly rest: string;
}

/** What a compact line says first: what was sent, or the message. */
interface Fact {
  readonly actualValue?: string;
  /** Absent if it follows from the code and the other members. */
  readonly message?: string;
}

/** Writes an error as a bullet with labelled lines under it. */
export function formatStandardBullet({ error, places }: Bullet): string {
  const { variant, expectedValue, actualValue, hint } = error;
  let bullet = STANDARD_BULLET + formatHead(error, places) + messageFor(error, places);
  if (variant) bullet += `\n  As: ${variant}`;
  if (expectedValue) bullet += `\n  Expected: ${expectedValue}`;
  if (actualValue) bullet += `\n  Actual: ${actualValue}`;
  if (hint) bullet += `\n  Hint: ${hint}`;
  return bullet;
}

/** Reads the lines that formatStandardBullet wrote, without their mark: one error for each place. */
export function parseStandardBullet(
  lines: readonly string[],
): readonly ValidationError[] | undefined {
  const [first = "", ...labelled] = lines;
  const head = parseHead(first);
  if (head === undefined || head.rest === "") return undefined;
  const { rest: message } = head;
  const next = (pattern: RegExp): string | undefined => {
    const text = pattern.exec(labelled[0] ?? "")?.[1];
    if (text !== undefined) labelled.shift();
    return text;
  };
  const variant = next(/^ {2}As: (.+)$/);
  const expectedValue = next(/^ {2}Expected: (.+)$/);
  const actualValue = next(/^ {2}Actual: (.+)$/);
  const hint = next(/^ {2}Hint: (.+)$/);
  if (labelled.length > 0) return undefined;
  return errorsAt(head, message, {
    ...(expectedValue !== undefined && { expectedValue }),
    ...(actualValue !== undefined && { actualValue }),
    ...(hint !== undefined && { hint }),
    ...(variant !== undefined && { variant }),
  });
}

/** Writes an error as one line: the fact, what was expected, the hint, the variant. */
export function formatCompactBullet({ error, places }: Bullet): string {
  const { expectedValue, hint, variant } = error;
  const parts = formatFact(error);
  if (expectedValue !== undefined) parts.push(`expected ${encodePart(expectedValue)}`);
  if (hint !== undefined) parts.push(formatHint(encodePart(hint)));
  if (variant !== undefined) parts.push(`as ${encodePart(variant)}`);
  return COMPACT_BULLET + formatHead(error, places) + parts.join(SEPARATOR);
}

/** Reads the line that formatCompactBullet wrote, without its mark: one error for each place. */
export function parseCompactBullet(
  lines: readonly string[],
): readonly ValidationError[] | undefined {
  const head = lines.length === 1 ? parseHead(lines[0] ?? "") : undefined;
  if (head === undefined || head.rest === "") return undefined;
  const { rest, errorCode } = head;
  const parts = [...splitOutsideQuotes(rest, SEPARATOR)];
  const fact = parseFact(errorCode, parts);
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
  return errorsAt(head, fact.message, fields);
}

/** The errors of a bullet's places; their messages follow from code and fields if the bullet has none of its own. */
function errorsAt(
  { places, errorCode, severity }: BulletHead,
  said: string | undefined,
  fields: Partial<ValidationError>,
): readonly ValidationError[] | undefined {
  const isNamed = places.length > 1 && said === PLURALS[errorCode];
  const errors: ValidationError[] = [];
  for (const fieldPath of places) {
    const own = isNamed ? undefined : said;
    const message = own ?? deriveMessage(errorCode, fieldPath, readFacts({ errorCode, ...fields }));
    if (message === undefined) return undefined;
    errors.push({ fieldPath, errorCode, severity, message, ...fields });
  }
  return errors;
}

/** The message of a bullet: one that names the only field does not name several. */
function messageFor(error: ValidationError, { length }: readonly string[]): string {
  const plural = length > 1 && namesField(error) ? PLURALS[error.errorCode] : undefined;
  return plural ?? error.message;
}

// If the message follows from the value, the value alone is enough; any other message is written out.
function formatFact(error: ValidationError): string[] {
  const { errorCode, fieldPath, actualValue } = error;
  const actual = actualValue === undefined ? undefined : encodePart(actualValue);
  const { got, ...facts } = factsOf(error);
  const shown = actual === undefined || got === undefined ? facts : { ...facts, got };
  if (deriveMessage(errorCode, fieldPath, shown) === error.message) {
    const short = SHORT_FACTS[errorCode];
    if (actual === undefined && short !== undefined) return [short];
    if (actual !== undefined && (got?.type !== undefined || actual === REDACTED)) return [actual];
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

/** Writes the head of a bullet: `/path (VAL-001): `. */
function formatHead({ errorCode, severity }: ValidationError, places: readonly string[]): string {
  const mark = severity === "error" ? "" : ` ${severity}`;
  // A key may imitate the end of a head.
  const written = writePlaces(places).replaceAll(CODE_IN_PLACE, " \\u0028");
  return `${written === "" ? ROOT : written} (${errorCode}${mark}): `;
}

/** Reads what formatHead wrote; a displayed pointer never contains a code in parentheses, so the first one ends it. */
function parseHead(line: string): BulletHead | undefined {
  const found = CODE.exec(line);
  const [head, errorCode, severity] = found ?? [];
  if (found === null || head === undefined || errorCode === undefined) return undefined;
  const place = line.slice(0, found.index);
  const isPlace = place === ROOT || (place.startsWith("/") && !place.includes(" (VAL-"));
  if (!isPlace || !looksLikeErrorCode(errorCode)) return undefined;
  const places = place === ROOT ? [""] : readPlaces(place);
  return (
    places && {
      places,
      errorCode,
      severity: severity === "warning" || severity === "info" ? severity : "error",
      rest: line.slice(found.index + head.length),
    }
  );
}
