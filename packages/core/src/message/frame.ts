import type { MessageStyle } from "./format-options.ts";
import { readCount, readEntries, readLength, readLine, readMember } from "../sanitize/index.ts";

const COUNT = "(0|[1-9]\\d{0,5})";
const HEADER = new RegExp(
  `^Validation failed for tool '(.{1,64})' \\((attempt|blocked after) ${COUNT}/${COUNT}\\):$`,
);
const MORE = new RegExp(`^\\.\\.\\. and (at least )?${COUNT} more errors?$`);
const REPEAT = new RegExp(`^These are the same arguments as in attempt ${COUNT}\\.$`);
const ATTEMPT = /^Attempts? (\d{1,6})(?: to (\d{1,6}))?: (.+)$/;

const MAX_ATTEMPTS = 100;
const MAX_SUMMARIES = 3;
const MAX_SUMMARY = 80;

const CLOSINGS: readonly Closing[] = ["again", "listed", "shorter", "stop", "stop-listed"];

/** The heading of the errors in the standard style. */
export const ERRORS_HEADING = "Errors:";
/** The heading of the advisories in a rejection. */
export const ADVISORIES_HEADING = "Advisories:";
/** The heading of the guidance from a tool's formatter. */
export const GUIDANCE_HEADING = "Guidance:";

/** The content of a message's first line. */
export interface Header {
  readonly toolName: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  /** True for a later call of a tool whose attempts were already spent. */
  readonly settled: boolean;
}

/** The content of the line about errors that are not shown. */
interface HiddenErrors {
  readonly hiddenErrors: number;
  /** True if the number is a lower bound. */
  readonly atLeast: boolean;
}

/** One line about an earlier attempt, or about several that were collapsed into one. */
export interface AttemptSummary {
  /** The attempt's number, from 1. */
  readonly attempt: number;
  /** What was wrong. */
  readonly summary: string;
  /** How many attempts the line stands for, if more than one. */
  readonly collapsed?: number;
}

/** What a message asks for at its end: another call, a listed tool, a shorter call, or none of this tool. */
export type Closing = "again" | "listed" | "shorter" | "stop" | "stop-listed";

/** Writes the summary line, which is always the first one. */
export function formatHeader({ toolName, attempt, maxAttempts, settled }: Header): string {
  const state = settled ? "blocked after" : "attempt";
  return `Validation failed for tool '${toolName}' (${state} ${attempt}/${maxAttempts}):`;
}

/** Reads a summary line. */
export function parseHeader(line: string): Header | undefined {
  const [, toolName, state, attempt, maxAttempts] = HEADER.exec(line) ?? [];
  if (toolName === undefined) return undefined;
  return {
    toolName,
    attempt: Number(attempt),
    maxAttempts: Number(maxAttempts),
    settled: state !== "attempt",
  };
}

/** Writes the last line, which says what to do next. */
export function formatClosing(closing: Closing, style: MessageStyle, toolName: string): string {
  switch (closing) {
    case "again":
      return style === "standard"
        ? `Correct these and call '${toolName}' again with all arguments.`
        : "Fix these and call again with all arguments.";
    case "listed":
      return "Call one of the listed tools instead.";
    case "shorter":
      return "Send the whole call again, shorter.";
    case "stop":
      return `Do not call '${toolName}' again for this request: tell the user what is missing, or continue without it.`;
    case "stop-listed":
      return `Do not call '${toolName}' again: call one of the listed tools, or continue without it.`;
  }
}

/** Reads a last line. */
export function parseClosing(
  line: string,
  style: MessageStyle,
  toolName: string,
): Closing | undefined {
  return CLOSINGS.find((closing) => line === formatClosing(closing, style, toolName));
}

/** Whether a message with this ending allows no other attempt. */
export function isStop(closing: Closing | undefined): boolean {
  return closing === "stop" || closing === "stop-listed";
}

/** Writes how many errors are not shown. */
export function formatMore(count: number, atLeast: boolean): string {
  return `... and ${atLeast ? "at least " : ""}${count} more ${count === 1 ? "error" : "errors"}`;
}

/** Reads how many errors are not shown. */
export function parseMore(line: string): HiddenErrors | undefined {
  const [found, atLeast, count] = MORE.exec(line) ?? [];
  return found === undefined
    ? undefined
    : { hiddenErrors: Number(count), atLeast: atLeast !== undefined };
}

/** Writes that a call repeats an earlier one. */
export function formatRepeat(attempt: number): string {
  return `These are the same arguments as in attempt ${attempt}.`;
}

/** Reads which attempt a call repeats. */
export function parseRepeat(line: string): number | undefined {
  const attempt = REPEAT.exec(line)?.[1];
  return attempt === undefined ? undefined : Number(attempt);
}

/** Writes a line for each of the latest attempts, without any argument value. */
export function formatAttempts(history: unknown): readonly string[] {
  const start = Math.max(0, readLength(history) - MAX_ATTEMPTS);
  return readEntries(history, MAX_ATTEMPTS, start).map(formatAttempt);
}

function formatAttempt(record: unknown, index: number): string {
  const attempt = readCount(readMember(record, "attempt"), index + 1);
  const collapsed = readCount(readMember(record, "collapsed"), 1);
  if (collapsed > 1) {
    const last = readCount(attempt + collapsed - 1, attempt);
    return `Attempts ${attempt} to ${last}: ${collapsed} more, details not kept`;
  }
  const errors = readMember(record, "errors");
  const summaries = readEntries(errors, MAX_SUMMARIES).flatMap(
    (error) => readLine(readMember(error, "summary"), MAX_SUMMARY) ?? [],
  );
  const others = readLength(errors) - MAX_SUMMARIES;
  if (others > 0) summaries.push(`and ${others} more`);
  return `Attempt ${attempt}: ${summaries.join("; ") || "details not kept"}`;
}

/** Reads one such line. */
export function parseAttempt(line: string): AttemptSummary | undefined {
  const [, first, last, summary] = ATTEMPT.exec(line) ?? [];
  if (summary === undefined) return undefined;
  const attempt = Number(first);
  if (last === undefined) return { attempt, summary };
  return { attempt, summary, collapsed: Number(last) - attempt + 1 };
}
