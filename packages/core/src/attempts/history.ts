import type { AttemptError, AttemptRecord, ValidationError } from "../shared/index.ts";
import { summarizeError } from "../message/index.ts";
import { oneLine } from "../sanitize/index.ts";

const MAX_BYTES = 10_000;
// The first, the collapsed and the latest record always stay, so three of them must fit together.
const MAX_RECORD_BYTES = 3_000;
const MAX_SIBLINGS = 8;
const MAX_HASH = 32;

/**
 * Adds a failed attempt and keeps the whole under 10 KB of UTF-8 JSON.
 *
 * A record with the latest one's number joins it: parallel calls of one turn are one attempt. Where room is
 * short, the oldest records between the first and the latest become one that only counts them.
 */
export function appendAttempt(
  history: readonly AttemptRecord[],
  record: AttemptRecord,
): readonly AttemptRecord[] {
  const latest = history.at(-1);
  let records =
    latest !== undefined && latest.attempt === record.attempt
      ? [...history.slice(0, -1), shorten(join(latest, record))]
      : [...history, shorten(record)];
  while (records.length > 3 && isOver(records, MAX_BYTES)) {
    records = collapseOldestMiddle(records);
  }
  return records;
}

/** The number of the earliest kept attempt that had the same arguments, if any. */
export function findRepeat(
  history: readonly AttemptRecord[],
  argumentsHash: string,
): number | undefined {
  if (argumentsHash === "") return undefined;
  return history.find(
    (record) =>
      record.argumentsHash === argumentsHash ||
      record.siblingHashes?.includes(argumentsHash) === true,
  )?.attempt;
}

function join(latest: AttemptRecord, record: AttemptRecord): AttemptRecord {
  const hashes = new Set([
    ...(latest.siblingHashes ?? []),
    record.argumentsHash.slice(0, MAX_HASH),
  ]);
  hashes.delete(latest.argumentsHash);
  const isNew = (error: AttemptError): boolean =>
    !latest.errors.some(
      (known) => known.errorCode === error.errorCode && known.fieldPath === error.fieldPath,
    );
  return {
    ...latest,
    errors: [...latest.errors, ...record.errors.filter(isNew)],
    ...(hashes.size > 0 && { siblingHashes: [...hashes].slice(0, MAX_SIBLINGS) }),
  };
}

function shorten(record: AttemptRecord): AttemptRecord {
  let errors = shortenAttemptErrors(record.errors);
  while (errors.length > 1 && isOver(errors, MAX_RECORD_BYTES - 400)) errors = errors.slice(0, -1);
  return { ...record, argumentsHash: record.argumentsHash.slice(0, MAX_HASH), errors };
}

function collapseOldestMiddle(records: readonly AttemptRecord[]): AttemptRecord[] {
  const [first, older, newer, ...rest] = records as readonly [
    AttemptRecord,
    AttemptRecord,
    AttemptRecord,
  ];
  const collapsed = (older.collapsed ?? 1) + (newer.collapsed ?? 1);
  return [first, { attempt: older.attempt, argumentsHash: "", errors: [], collapsed }, ...rest];
}

/** Tells whether a value takes more bytes as JSON in UTF-8, of which a UTF-16 unit takes three at most. */
function isOver(value: unknown, bytes: number): boolean {
  const text = JSON.stringify(value);
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}

const MAX_ERRORS = 5;
const MAX_SUMMARY = 120;
const MAX_POINTER = 120;

/** Keeps of a rejection's errors what an attempt's record may hold: where, which and a short summary. */
export function toAttemptErrors(errors: readonly ValidationError[]): readonly AttemptError[] {
  const blocking = errors.filter((error) => error.severity === "error").slice(0, MAX_ERRORS);
  return shortenAttemptErrors(
    blocking.map((error) => ({
      errorCode: error.errorCode,
      fieldPath: error.fieldPath,
      summary: summarizeError(error),
    })),
  );
}

/** Bounds the errors of one attempt in number and length, each text on one line. */
export function shortenAttemptErrors(errors: readonly AttemptError[]): readonly AttemptError[] {
  return errors.slice(0, MAX_ERRORS).map(({ errorCode, fieldPath, summary }) => ({
    errorCode,
    fieldPath: oneLine(fieldPath, MAX_POINTER),
    summary: oneLine(summary, MAX_SUMMARY),
  }));
}
