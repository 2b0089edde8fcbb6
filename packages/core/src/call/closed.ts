import { buildErrors } from "./build-errors.ts";
import type { Blocked, InvalidArguments, Rejected } from "./decision.ts";
import { cleanErrors } from "./host-errors.ts";
import {
  type CallInProgress,
  type CallServices,
  type ClosedLane,
  closedLane,
  mayBeClosed,
} from "./progress.ts";
import { refuseClosed } from "./refuse.ts";
import { type Finding, type MaybePromise, chain } from "../shared/index.ts";

/** What is wrong with a call of a blocked tool, if nothing else is. */
export const BLOCKED: Finding = { code: "VAL-016", path: [], reason: { kind: "blocked" } };

/**
 * Answers a call whose tool a lane of the stage has closed, in that lane's words, whatever its arguments are; undefined
 * if none has.
 *
 * @param hasRun - True if the call was recorded as admitted before.
 */
export async function answerClosed(
  progress: CallInProgress,
  hasRun: boolean,
): Promise<Rejected | Blocked | undefined> {
  const closed = mayBeClosed(progress) ? await closedLane(progress) : undefined;
  return closed && refuseClosed(progress, await errorsOf(progress, closed), closed, hasRun);
}

async function errorsOf(
  { call, tool, services }: CallInProgress,
  { history }: ClosedLane,
): Promise<InvalidArguments["errors"]> {
  const latest = history.at(-1)?.errors ?? [];
  const known = latest.map(({ errorCode, fieldPath, summary }) => ({
    errorCode,
    fieldPath,
    message: summary,
    severity: "error" as const,
  }));
  if (known.length > 0) return cleanErrors(known, { call, tool }, services);
  return (await refusedBy(BLOCKED, services)).errors;
}

/** An invalid check result with one error. */
export function refusedBy(
  finding: Finding,
  { sanitizer }: CallServices,
): MaybePromise<InvalidArguments> {
  const building = { tool: "", sanitizer, redactors: [] };
  return chain(buildErrors([finding], building), (errors) => ({
    status: "invalid",
    errors,
    totalErrors: 1,
    atLeast: false,
    advisories: [],
    repairs: [],
  }));
}
