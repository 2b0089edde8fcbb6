import type { Lane, Undone } from "../shared/index.ts";
import type { ValidationError, MessageStyle } from "@toolcontract/explain";
import {
  parseMore,
  COMPACT_BULLET,
  STANDARD_BULLET,
  parseCompactBullet,
  parseStandardBullet,
} from "@toolcontract/explain/adapter";
import {
  ADVISORIES_HEADING,
  type AttemptLine,
  ERRORS_HEADING,
  GUIDANCE_HEADING,
  type MessageHeader,
  isStop,
  parseAttempt,
  parseClosing,
  parseHeader,
  parseRepeat,
  parseUndone,
} from "./frame.ts";
import { LONGEST_MESSAGE } from "./format-options.ts";

/** A short range may cover many paths; no message names more. */
const MAX_ERRORS = 100_000;

/** The content of a message, as data. */
export interface ParsedRejection {
  /** What the failure is counted under. */
  readonly lane: Lane;
  /** The tool's name; `answer` for the final answer. */
  readonly toolName: string;
  /** Set if the message is about the final answer, and not about a call of a tool of that name. */
  readonly isAnswer?: true;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** How many attempts the tool has. */
  readonly maxAttempts: number;
  /** `"blocked"` if the message tells the model to stop. */
  readonly status: "rejected" | "blocked";
  /** True for a later call of a tool whose attempts were already spent. */
  readonly settled: boolean;
  readonly style: MessageStyle;
  readonly errors: readonly ValidationError[];
  /** How many errors the message counts but does not show. */
  readonly hiddenErrors: number;
  /** True if that number is a lower bound. */
  readonly atLeast: boolean;
  /** The paragraph that a formatter added. */
  readonly guidance?: string;
  /** What was undone of a call that ran: `"all"`, or the names of the effects that could not be. */
  readonly undone?: Undone;
  /** The earlier attempt that had the same arguments. */
  readonly repeats?: number;
  /** The earlier attempts that the message lists. */
  readonly earlier: readonly AttemptLine[];
  /** Warnings and notes. */
  readonly advisories: readonly ValidationError[];
}

/** The closing section of a message. */
type Ending = Pick<ParsedRejection, "guidance" | "undone" | "repeats" | "earlier" | "status">;

/** Reads a string line by line, each line once. */
interface LineReader {
  /** Takes the next line if it is exactly this one. */
  skip(line: string): boolean;
  /** Takes the next line if `parse` understands it. */
  read<T>(parse: (line: string) => T | undefined): T | undefined;
  /** Takes the next line if it starts with a mark, without the mark, and the indented lines under it. */
  block(mark: string): readonly string[];
  /** Takes the next lines that are indented by two spaces or more. */
  indented(): readonly string[];
  /** Whether every line was taken. */
  isAtEnd(): boolean;
}

/**
 * Parses a message of either style; undefined if the whole string is not one.
 *
 * @remarks Never throws, and takes linear time on any value. A string that only contains a message is not one.
 * @example
 * ```ts
 * const rejection = parseRejection(result.content);
 * console.log(rejection?.toolName, rejection?.attempt, rejection?.errors.length);
 * ```
 * @see docs/message-format.md
 */
export function parseRejection(text: unknown): ParsedRejection | undefined {
  if (typeof text !== "string" || text.length > LONGEST_MESSAGE) return undefined;
  const reader = readLines(text.trim());
  const header = reader.read(parseHeader);
  if (header === undefined) return undefined;
  const style = reader.skip("") ? "standard" : "compact";
  if (style === "standard" && !reader.skip(ERRORS_HEADING)) return undefined;
  const errors = readBullets(reader, style);
  const hidden = reader.read(parseMore) ?? { hiddenErrors: 0, atLeast: false };
  const advisories = reader.skip(ADVISORIES_HEADING) ? readBullets(reader, style) : [];
  if (errors === undefined || advisories === undefined) return undefined;
  if (style === "standard" && !reader.skip("")) return undefined;
  const ending = readEnding(reader, style, header);
  return ending && { ...header, style, errors, ...hidden, advisories, ...ending };
}

function readLines(text: string): LineReader {
  const lines = text.split("\n");
  let position = 0;
  const indented = (): readonly string[] => {
    const start = position;
    while (lines[position]?.startsWith("  ") === true) position += 1;
    return lines.slice(start, position);
  };
  return {
    skip(line) {
      if (lines[position] !== line) return false;
      position += 1;
      return true;
    },
    read(parse) {
      const line = lines[position];
      const result = line === undefined ? undefined : parse(line);
      if (result !== undefined) position += 1;
      return result;
    },
    block(mark) {
      const line = lines[position];
      if (line?.startsWith(mark) !== true) return [];
      position += 1;
      return [line.slice(mark.length), ...indented()];
    },
    indented,
    isAtEnd: () => position === lines.length,
  };
}

function readBullets(
  reader: LineReader,
  style: MessageStyle,
): readonly ValidationError[] | undefined {
  const isStandard = style === "standard";
  const mark = isStandard ? STANDARD_BULLET : COMPACT_BULLET;
  const errors: ValidationError[] = [];
  for (let lines = reader.block(mark); lines.length > 0; lines = reader.block(mark)) {
    const found = isStandard ? parseStandardBullet(lines) : parseCompactBullet(lines);
    if (found === undefined || errors.length + found.length > MAX_ERRORS) return undefined;
    for (const error of found) errors.push(error);
  }
  return errors.length > 0 ? errors : undefined;
}

function readEnding(
  reader: LineReader,
  style: MessageStyle,
  header: MessageHeader,
): Ending | undefined {
  const hasGuidance = reader.skip(GUIDANCE_HEADING);
  const guidance = hasGuidance ? reader.indented() : [];
  const undone = reader.read(parseUndone);
  const repeats = reader.read(parseRepeat);
  const earlier = readAttempts(reader);
  const closing = reader.read((line) => parseClosing(line, style, header.toolName));
  const isBlocked = isStop(closing);
  if (closing === undefined || !reader.isAtEnd() || hasGuidance !== guidance.length > 0)
    return undefined;
  if (!isBlocked && (header.settled || earlier.length > 0)) return undefined;
  return {
    status: isBlocked ? "blocked" : "rejected",
    earlier,
    ...(hasGuidance && { guidance: guidance.map((line) => line.slice(2)).join("\n") }),
    ...(undone !== undefined && { undone }),
    ...(repeats !== undefined && { repeats }),
  };
}

function readAttempts(reader: LineReader): readonly AttemptLine[] {
  const attempts: AttemptLine[] = [];
  for (let next = reader.read(parseAttempt); next; next = reader.read(parseAttempt)) {
    attempts.push(next);
  }
  return attempts;
}
