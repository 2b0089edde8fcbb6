import { LANES, type Lane, type Undone } from "../shared/index.ts";
import type { MessageStyle, ValidationError } from "@toolcontract/explain";
import {
  oneLine,
  readCount,
  readEntries,
  readLength,
  readLine,
  readMember,
} from "@toolcontract/explain/adapter";

const COUNT = "(0|[1-9]\\d{0,5})";
const LANE_WORDS: Readonly<Record<Lane, string>> = {
  generation: "Generation",
  validation: "Validation",
  guardrail: "Guardrail",
  outcome: "Outcome",
};
const HEADER = new RegExp(
  `^(${Object.values(LANE_WORDS).join("|")}) failed for (?:tool '(.{1,64})'|the answer) \\((attempt|blocked after) ${COUNT}/${COUNT}\\):$`,
);
const ALL_UNDONE = "All its state changes were undone.";
const NOT_UNDONE = "Some effects could not be undone";
const UNDONE = /^Some effects could not be undone(?:: (.+))?\.$/;
const UNCHANGED = " They cannot succeed unchanged.";
const QUOTED = " If you sent them without quotes, your client adds these: tell the user.";
const ADVICE = `${UNCHANGED}(?:${QUOTED})?`.replaceAll(".", String.raw`\.`);
const REPEAT = new RegExp(
  String.raw`^These are the same arguments as in attempt ${COUNT}\.(?:${ADVICE})?$`,
);
const ATTEMPT = /^Attempts? (\d{1,6})(?: to (\d{1,6}))?: (.+)$/;

const MAX_ATTEMPTS = 100;
const MAX_SUMMARIES = 3;
const MAX_SUMMARY = 80;
const MAX_EFFECTS = 5;
const MAX_EFFECT = 64;

const CLOSINGS: readonly Closing[] = [
  "again",
  "again-or-ask",
  "again-text",
  "answer-again",
  "answer-shorter",
  "listed",
  "listed-or-none",
  "none",
  "shorter",
  "stop",
  "stop-answer",
  "stop-listed",
  "stop-until-offered",
];
const ASK = "If you do not know a value, ask the user.";

/** The heading of the errors in the standard style. */
export const ERRORS_HEADING = "Errors:";
/** The heading of the advisories in a rejection. */
export const ADVISORIES_HEADING = "Advisories:";
/** The heading of the guidance from a tool's formatter. */
export const GUIDANCE_HEADING = "Guidance:";

/** What messages, logs and events call the final answer; it is counted under a name that no tool has. */
export const ANSWER = "answer";

/** The content of a message's first line. */
export interface MessageHeader {
  /** The lane in which the failure is counted. */
  readonly lane: Lane;
  readonly toolName: string;
  /** Set if it is about the final answer, and not about a call of a tool of that name. */
  readonly isAnswer?: true;
  readonly attempt: number;
  readonly maxAttempts: number;
  /** True for a later call of a tool whose attempts were already spent. */
  readonly settled: boolean;
}

/** One line about an earlier attempt, or about several that were collapsed into one. */
export interface AttemptLine {
  /** The attempt's number, from 1. */
  readonly attempt: number;
  /** What was wrong. */
  readonly summary: string;
  /** How many attempts the line stands for, if more than one. */
  readonly collapsed?: number;
}

/**
 * What a message asks for at its end: another call, or one after asking the user, or one of free text; a listed tool, or perhaps none; a
 * shorter call; or no other call of this tool.
 */
export type Closing =
  | "again"
  | "again-or-ask"
  | "again-text"
  | "answer-again"
  | "answer-shorter"
  | "listed"
  | "listed-or-none"
  | "none"
  | "shorter"
  | "stop"
  | "stop-answer"
  | "stop-listed"
  /** No attempt is left for a tool that is offered at another time. */
  | "stop-until-offered";

/** Writes the summary line, which is always the first one. */
export function formatHeader({
  lane,
  toolName,
  isAnswer,
  attempt,
  maxAttempts,
  settled,
}: MessageHeader): string {
  const state = settled ? "blocked after" : "attempt";
  const subject = isAnswer === true ? "the answer" : `tool '${toolName}'`;
  return `${LANE_WORDS[lane]} failed for ${subject} (${state} ${attempt}/${maxAttempts}):`;
}

/** Reads a summary line. */
export function parseHeader(line: string): MessageHeader | undefined {
  const [, words, toolName, state, attempt, maxAttempts] = HEADER.exec(line) ?? [];
  const lane = LANES.find((name) => LANE_WORDS[name] === words);
  if (lane === undefined) return undefined;
  return {
    lane,
    toolName: toolName ?? ANSWER,
    ...(toolName === undefined && { isAnswer: true }),
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
    case "again-or-ask":
      return `${formatClosing("again", style, toolName)} ${ASK}`;
    case "again-text":
      return style === "standard"
        ? `Correct this and call '${toolName}' again with the whole text.`
        : "Fix this and call again with the whole text.";
    case "answer-again":
      return style === "standard"
        ? "Correct these and answer again with the whole JSON."
        : "Fix these and answer again with the whole JSON.";
    case "answer-shorter":
      return "Send the whole answer again, shorter.";
    case "listed":
      return "Call one of the listed tools instead.";
    case "listed-or-none":
      return "Call one of the listed tools, or answer without a tool.";
    case "none":
      return "Answer without a tool.";
    case "shorter":
      return "Send the whole call again, shorter.";
    case "stop":
      return `Do not call '${toolName}' again for this request: tell the user what is missing, or continue without it.`;
    case "stop-answer":
      return "Do not answer in this form again: say what is missing.";
    case "stop-listed":
      return `Do not call '${toolName}' again: call one of the listed tools, or continue without it.`;
    case "stop-until-offered":
      return `Do not call '${toolName}' again until it is offered: call one of the listed tools, or continue without it.`;
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
  return closing?.startsWith("stop") === true;
}

/** Writes what was undone; it must never claim more than that. */
export function formatUndone(undone: Undone): string {
  if (undone === "all") return ALL_UNDONE;
  const names = undone
    .slice(0, MAX_EFFECTS)
    .map((name) => oneLine(name, MAX_EFFECT).replaceAll(",", " ").trim())
    .filter((name) => name !== "");
  return names.length === 0 ? `${NOT_UNDONE}.` : `${NOT_UNDONE}: ${names.join(", ")}.`;
}

/** Reads what was undone. */
export function parseUndone(line: string): Undone | undefined {
  if (line === ALL_UNDONE) return "all";
  const found = UNDONE.exec(line);
  return found === null ? undefined : (found[1]?.split(", ") ?? []);
}

/** What the model reads of a call that waits for a person; it belongs to no lane. The reasons are ready to be shown. */
export function formatAsk(toolName: string, reasons: readonly string[]): string {
  const lines = reasons.map((why) => `\u2022 ${why}`).join("\n");
  return `Tool '${toolName}' has not run: a person must agree first.\n\n${lines}\n\nDo not call '${toolName}' with these arguments again until they have.`;
}

/** What the model reads of a call for which the host has not passed what it needs; it belongs to no lane. */
export function formatUnable(toolName: string, reasons: readonly string[]): string {
  const lines = reasons.map((why) => `\u2022 ${why}`).join("\n");
  return `Tool '${toolName}' has not run: it cannot be used now, whatever its arguments are.\n\n${lines}\n\nDo not call '${toolName}' again for this request: tell the user that it cannot be done now, or continue without it.`;
}

const SKIP = /^\(tool failed: too many tool calls in one turn; limit is \d{1,6}\)$/;

/** What the model reads instead of a result if its turn has too many calls; it belongs to no lane. */
export function formatSkipNote(limit: number): string {
  return `(tool failed: too many tool calls in one turn; limit is ${limit})`;
}

/** Whether a result is that note. */
export function isSkipNote(content: string): boolean {
  return SKIP.test(content.trim());
}

/**
 * Writes that a call repeats an earlier one; invalid arguments stay invalid, whatever else happens.
 *
 * @param isQuoted - Whether only quotes are too many somewhere: a client may add them, and a model cannot take them away.
 */
export function formatRepeat(attempt: number, lane: Lane, isQuoted: boolean): string {
  const advice = lane === "validation" ? UNCHANGED + (isQuoted ? QUOTED : "") : "";
  return `These are the same arguments as in attempt ${attempt}.${advice}`;
}

/** Whether an error asks for the same value without its quotes. */
export function isOnlyQuoted({ hint }: Pick<ValidationError, "hint">): boolean {
  return hint !== undefined && /^send \S+ without quotes$/.test(hint);
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
  const total = readCount(readMember(record, "totalErrors"), readLength(errors));
  const others = Math.max(total, readLength(errors)) - Math.min(MAX_SUMMARIES, readLength(errors));
  if (others > 0) summaries.push(`and ${others} more`);
  return `Attempt ${attempt}: ${summaries.join("; ") || "details not kept"}`;
}

/** Reads one such line. */
export function parseAttempt(line: string): AttemptLine | undefined {
  const [, first, last, summary] = ATTEMPT.exec(line) ?? [];
  if (summary === undefined) return undefined;
  const attempt = Number(first);
  if (last === undefined) return { attempt, summary };
  return { attempt, summary, collapsed: Number(last) - attempt + 1 };
}
