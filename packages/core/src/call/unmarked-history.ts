// For adapters whose framework keeps no marker beside a result: they remember how each call ended.

import { FORMAT_VERSION, isRecord } from "@toolcontract/explain/adapter";
import type { ResultMarker, TurnResult } from "../attempts/index.ts";
import { parseRejection } from "../message/index.ts";
import type { Admission } from "./decision.ts";
import { resultMarker } from "./result.ts";

/** The marker of a call whose tool threw. */
export const THREW: ResultMarker = {
  formatVersion: FORMAT_VERSION,
  status: "executed",
  failed: true,
};

/** The marker of a call: of its refusal, or of how it ended once it was admitted. */
export function markerFor(
  verdict: Admission | undefined,
  end: ResultMarker | undefined,
): ResultMarker | undefined {
  return verdict === undefined || verdict.status === "admitted"
    ? end
    : resultMarker(verdict.result);
}

/** Whether the call of a marker did not run, or its tool failed. */
export function hasFailed({ status, failed }: ResultMarker): boolean {
  return status !== "executed" || failed === true;
}

/** A result of a history; without a marker, its content says whether it is an answer of the contract. */
export function toTurnResult(
  toolCallId: string,
  content: string,
  marker: ResultMarker | undefined,
): TurnResult {
  const isError = marker ? hasFailed(marker) : parseRejection(content) !== undefined;
  return { toolCallId, isError, content, ...(marker && { marker }) };
}

/**
 * The arguments as the framework and the next request get them: a JSON object, whatever the model wrote. What cannot be read
 * must reach no parser that guesses, and some providers refuse a history that is not JSON.
 */
export function readableArguments(text: string, verdict: Admission): string {
  if (verdict.status === "admitted" && verdict.repairs.length > 0)
    return JSON.stringify(verdict.input);
  try {
    if (isRecord(JSON.parse(text))) return text;
  } catch {
    // Replaced below.
  }
  // Some validators take null for no arguments, but no parser of a framework does.
  if (verdict.status !== "admitted" || verdict.input === null) return "{}";
  return JSON.stringify(verdict.input);
}
