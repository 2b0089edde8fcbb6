import { readEntries, readMember } from "../sanitize/index.ts";
import { type AttemptError, isErrorCode } from "../shared/index.ts";
import { shortenAttemptErrors } from "./history.ts";

const MAX_ERRORS_READ = 100;
const STATUSES = ["executed", "rejected", "blocked"] as const;

/** The outcome of a tool call: it ran, it was rejected, or the tool's attempts were already spent. */
export type ResultStatus = (typeof STATUSES)[number];

/** Data that a host stores with a tool result (artifact, `_meta`) so that attempts can be counted from its history. */
export interface ResultMarker {
  /** The version of the message format. */
  readonly formatVersion: string;
  readonly status: ResultStatus;
  /** Recognises repeated arguments. */
  readonly argumentsHash?: string;
  readonly errors?: readonly AttemptError[];
}

/**
 * Reads a marker from untrusted data; undefined if it is not one.
 *
 * @remarks A client can forge the history it holds, so treat counts from it as advice.
 */
export function readResultMarker(value: unknown): ResultMarker | undefined {
  const formatVersion = readMember(value, "formatVersion");
  const status = STATUSES.find((known) => known === readMember(value, "status"));
  if (typeof formatVersion !== "string" || status === undefined) return undefined;
  const argumentsHash = readMember(value, "argumentsHash");
  const errors = readMember(value, "errors");
  return {
    formatVersion,
    status,
    ...(typeof argumentsHash === "string" && { argumentsHash }),
    ...(errors !== undefined && { errors: readErrors(errors) }),
  };
}

function readErrors(list: unknown): readonly AttemptError[] {
  return shortenAttemptErrors(
    readEntries(list, MAX_ERRORS_READ).flatMap((entry) => {
      const [errorCode, fieldPath, summary] = ["errorCode", "fieldPath", "summary"].map((name) =>
        readMember(entry, name),
      );
      if (typeof errorCode !== "string" || !isErrorCode(errorCode)) return [];
      if (typeof fieldPath !== "string" || typeof summary !== "string") return [];
      return [{ errorCode, fieldPath, summary }];
    }),
  );
}
