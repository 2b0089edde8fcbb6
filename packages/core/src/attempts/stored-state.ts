import {
  isRecord,
  oneLine,
  parseJson,
  readCount,
  readEntries,
  readMember,
} from "@toolcontract/explain/adapter";
import type { AttemptRecord } from "../shared/index.ts";
import { type AttemptState, MAX_ID } from "./attempt-state.ts";
import { appendAttempt } from "./history.ts";
import { readAttemptErrors, readOutcome } from "./result-marker.ts";

const VERSION = 1;
/** The longest data that is kept in place of attempts, in characters as JSON. */
const MAX_KEPT = 65_536;
// A history has at most 10,000 bytes, an outcome 4,000 characters.
const MAX_TEXT = 32_768 + MAX_KEPT;
const MAX_RECORDS = 300;
const MAX_SIBLINGS = 8;
const MAX_HASH = 32;
const OUTCOMES = ["valid", "counted", "blocked", "elsewhere"] as const;

/** Writes a state as a store's engine keeps it. */
export function writeState(state: AttemptState): string {
  return JSON.stringify({ v: VERSION, ...state });
}

/**
 * Reads a state from an engine, which is foreign data: others may write there, and the history is shown to the model.
 *
 * @returns undefined for what is not a state, or one of another version.
 */
export function readState(text: string): AttemptState | undefined {
  const value = text.length > MAX_TEXT ? undefined : parseJson(text);
  return isRecord(value) && value["v"] === VERSION ? stateFrom(value) : undefined;
}

/** What was read or counted here, and need not be read again. */
const trusted = new WeakSet<object>();

/** Remembers a state that was counted here. */
export function ownState(state: AttemptState): AttemptState {
  trusted.add(state);
  return state;
}

/** Reads a state from any store, whoever wrote it there; undefined for one that nobody can count on. */
export function stateFrom(value: object): AttemptState | undefined {
  if (trusted.has(value)) return value as AttemptState;
  const { turnId, runId, turnAt, closed, ...rest } = value as Readonly<Record<string, unknown>>;
  // A state without a failure is never kept, and would number an attempt 0.
  const failed = readCount(rest["failed"], 0);
  const turnOutcome = OUTCOMES.find((known) => known === rest["turnOutcome"]);
  if (failed === 0 || !isId(turnId) || turnOutcome === undefined) return undefined;
  const outcome = readOutcome(rest["outcome"]);
  const kept = readKept(rest["kept"]);
  return ownState({
    failed,
    history: readHistory(rest["history"]),
    turnId,
    turnOutcome,
    ...(closed === true && { closed }),
    ...(outcome && { outcome }),
    ...(isId(runId) && { runId }),
    ...(typeof turnAt === "number" && Number.isFinite(turnAt) && { turnAt }),
    ...(kept !== undefined && { kept }),
  });
}

/** Copies data, so that nothing else than JSON is in it; undefined if it is too long. */
function readKept(value: unknown): unknown {
  if (value === undefined) return undefined;
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined || text.length > MAX_KEPT ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_ID;
}

/** Appends each record anew, so that all limits of a history hold for what was read. */
function readHistory(list: unknown): readonly AttemptRecord[] {
  return readEntries(list, MAX_RECORDS).reduce<readonly AttemptRecord[]>((history, entry) => {
    const record = readRecord(entry);
    return record ? appendAttempt(history, record) : history;
  }, []);
}

function readRecord(entry: unknown): AttemptRecord | undefined {
  const attempt = readCount(readMember(entry, "attempt"), 0);
  if (attempt === 0) return undefined;
  const siblings = readEntries(readMember(entry, "siblingHashes"), MAX_SIBLINGS);
  const siblingHashes = siblings.map(readHash);
  const totalErrors = readCount(readMember(entry, "totalErrors"), 0);
  const collapsed = readCount(readMember(entry, "collapsed"), 0);
  return {
    attempt,
    argumentsHash: readHash(readMember(entry, "argumentsHash")),
    ...(siblingHashes.length > 0 && { siblingHashes }),
    errors: readAttemptErrors(readMember(entry, "errors")),
    ...(totalErrors > 0 && { totalErrors }),
    ...(collapsed > 0 && { collapsed }),
  };
}

function readHash(value: unknown): string {
  return typeof value === "string" ? oneLine(value, MAX_HASH) : "";
}
