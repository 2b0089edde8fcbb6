import type { MessageStyle } from "./format-options.ts";
import { readCount, readEntries, readLength, readLine, readMember } from "../sanitize/index.ts";

const COUNT = "(0|[1-9]\\d{0,5})";
const HEADER = new RegExp(
  `^Validation failed for tool '(.{1,64})' \\((attempt|blocked after) ${COUNT}/${COUNT}\\):$`,
);
const MORE = new RegExp(`^\\.\\.\\. and (at least )?${COUNT} more errors?$`);
const REPEAT = new RegExp(`^These are the same arguments as in attempt ${COUNT}\\.$`);

/** The line that begins the errors in the standard style. */
export const ERRORS_HEADING = "Errors:";
/** The line that begins the advisories of a rejection. */
export const ADVISORIES_HEADING = "Advisories:";
/** The line that begins the guidance of a tool's own formatter. */
export const GUIDANCE_HEADING = "Guidance:";

/** What the first line of a message says. */
export interface Header {
  readonly toolName: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  /** True for a later call of a tool whose attempts were already spent. */
  readonly settled: boolean;
}

/** What the line about errors that are not shown says. */
interface HiddenErrors {
  readonly hiddenErrors: number;
  /** True where the number is a lower bound. */
  readonly atLeast: boolean;
}

/** What a message asks for at its end: another call, a listed tool, a shorter call, or none of this tool. */
export type Closing = "again" | "listed" | "shorter" | "stop" | "stop-listed";

/** Writes the summary line, always the first one. */
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

/** Tells whether a message with this ending allows no other attempt. */
export function isStop(closing: Closing | undefined): boolean {
  return closing === "stop" || closing === "stop-listed";
}

/** Reads a last line. */
export function parseClosing(
  line: string,
  style: MessageStyle,
  toolName: string,
): Closing | undefined {
  const closings: readonly Closing[] = ["again", "listed", "shorter", "stop", "stop-listed"];
  return closings.find((closing) => line === formatClosing(closing, style, toolName));
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

const MAX_LINES = 100;
const MAX_SUMMARIES = 3;
const MAX_SUMMARY = 80;
const LINE = /^Attempts? (\d{1,6})(?: to (\d{1,6}))?: (.+)$/;

/** What one line says of an earlier attempt, or of several that were collapsed into one. */
export interface AttemptSummary {
  /** The attempt's number, from 1. */
  readonly attempt: number;
  /** What was wrong with it. */
  readonly summary: string;
  /** How many attempts the line stands for, where it is more than one. */
  readonly collapsed?: number;
}

/** Writes one line for each of the latest records, without any argument value. */
export function formatAttempts(history: unknown): readonly string[] {
  const start = Math.max(0, readLength(history) - MAX_LINES);
  return readEntries(history, MAX_LINES, start).map(formatAttempt);
}

/** Reads one of these lines. */
export function parseAttempt(line: string): AttemptSummary | undefined {
  const [, first, last, summary] = LINE.exec(line) ?? [];
  if (summary === undefined) return undefined;
  const attempt = Number(first);
  if (last === undefined) return { attempt, summary };
  return { attempt, summary, collapsed: Number(last) - attempt + 1 };
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
