import type { AttemptRecord, Lane, Undone } from "../shared/index.ts";
import type { ValidationError } from "@toolcontract/explain";
import {
  type Bullet,
  clip,
  countErrors,
  mayNotBeKnown,
  oneLine,
  toBullets,
  withFactsOf,
} from "@toolcontract/explain/adapter";
import { type FormatOptions, LONGEST_MESSAGE } from "./format-options.ts";
import { type Closing, formatAttempts, formatClosing, formatHeader } from "./frame.ts";
import { fitBudget } from "./layout.ts";

/** A number in a message has at most six digits. */
const MAX_NUMBER = 999_999;
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** The content of a message about an invalid call. */
export interface RejectionContent {
  /**
   * The lane in which the failure is counted.
   *
   * @default "validation"
   */
  readonly lane?: Lane;
  readonly toolName: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** How many attempts the tool has. */
  readonly maxAttempts: number;
  /** Whether another attempt is allowed. */
  readonly status: "rejected" | "blocked";
  /** True for a later call of a tool whose attempts were already spent. */
  readonly settled?: boolean;
  readonly errors: readonly ValidationError[];
  /** The number of errors; `errors` may contain only the first ones. */
  readonly totalErrors: number;
  /** True if counting the errors stopped early. */
  readonly atLeast?: boolean;
  /** The text that the tool's formatter adds. */
  readonly guidance?: string | undefined;
  /** What was undone of a call that ran: `"all"`, or the names of the effects that could not be. */
  readonly undone?: Undone | undefined;
  /** The number of the earlier attempt that had the same arguments. */
  readonly repeats?: number | undefined;
  /** The attempts before this one; shown once no other attempt is allowed. */
  readonly earlier?: readonly AttemptRecord[];
  /** Warnings and remarks besides the errors. */
  readonly advisories?: readonly ValidationError[];
  /** True if no tool of this name is declared. */
  readonly unknownTool?: boolean;
  /** True if the tool exists and is not offered in this turn. */
  readonly isUnavailable?: boolean;
  /** True for the final answer, which is not a call of a tool. */
  readonly isAnswer?: boolean;
  /** True for a call of free text, which has no arguments. */
  readonly isText?: boolean;
  /** True if the arguments were too long for one output. */
  readonly tooLong?: boolean;
}

/** Writes the message that says what was wrong with a call and how to correct it, in at most `maxLength` units. */
export function formatRejection(content: RejectionContent, options: FormatOptions): string {
  const limits = { ...options, maxLength: Math.min(options.maxLength, LONGEST_MESSAGE) };
  const { lane = "validation", toolName, attempt, maxAttempts, repeats } = content;
  const { guidance, undone, advisories = [] } = content;
  const isBlocked = content.status === "blocked";
  const errors = boundedBullets(content.errors, Math.max(1, limits.maxErrors), limits);
  const draft = {
    style: limits.style,
    header: formatHeader({
      lane,
      toolName,
      ...(content.isAnswer === true && { isAnswer: true }),
      attempt: Math.min(attempt, MAX_NUMBER),
      maxAttempts: Math.min(maxAttempts, MAX_NUMBER),
      settled: isBlocked && content.settled === true,
    }),
    errors,
    hiddenErrors:
      Math.min(Math.max(content.totalErrors, content.errors.length), MAX_NUMBER) -
      countErrors(errors),
    atLeast: content.atLeast === true,
    advisories: boundedBullets(advisories, limits.maxErrors - errors.length, limits),
    guidance: guidance === undefined ? [] : toLines(guidance, limits.maxLength),
    undone,
    lane,
    // A tool's own failure may be gone once other calls have changed its world.
    repeats:
      repeats === undefined || lane === "outcome" ? undefined : Math.min(repeats, MAX_NUMBER),
    earlier: isBlocked ? formatAttempts(content.earlier) : [],
    closing: formatClosing(chooseClosing(content, isBlocked), limits.style, toolName),
  };
  return fitBudget(draft, limits);
}

/** Writes the note that follows the result of a call that ran; empty if there is nothing to say. */
export function formatAdvisories(
  advisories: readonly ValidationError[],
  options: FormatOptions,
): string {
  if (advisories.length === 0) return "";
  const draft = {
    style: options.style,
    errors: [],
    hiddenErrors: 0,
    atLeast: false,
    advisories: boundedBullets(advisories, options.maxErrors, options),
    guidance: [],
    earlier: [],
  };
  return fitBudget(draft, options);
}

/** What is expected where nothing is offered, in the explainer's words. */
const NO_TOOLS = "no tool at all";

function chooseClosing(
  { errors, unknownTool, isUnavailable, tooLong, isText, isAnswer }: RejectionContent,
  isBlocked: boolean,
): Closing {
  if (isAnswer === true) {
    if (isBlocked) return "stop-answer";
    return tooLong === true ? "answer-shorter" : "answer-again";
  }
  if (isBlocked && isUnavailable === true) return "stop-until-offered";
  if (isBlocked) return unknownTool === true ? "stop-listed" : "stop";
  if (unknownTool === true) {
    if (errors.some(({ hint }) => hint !== undefined)) return "listed";
    const isAlone = errors.some(({ expectedValue }) => expectedValue === NO_TOOLS);
    return isAlone ? "none" : "listed-or-none";
  }
  if (tooLong === true) return "shorter";
  if (isText === true) return "again-text";
  return errors.some(mayNotBeKnown) ? "again-or-ask" : "again";
}

/** Puts errors into at most `max` bullets. */
function boundedBullets(
  errors: readonly ValidationError[],
  max: number,
  options: FormatOptions,
): readonly Bullet[] {
  return toBullets(errors)
    .slice(0, Math.max(0, max))
    .map(({ error, places }) => ({ error: boundedError(error, options), places }));
}

/** Cuts a message or value that would fill the whole text. */
function boundedError(error: ValidationError, options: FormatOptions): ValidationError {
  const maxActual = 2 * options.maxValuePreview + 100;
  const { message, actualValue } = error;
  if (message.length <= options.maxLength && (actualValue?.length ?? 0) <= maxActual) return error;
  return withFactsOf(error, {
    ...error,
    message: clip(message, options.maxLength),
    ...(actualValue !== undefined && { actualValue: clip(actualValue, maxActual) }),
  });
}

// The layout indents these lines, so that none of them can begin a bullet or a header.
function toLines(guidance: string, max: number): readonly string[] {
  const lines = guidance.slice(0, max).split(LINE_BREAK);
  return lines.map((line) => oneLine(line.trimEnd(), max)).filter((line) => line.trim() !== "");
}
