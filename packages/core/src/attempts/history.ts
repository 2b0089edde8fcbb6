import type { ValidationError } from "@toolcontract/explain";
import { factsOf, summarize, oneLine } from "@toolcontract/explain/adapter";
import type { AttemptSummary, AttemptRecord } from "../shared/index.ts";

const MAX_BYTES = 10_000;
// The first, the collapsed and the latest record are always kept, so three must fit.
const MAX_RECORD_BYTES = 3_000;
const MAX_SIBLINGS = 8;
const MAX_ERRORS_BYTES = MAX_RECORD_BYTES - 400;
// An error's JSON without its path and summary, and a UTF-16 code unit in JSON: `\u0007`.
const MAX_FRAME_BYTES = 64;
const MAX_BYTES_OF_UNIT = 6;
const MAX_HASH = 32;
const MAX_ERRORS = 5;
const MAX_SUMMARY = 120;
const MAX_POINTER = 120;

/**
 * Adds a failed attempt and keeps the history under 10 KB of UTF-8 JSON.
 *
 * A record with the number of the latest one is merged into it: parallel calls of one turn are one attempt. If the
 * history grows too long, the oldest records after the first collapse into one that only counts them.
 */
export function appendAttempt(
  history: readonly AttemptRecord[],
  record: AttemptRecord,
): readonly AttemptRecord[] {
  const latest = history.at(-1);
  let records =
    latest !== undefined && latest.attempt === record.attempt
      ? [...history.slice(0, -1), shorten(mergeRecords(latest, record))]
      : [...history, shorten(record)];
  while (records.length > 3 && sizeOfAll(records) > MAX_BYTES) {
    records = collapseOldestMiddle(records);
  }
  return records;
}

/** Returns the number of the earliest kept attempt with the same arguments, if any. */
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

/** Reduces errors to what an attempt's record keeps: code, place and a short summary. */
export function toAttemptErrors(errors: readonly ValidationError[]): readonly AttemptSummary[] {
  const blocking = errors.filter((error) => error.severity === "error").slice(0, MAX_ERRORS);
  return shortenAttemptErrors(
    blocking.map((error) => ({
      errorCode: error.errorCode,
      fieldPath: error.fieldPath,
      summary: summarize(error, factsOf(error)),
    })),
  );
}

/** Limits the errors of one attempt in number and length, and each string to one line. */
export function shortenAttemptErrors(errors: readonly AttemptSummary[]): readonly AttemptSummary[] {
  return errors.slice(0, MAX_ERRORS).map(({ errorCode, fieldPath, summary }) => ({
    errorCode,
    fieldPath: oneLine(fieldPath, MAX_POINTER),
    summary: oneLine(summary, MAX_SUMMARY),
  }));
}

function mergeRecords(latest: AttemptRecord, record: AttemptRecord): AttemptRecord {
  const hashes = new Set([
    ...(latest.siblingHashes ?? []),
    record.argumentsHash.slice(0, MAX_HASH),
  ]);
  hashes.delete(latest.argumentsHash);
  const isNew = (error: AttemptSummary): boolean =>
    !latest.errors.some(
      (known) => known.errorCode === error.errorCode && known.fieldPath === error.fieldPath,
    );
  const added = record.errors.filter(isNew);
  const hidden = Math.max(0, (record.totalErrors ?? 0) - record.errors.length);
  return {
    ...latest,
    errors: [...latest.errors, ...added],
    totalErrors: (latest.totalErrors ?? latest.errors.length) + added.length + hidden,
    ...(hashes.size > 0 && { siblingHashes: [...hashes].slice(0, MAX_SIBLINGS) }),
  };
}

function shorten(record: AttemptRecord): AttemptRecord {
  let errors = shortenAttemptErrors(record.errors);
  while (errors.length > 1 && areLarge(errors)) errors = errors.slice(0, -1);
  const { totalErrors = record.errors.length, ...rest } = record;
  return {
    ...rest,
    argumentsHash: record.argumentsHash.slice(0, MAX_HASH),
    errors,
    ...(totalErrors > errors.length && { totalErrors }),
  };
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

/** The size of each record that is in a history: a history is measured again for every attempt. */
const sizes = new WeakMap<AttemptRecord, number>();

/** The size of a history's JSON in UTF-8. */
function sizeOfAll(records: readonly AttemptRecord[]): number {
  const brackets = 2;
  const commas = records.length - 1;
  return records.reduce((total, record) => {
    const size = sizes.get(record) ?? bytesOfJson(record);
    sizes.set(record, size);
    return total + size;
  }, brackets + commas);
}

/** The size of a value's JSON in UTF-8. */
function bytesOfJson(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** Whether errors take too much of a history; most are so short that their JSON need not be written. */
function areLarge(errors: readonly AttemptSummary[]): boolean {
  const atMost = errors.reduce(
    (sum, { fieldPath, summary }) =>
      sum + MAX_FRAME_BYTES + MAX_BYTES_OF_UNIT * (fieldPath.length + summary.length),
    0,
  );
  return atMost > MAX_ERRORS_BYTES && bytesOfJson(errors) > MAX_ERRORS_BYTES;
}
