import { clip, oneLine } from "../sanitize/index.ts";
import {
  ERROR_CODES,
  type ErrorCode,
  type Limits,
  type ValidationError,
  meaningOf,
  unescapeKey,
} from "../shared/index.ts";
import type { MessageFacts } from "./read-words.ts";
import { writeReason } from "./write-hint.ts";

const MAX_PLACE = 40;
const MAX_SUMMARY = 80;

const TOO_MUCH = writeReason({ kind: "too-much-to-check" });
const FAILS_AGAIN = writeReason({ kind: "fails-again", how: "" });

/** What is said of a code's errors. */
interface CodeWords {
  /** The message, if it follows from the field's name and the shown facts; other messages are free text. */
  readonly sentence?: (field: string, facts: MessageFacts) => string;
  /** A few words without any value, for a place in quotes. */
  readonly summary: (place: string, facts: MessageFacts, message: string) => string;
  /** For faults of a value, of which one is shown for each place: the lower number goes first. */
  readonly aboutValue?: number;
}

/** One row for each code of the explainer; what they mean is in `ERROR_CODES`. */
const CODES: Readonly<Record<keyof typeof ERROR_CODES, CodeWords>> = {
  "VAL-001": {
    sentence: (field) => `Required field '${field}' is missing`,
    summary: (place) => `Missing required field ${place}`,
  },
  "VAL-002": {
    sentence: (_, facts) => typeMismatch(facts),
    summary: (place, { got }) => `Type mismatch on ${place}${note("got", got?.type)}`,
    aboutValue: 1,
  },
  "VAL-003": {
    sentence: (_, facts) => brokenConstraint(facts),
    summary: (place, facts) => `${brokenConstraint(facts)} for ${place}`,
    aboutValue: 7,
  },
  "VAL-004": { summary: () => "Invalid JSON" },
  "VAL-005": {
    // The name may be hidden.
    sentence: (field) =>
      field === "(unknown field)" ? "Unknown field" : `Unknown field '${field}'`,
    summary: (place) => `Unknown field ${place}`,
  },
  "VAL-006": {
    sentence: (_, facts) => lengthMessage("Array", facts.items, facts),
    summary: (place, facts) => summarizeLength("Array", facts.items, facts, place),
    aboutValue: 6,
  },
  "VAL-007": {
    sentence: () => "Value doesn't match pattern",
    summary: (place) => `Pattern mismatch on ${place}`,
    aboutValue: 5,
  },
  "VAL-008": {
    sentence: () => "Invalid enum value",
    summary: (place) => `Invalid enum value for ${place}`,
    aboutValue: 2,
  },
  "VAL-009": {
    sentence: (_, facts) => lengthMessage("String", facts.characters, facts),
    summary: (place, facts) => summarizeLength("String", facts.characters, facts, place),
    aboutValue: 4,
  },
  "VAL-010": {
    sentence: () => "Invalid format",
    summary: (place) => `Invalid format for ${place}`,
    aboutValue: 3,
  },
  "VAL-011": { summary: () => "Arguments cut off" },
  "VAL-012": { summary: (_, __, message) => oneLine(message, MAX_SUMMARY) },
  "VAL-013": {
    sentence: () => "No variant matches",
    summary: (place) => `No variant matches ${place}`,
  },
  "VAL-014": { summary: (place) => `Conflicting fields at ${place}` },
  "VAL-015": {
    sentence: () => "Duplicate items",
    summary: (place) => `Duplicate items in ${place}`,
    aboutValue: 8,
  },
  "VAL-016": {
    summary: (place, _, message) =>
      message === TOO_MUCH || message.startsWith(FAILS_AGAIN)
        ? oneLine(message, MAX_SUMMARY)
        : `Rule failed for ${place}`,
  },
};

function codeWords(code: ErrorCode): CodeWords | undefined {
  return Object.hasOwn(CODES, code) ? CODES[code as keyof typeof CODES] : undefined;
}

/**
 * Derives an error's message from its code, its path and the shown facts, so that the compact style can leave it out.
 *
 * Undefined for the codes whose message is free text.
 */
export function deriveMessage(
  errorCode: ErrorCode,
  fieldPath: string,
  facts: MessageFacts,
): string | undefined {
  return codeWords(errorCode)?.sentence?.(fieldName(fieldPath), facts);
}

/** Summarizes an error in a few words, without any argument value: `Missing required field 'path'`. */
export function summarize(
  { errorCode, fieldPath, message }: Pick<ValidationError, "errorCode" | "fieldPath" | "message">,
  facts: MessageFacts,
): string {
  const place = toPlace(fieldPath);
  const words = codeWords(errorCode);
  if (words) return words.summary(place, facts, message);
  // A JavaScript host may pass any code. What a package reports of a call as a whole is seldom about its arguments.
  const meaning = meaningOf(errorCode) ?? "Rule failed";
  return fieldPath === "" ? meaning : `${meaning} for ${place}`;
}

/** The rank of a fault of a value, of which only the first is shown for each place; undefined for all others. */
export function valueRank(code: ErrorCode): number | undefined {
  return codeWords(code)?.aboutValue;
}

function typeMismatch({ types, got }: MessageFacts): string {
  const facts = [types && `expected ${types}`, got?.type && `got ${got.type}`].filter(Boolean);
  return facts.length === 0 ? "Type mismatch" : `Type mismatch: ${facts.join(", ")}`;
}

/** Says of a VAL-003 whether it is about a number's range. */
function brokenConstraint({ types, stepped, got }: MessageFacts): string {
  const type = got?.type ?? types;
  const isOutOfRange = (type === "integer" || type === "number") && stepped !== true;
  return isOutOfRange ? "Value out of range" : "Constraint violated";
}

/** The limit that an array or string breaks, and its length if known. */
interface LengthBreach {
  readonly kind: "maximum" | "minimum";
  readonly limit: number;
  readonly length?: number;
}

/** Finds the limit that a length breaks; undefined if the facts do not say. */
function lengthBreach(limits: Limits | undefined, { got }: MessageFacts): LengthBreach | undefined {
  const { min, max } = limits ?? {};
  const length = got?.length;
  if (length === undefined) {
    if (min !== undefined && max !== undefined) return undefined;
    if (max !== undefined) return { kind: "maximum", limit: max };
    return min === undefined ? undefined : { kind: "minimum", limit: min };
  }
  if (max !== undefined && length > max) return { kind: "maximum", limit: max, length };
  return min !== undefined && length < min ? { kind: "minimum", limit: min, length } : undefined;
}

function lengthMessage(
  what: "Array" | "String",
  limits: Limits | undefined,
  facts: MessageFacts,
): string {
  const breach = lengthBreach(limits, facts);
  if (breach?.length === undefined) return `Invalid ${what.toLowerCase()} length`;
  const relation = breach.kind === "maximum" ? "exceeds" : "is below";
  return `${what} length ${breach.length} ${relation} ${breach.kind} ${breach.limit}`;
}

function summarizeLength(
  what: "Array" | "String",
  limits: Limits | undefined,
  facts: MessageFacts,
  place: string,
): string {
  const breach = lengthBreach(limits, facts);
  if (breach === undefined) return `Invalid ${what.toLowerCase()} length for ${place}`;
  const isMaximum = breach.kind === "maximum";
  return `${what} too ${isMaximum ? "long" : "short"} for ${place}${note(isMaximum ? "max" : "min", breach.limit)}`;
}

function note(label: string, value: string | number | undefined): string {
  return value === undefined ? "" : ` (${label}: ${value})`;
}

function toPlace(pointer: string): string {
  return pointer === "" ? "the arguments" : `'${clip(oneLine(pointer.slice(1), 240), MAX_PLACE)}'`;
}

function fieldName(pointer: string): string {
  return unescapeKey(pointer.slice(pointer.lastIndexOf("/") + 1));
}
