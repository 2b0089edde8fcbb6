import {
  readCount,
  readEntries,
  readMember,
  isRecord,
  looksLikeErrorCode,
} from "@toolcontract/explain/adapter";
import { type AttemptSummary, LANES, type Lane, type TypedOutcome } from "../shared/index.ts";
import { shortenAttemptErrors } from "./history.ts";

const MAX_ERRORS_READ = 100;
const MAX_OUTCOME = 4_000;
const STATUSES = ["executed", "rejected", "blocked", "skipped"] as const;

/**
 * The outcome of a tool call: it ran, it was rejected, the tool's attempts were already spent, or it was skipped:
 * a call too many in one turn is not an attempt.
 */
export type ResultStatus = (typeof STATUSES)[number];

/** Data that a host stores with a tool result (artifact, `_meta`) so that attempts can be counted from its history. */
export interface ResultMarker {
  /** The version of the message format. */
  readonly formatVersion: string;
  readonly status: ResultStatus;
  /** True if the call ran and its tool failed: no attempt, and no success in the lanes of a stage. */
  readonly failed?: true;
  /** Recognises repeated arguments. */
  readonly argumentsHash?: string;
  /** What was wrong with the call; only the first errors are kept. */
  readonly errors?: readonly AttemptSummary[];
  /** How many errors the call had, if more than are kept. */
  readonly totalErrors?: number;
  /** The lane in which the failure counts; validation if there is none. */
  readonly lane?: Lane;
  /** How the sequence of attempts ended, if its lane ends in a typed outcome. */
  readonly outcome?: TypedOutcome;
}

/**
 * Reads a marker from untrusted data; undefined if it is not one.
 *
 * @remarks A client can forge the history it holds, so treat counts from it as advice.
 * @example
 * ```ts
 * const marker = readResultMarker(message.metadata);
 * if (marker?.status === "rejected") console.log(marker.errors);
 * ```
 * @see docs/attempts-and-escalation.md
 */
export function readResultMarker(value: unknown): ResultMarker | undefined {
  const formatVersion = readMember(value, "formatVersion");
  const status = STATUSES.find((known) => known === readMember(value, "status"));
  if (typeof formatVersion !== "string" || status === undefined) return undefined;
  const argumentsHash = readMember(value, "argumentsHash");
  const errors = readMember(value, "errors");
  const lane = LANES.find((known) => known === readMember(value, "lane"));
  const totalErrors = readCount(readMember(value, "totalErrors"), 0);
  const outcome = readOutcome(readMember(value, "outcome"));
  return {
    formatVersion,
    status,
    ...(readMember(value, "failed") === true && { failed: true }),
    ...(typeof argumentsHash === "string" && { argumentsHash }),
    ...(errors !== undefined && { errors: readAttemptErrors(errors) }),
    ...(totalErrors > 0 && { totalErrors }),
    ...(lane !== undefined && { lane }),
    ...(outcome && { outcome }),
  };
}

/** Reads the errors of an attempt from untrusted data, within the limits of a record. */
export function readAttemptErrors(list: unknown): readonly AttemptSummary[] {
  return shortenAttemptErrors(
    readEntries(list, MAX_ERRORS_READ).flatMap((entry) => {
      const [errorCode, fieldPath, summary] = ["errorCode", "fieldPath", "summary"].map((name) =>
        readMember(entry, name),
      );
      if (typeof errorCode !== "string" || !looksLikeErrorCode(errorCode)) return [];
      if (typeof fieldPath !== "string" || typeof summary !== "string") return [];
      return [{ errorCode, fieldPath, summary }];
    }),
  );
}

/** Reads a typed outcome from untrusted data; undefined if it is not one, or too large to be one. */
export function readOutcome(value: unknown): TypedOutcome | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined || text.length > MAX_OUTCOME) return undefined;
    const copy: unknown = JSON.parse(text);
    if (!isRecord(copy) || !isRecord(copy["metadata"])) return undefined;
    const { error_type, error_message, retriable, metadata } = copy;
    if (typeof error_type !== "string" || typeof error_message !== "string") return undefined;
    return { status: "error", error_type, error_message, retriable: retriable === true, metadata };
  } catch {
    return undefined;
  }
}
