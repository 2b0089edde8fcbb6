import { SEND_SHORTER } from "../arguments/index.ts";
import {
  type AttemptRecord,
  ERROR_CODES,
  SEVERITIES,
  type ValidationError,
  isErrorCode,
} from "../shared/index.ts";
import { type Closing, formatAttempts, formatClosing, formatHeader } from "./frame.ts";
import { fitBudget } from "./layout.ts";
import { type FormatOptions, LONGEST_MESSAGE } from "./format-options.ts";
import {
  oneLine,
  readCount,
  readEntries,
  readLength,
  readLine,
  readMember,
} from "../sanitize/index.ts";
import { deriveMessage } from "./derive-message.ts";

const MAX_NAME = 64;
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** What a message about an invalid call tells the model. */
export interface RejectionContent {
  readonly toolName: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Whether another attempt is allowed. */
  readonly status: "rejected" | "blocked";
  /** True for a later call of a tool whose attempts were already spent. */
  readonly settled?: boolean;
  readonly errors: readonly ValidationError[];
  /** How many errors there are, where `errors` holds only the first ones. */
  readonly totalErrors: number;
  /** True where counting the errors was broken off. */
  readonly atLeast?: boolean;
  /** What the tool's own formatter adds. */
  readonly guidance?: string;
  /** The number of the earlier attempt that had the same arguments. */
  readonly repeats?: number;
  /** The attempts before this one; shown once no other attempt is allowed. */
  readonly earlier?: readonly AttemptRecord[];
  readonly advisories?: readonly ValidationError[];
  /** True where no tool of this name is declared. */
  readonly unknownTool?: boolean;
}

/**
 * Writes the message that tells the model what was wrong with its call and how to correct it.
 *
 * @remarks Never throws on anything in the content, and never gets longer than `maxLength`.
 */
export function formatRejection(content: RejectionContent, options: FormatOptions): string {
  const limits = { ...options, maxLength: Math.min(options.maxLength, LONGEST_MESSAGE) };
  const shown = readEntries(readMember(content, "errors"), Math.max(1, limits.maxErrors));
  // A rejection without a readable error still says that something was wrong.
  const errors = (shown.length === 0 ? [undefined] : shown).map((error) =>
    toDisplayedError(error, limits),
  );
  const advisories = readEntries(
    readMember(content, "advisories"),
    limits.maxErrors - errors.length,
  );
  const toolName = readToolName(content);
  const isBlocked = readMember(content, "status") === "blocked";
  const repeats = readCount(readMember(content, "repeats"), 0);
  const draft = {
    style: limits.style,
    header: formatHeader({
      toolName,
      attempt: readCount(readMember(content, "attempt"), 1),
      maxAttempts: readCount(readMember(content, "maxAttempts"), 1),
      settled: isBlocked && readMember(content, "settled") === true,
    }),
    errors,
    hiddenErrors: readTotal(content) - errors.length,
    atLeast: readMember(content, "atLeast") === true,
    advisories: advisories.map((advisory) => toDisplayedError(advisory, limits)),
    guidance: toGuidance(readMember(content, "guidance"), limits.maxLength),
    ...(repeats > 0 && { repeats }),
    earlier: isBlocked ? formatAttempts(readMember(content, "earlier")) : [],
    closing: formatClosing(chooseClosing(content, isBlocked, errors), limits.style, toolName),
  };
  return fitBudget(draft, limits);
}

function readTotal(content: RejectionContent): number {
  const counted = readLength(readMember(content, "errors"));
  return Math.max(readCount(readMember(content, "totalErrors"), counted), readCount(counted, 0));
}

function readToolName(content: RejectionContent): string {
  return readLine(readMember(content, "toolName"), MAX_NAME) ?? "(unknown)";
}

function chooseClosing(
  content: RejectionContent,
  isBlocked: boolean,
  errors: readonly ValidationError[],
): Closing {
  const has = (code: string): boolean => errors.some((error) => error.errorCode === code);
  const isUnknown = readMember(content, "unknownTool") === true || has("VAL-012");
  if (isBlocked) return isUnknown ? "stop-listed" : "stop";
  if (isUnknown) return "listed";
  const isTooLong = errors.some(
    (error) => error.errorCode === "VAL-011" && error.hint === SEND_SHORTER,
  );
  return isTooLong ? "shorter" : "again";
}

// Indented where it is laid out, so that no line of it can begin a bullet or a header.
function toGuidance(guidance: unknown, max: number): readonly string[] {
  if (typeof guidance !== "string") return [];
  const lines = guidance.slice(0, max).split(LINE_BREAK);
  return lines.map((line) => oneLine(line.trimEnd(), max)).filter((line) => line.trim() !== "");
}

/** Writes the note that follows the result of a call that ran; empty where there is nothing to say. */
export function formatAdvisories(
  advisories: readonly ValidationError[],
  options: FormatOptions,
): string {
  const shown = readEntries(advisories, options.maxErrors);
  if (shown.length === 0) return "";
  const draft = {
    style: options.style,
    errors: [],
    hiddenErrors: 0,
    atLeast: false,
    advisories: shown.map((advisory) => toDisplayedError(advisory, options)),
    guidance: [],
    earlier: [],
  };
  return fitBudget(draft, options);
}

const MAX_POINTER = 240;
const MAX_VARIANT = 120;

/**
 * Makes of anything the error that a message displays: every member of its type and on one line.
 *
 * Never throws: what cannot be read is left out, and an unreadable error is a failed rule.
 */
export function toDisplayedError(error: unknown, options: FormatOptions): ValidationError {
  const code = readMember(error, "errorCode");
  const errorCode = typeof code === "string" && isErrorCode(code) ? code : "VAL-016";
  const severity = readMember(error, "severity");
  const read = (name: keyof ValidationError, max: number): string | undefined =>
    readLine(readMember(error, name), max);
  // Long enough to count the values of a list that is shortened to fit.
  const expectedValue = read("expectedValue", 4 * options.maxLength);
  // A sanitised preview is shorter; one that was not must not fill the message.
  const actualValue = read("actualValue", 2 * options.maxValuePreview + 100);
  const hint = read("hint", options.maxLength);
  const variant = read("variant", MAX_VARIANT);
  const fieldPath = toPointer(readMember(error, "fieldPath"));
  return {
    errorCode,
    fieldPath,
    message:
      read("message", options.maxLength) ??
      deriveMessage({ errorCode, fieldPath, expectedValue, actualValue }) ??
      ERROR_CODES[errorCode],
    severity: SEVERITIES.find((known) => known === severity) ?? "error",
    ...(expectedValue !== undefined && { expectedValue }),
    ...(actualValue !== undefined && { actualValue }),
    ...(hint !== undefined && { hint }),
    ...(variant !== undefined && { variant }),
  };
}

// A key that imitates the end of a bullet's head must not move that end.
function toPointer(value: unknown): string {
  if (typeof value !== "string" || value === "") return "";
  const pointer = oneLine(value.startsWith("/") ? value : `/${value}`, MAX_POINTER);
  return pointer.replaceAll(" (VAL-", " \\u0028VAL-");
}
