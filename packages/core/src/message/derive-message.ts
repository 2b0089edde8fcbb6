import type { ErrorCode } from "../shared/index.ts";
import { readPreviewCount, readPreviewType } from "./preview-text.ts";

const TYPE = "(?:(?:[a-z][a-z0-9-]* )?string|number|integer|boolean|array|object|null)";
const TYPES = new RegExp(`^${TYPE}(?:(?:, | or )${TYPE})*(?![\\w-])`);
const LENGTHS =
  /(?:from (\d{1,15}) to (\d{1,15})|at least (\d{1,15})|at most (\d{1,15})) (item|character)/g;

/** What a message is derived from: the code and the fields that a message displays. */
interface DisplayedFields {
  readonly errorCode: ErrorCode;
  readonly fieldPath: string;
  readonly expectedValue?: string | undefined;
  readonly actualValue?: string | undefined;
}

/** The limit that an array or string is beyond, and its length where that is known. */
interface LengthBreach {
  readonly kind: "maximum" | "minimum";
  readonly limit: number;
  readonly length?: number;
}

/**
 * Derives an error's message from its code and the fields that are displayed, so that both styles carry it.
 *
 * Undefined for the codes whose message is free text (VAL-004, 011, 012, 014 and 016).
 */
export function deriveMessage(error: DisplayedFields): string | undefined {
  switch (error.errorCode) {
    case "VAL-001":
      return `Required field '${fieldName(error.fieldPath)}' is missing`;
    case "VAL-002":
      return typeMismatch(error);
    case "VAL-003":
      return isOutOfRange(error) ? "Value out of range" : "Constraint violated";
    case "VAL-005":
      return unknownField(fieldName(error.fieldPath));
    case "VAL-006":
      return lengthMessage("Array", error);
    case "VAL-007":
      return "Value doesn't match pattern";
    case "VAL-008":
      return "Invalid enum value";
    case "VAL-009":
      return lengthMessage("String", error);
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

/** Tells whether a VAL-003 is about the range of a number. */
export function isOutOfRange({ expectedValue = "", actualValue }: DisplayedFields): boolean {
  const type = readPreviewType(actualValue) ?? TYPES.exec(expectedValue)?.[0];
  return (type === "integer" || type === "number") && !expectedValue.includes("multiple of");
}

/** Reads which limit of length an error is about; undefined where its fields leave that open. */
export function readLengthBreach(error: DisplayedFields): LengthBreach | undefined {
  const unit = error.errorCode === "VAL-006" ? "item" : "character";
  const limits = [...(error.expectedValue ?? "").matchAll(LENGTHS)];
  const [, from, to, least, most] = limits.findLast((found) => found[5] === unit) ?? [];
  const [minimum, maximum] = [Number(from ?? least), Number(to ?? most)];
  const length = readPreviewCount(error.actualValue);
  if (length === undefined) {
    if (most !== undefined) return { kind: "maximum", limit: maximum };
    return least === undefined ? undefined : { kind: "minimum", limit: minimum };
  }
  if (length > maximum) return { kind: "maximum", limit: maximum, length };
  return length < minimum ? { kind: "minimum", limit: minimum, length } : undefined;
}

function typeMismatch({ expectedValue, actualValue }: DisplayedFields): string {
  const expected = TYPES.exec(expectedValue ?? "")?.[0] ?? literalType(expectedValue);
  const got = readPreviewType(actualValue);
  const facts = [expected && `expected ${expected}`, got && `got ${got}`].filter(Boolean);
  return ["Type mismatch", facts.join(", ")].filter(Boolean).join(": ");
}

/** The type of the first value that is listed; the others are mostly of the same. */
function literalType(expected: string | undefined): string | undefined {
  return readPreviewType(expected?.replace(/^one of /, ""));
}

function lengthMessage(what: "Array" | "String", error: DisplayedFields): string {
  const breach = readLengthBreach(error);
  if (breach?.length === undefined) return `Invalid ${what.toLowerCase()} length`;
  const relation = breach.kind === "maximum" ? "exceeds" : "is below";
  return `${what} length ${breach.length} ${relation} ${breach.kind} ${breach.limit}`;
}

function fieldName(pointer: string): string {
  const segment = pointer.slice(pointer.lastIndexOf("/") + 1);
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** A name that is not shown is not quoted either. */
function unknownField(name: string): string {
  return name === "(unknown field)" ? "Unknown field" : `Unknown field '${name}'`;
}
