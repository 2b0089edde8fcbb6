import { type ErrorCode, type Limits, type ValidationError, meaningOf } from "../shared/index.ts";
import { clip, oneLine } from "../sanitize/index.ts";
import type { MessageFacts } from "./expected-facts.ts";
import { readFacts } from "./read-words.ts";

const MAX_PLACE = 40;
const MAX_SUMMARY = 80;

/** The limit that an array or string breaks, and its length if known. */
interface LengthBreach {
  readonly kind: "maximum" | "minimum";
  readonly limit: number;
  readonly length?: number;
}

/**
 * Derives an error's message from its code, its path and the shown facts, so that the compact style can leave it out.
 *
 * Undefined for the codes whose message is free text (VAL-004, 011, 012, 014 and 016).
 */
export function deriveMessage(
  errorCode: ErrorCode,
  fieldPath: string,
  facts: MessageFacts,
): string | undefined {
  switch (errorCode) {
    case "VAL-001":
      return `Required field '${fieldName(fieldPath)}' is missing`;
    case "VAL-002":
      return typeMismatch(facts);
    case "VAL-003":
      return isOutOfRange(facts) ? "Value out of range" : "Constraint violated";
    case "VAL-005":
      return unknownField(fieldName(fieldPath));
    case "VAL-006":
      return lengthMessage("Array", facts.items, facts);
    case "VAL-007":
      return "Value doesn't match pattern";
    case "VAL-008":
      return "Invalid enum value";
    case "VAL-009":
      return lengthMessage("String", facts.characters, facts);
    case "VAL-010":
      return "Invalid format";
    case "VAL-013":
      return "No variant matches";
    case "VAL-015":
      return "Duplicate items";
    default:
      return undefined;
  }
}

/** Summarizes an error in a few words, without any argument value: `Missing required field 'path'`. */
export function summarize(
  { errorCode, fieldPath, message }: Pick<ValidationError, "errorCode" | "fieldPath" | "message">,
  facts: MessageFacts,
): string {
  const place = toPlace(fieldPath);
  switch (errorCode) {
    case "VAL-001":
      return `Missing required field ${place}`;
    case "VAL-002":
      return `Type mismatch on ${place}${note("got", facts.got?.type)}`;
    case "VAL-003":
      return `${isOutOfRange(facts) ? "Value out of range" : "Constraint violated"} for ${place}`;
    case "VAL-004":
      return "Invalid JSON";
    case "VAL-005":
      return `Unknown field ${place}`;
    case "VAL-006":
      return summarizeLength("Array", facts.items, facts, place);
    case "VAL-007":
      return `Pattern mismatch on ${place}`;
    case "VAL-008":
      return `Invalid enum value for ${place}`;
    case "VAL-009":
      return summarizeLength("String", facts.characters, facts, place);
    case "VAL-010":
      return `Invalid format for ${place}`;
    case "VAL-011":
      return "Arguments cut off";
    case "VAL-012":
      return oneLine(message, MAX_SUMMARY);
    case "VAL-013":
      return `No variant matches ${place}`;
    case "VAL-014":
      return `Conflicting fields at ${place}`;
    case "VAL-015":
      return `Duplicate items in ${place}`;
    case "VAL-016":
      return `Rule failed for ${place}`;
    default: {
      // A JavaScript host may pass any code. What a package reports of a call as a whole is seldom about its arguments.
      const meaning = meaningOf(errorCode) ?? "Rule failed";
      return fieldPath === "" ? meaning : `${meaning} for ${place}`;
    }
  }
}

/** Whether a VAL-003 is about a number's range. */
function isOutOfRange({ types, stepped, got }: MessageFacts): boolean {
  const type = got?.type ?? types;
  return (type === "integer" || type === "number") && stepped !== true;
}

function typeMismatch({ types, got }: MessageFacts): string {
  const facts = [types && `expected ${types}`, got?.type && `got ${got.type}`].filter(Boolean);
  return ["Type mismatch", facts.join(", ")].filter(Boolean).join(": ");
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
  const segment = pointer.slice(pointer.lastIndexOf("/") + 1);
  return segment.includes("~") ? segment.replaceAll("~1", "/").replaceAll("~0", "~") : segment;
}

/** Quotes the field's name, unless it is hidden. */
function unknownField(name: string): string {
  return name === "(unknown field)" ? "Unknown field" : `Unknown field '${name}'`;
}

const FACTS = Symbol("toolcontract.facts");

/** The facts behind an error that core wrote. */
export interface WrittenFacts extends MessageFacts {
  /** The path that is logged; undeclared names are `*`. */
  readonly logPath: string;
  /** Writes the expectation with only the first values of a long list. */
  readonly brief?: (() => string) | undefined;
  /** True if the arguments were too long for one output. */
  readonly tooLong?: boolean;
}

/**
 * An error that core wrote, and therefore sanitized.
 *
 * The facts are not enumerable: a host's copy with other words loses them, so it is sanitized again.
 */
interface WrittenError extends ValidationError {
  readonly [FACTS]?: WrittenFacts;
}

/** Attaches facts to an error. */
export function withFacts(error: ValidationError, facts: WrittenFacts): ValidationError {
  return Object.defineProperty(error, FACTS, { value: facts });
}

/** Returns the facts of an error that core wrote; undefined if somebody else built or copied it. */
export function writtenFacts(error: ValidationError): WrittenFacts | undefined {
  try {
    return (error as WrittenError)[FACTS];
  } catch {
    // A host's proxy may throw.
    return undefined;
  }
}

/** Returns the facts of an error: those that core attached, or those read from its words. */
export function factsOf(error: ValidationError): MessageFacts {
  return writtenFacts(error) ?? readFacts(error);
}

/** Attaches to a shortened error the facts of the whole one. */
export function withFactsOf(whole: ValidationError, shortened: ValidationError): ValidationError {
  const facts = writtenFacts(whole);
  return facts ? withFacts(shortened, facts) : shortened;
}
