import { readCount, readEntries, readLength, readLine, readMember } from "./read-foreign.ts";

const MAX_LINES = 100;
const MAX_SUMMARIES = 3;
const MAX_SUMMARY = 80;
const LINE = /^Attempts? (\d{1,6})(?: to (\d{1,6}))?: (.+)$/;

/** What one line says of an earlier attempt, or of several that were collapsed into one. */
export interface AttemptSummary {
  readonly attempt: number;
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
