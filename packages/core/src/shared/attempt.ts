import type { ErrorCode, ValidationError } from "@toolcontract/explain";

/** One error as an attempt's record keeps it: its code, its place and a short summary, but no values. */
export interface AttemptSummary extends Pick<ValidationError, "errorCode" | "fieldPath"> {
  /** What was wrong, on one line and without values. */
  readonly summary: string;
}

/** One failed attempt of a tool in a conversation, small enough to keep. */
export interface AttemptRecord {
  /** The attempt's number, from 1. */
  readonly attempt: number;
  /** A hash of the arguments, to recognise a repeated call without keeping them. */
  readonly argumentsHash: string;
  /** The hashes of further calls that were rejected in the same model turn. */
  readonly siblingHashes?: readonly string[];
  /** What was wrong; only the first errors are kept. */
  readonly errors: readonly AttemptSummary[];
  /** How many errors the attempt had, if more than are kept. */
  readonly totalErrors?: number;
  /** How many attempts this record stands for, if middle ones were collapsed into one. */
  readonly collapsed?: number;
}

/** A number of errors for each code. */
export type CodeCounts = Readonly<Partial<Record<ErrorCode, number>>>;
