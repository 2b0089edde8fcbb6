import type { AttemptRecord } from "../attempts/attempt-record.ts";
import type { ValidationError } from "../validation-error.ts";
import { formatAttempts } from "./attempt-lines.ts";
import { isOutOfRange, readLengthBreach } from "./derive-message.ts";
import { clip, oneLine } from "./one-line.ts";
import { readPreviewType } from "./value-preview.ts";

const MAX_NAME = 64;
const MAX_PLACE = 40;
const MAX_SUMMARY = 80;

/** Tells a person how a tool's attempts failed. */
export function formatEscalationSummary(
  toolName: string,
  history: readonly AttemptRecord[],
  attempts: number,
): string {
  const count = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return [
    `Tool '${oneLine(toolName, MAX_NAME)}' validation failed after ${count}.`,
    formatAttempts(history).join("\n"),
    "The model was unable to provide valid arguments. Please intervene or provide guidance.",
  ]
    .filter((section) => section !== "")
    .join("\n\n");
}

/** Says in a few words and without any argument value what was wrong: `Missing required field 'path'`. */
export function summarizeError(error: ValidationError): string {
  const place = toPlace(error.fieldPath);
  switch (error.errorCode) {
    case "VAL-001":
      return `Missing required field ${place}`;
    case "VAL-002":
      return `Type mismatch on ${place}${note("got", readPreviewType(error.actualValue))}`;
    case "VAL-003":
      return `${isOutOfRange(error) ? "Value out of range" : "Constraint violated"} for ${place}`;
    case "VAL-004":
      return "Invalid JSON";
    case "VAL-005":
      return `Unknown field ${place}`;
    case "VAL-006":
      return summarizeLength(error, "Array", place);
    case "VAL-007":
      return `Pattern mismatch on ${place}`;
    case "VAL-008":
      return `Invalid enum value for ${place}`;
    case "VAL-009":
      return summarizeLength(error, "String", place);
    case "VAL-010":
      return `Invalid format for ${place}`;
    case "VAL-011":
      return "Arguments cut off";
    case "VAL-012":
      return oneLine(error.message, MAX_SUMMARY);
    case "VAL-013":
      return `No variant matches ${place}`;
    case "VAL-014":
      return `Conflicting fields at ${place}`;
    case "VAL-015":
      return `Duplicate items in ${place}`;
    case "VAL-016":
    default:
      // A host in JavaScript may pass on more than the type allows.
      return `Rule failed for ${place}`;
  }
}

function summarizeLength(error: ValidationError, what: "Array" | "String", place: string): string {
  const breach = readLengthBreach(error);
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
