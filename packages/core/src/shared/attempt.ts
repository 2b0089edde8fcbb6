import type { ErrorCode } from "./validation-error.ts";

/** One error as an attempt's record keeps it: no values, only where, which and a short summary. */
export interface AttemptError {
  readonly errorCode: ErrorCode;
  readonly fieldPath: string;
  readonly summary: string;
}

/** One failed attempt of a tool in a conversation, small enough to keep. */
export interface AttemptRecord {
  /** Its number, from 1. */
  readonly attempt: number;
  /** A hash of the arguments, to recognise a repeated call without keeping them. */
  readonly argumentsHash: string;
  /** The hashes of further calls that were rejected in the same model turn. */
  readonly siblingHashes?: readonly string[];
  readonly errors: readonly AttemptError[];
  /** How many attempts this record stands for, where middle entries were collapsed into one. */
  readonly collapsed?: number;
}
