import { type MaybePromise, chain, isPromiseLike } from "@toolcontract/explain/adapter";
import type { CountedFailure, Standing } from "../attempts/index.ts";
import { untilAborted } from "../kit/index.ts";
import type { ToolCall } from "../shared/index.ts";
import type { CheckResult, InvalidArguments, Refused, ValidArguments } from "./decision.ts";
import { examine, spentTool } from "./examine.ts";
import { observeCall } from "./observe.ts";
import {
  AdmittedCall,
  type CallRecord,
  type CallServices,
  type NamedContext,
  recordOf,
  recordSuccess,
} from "./record.ts";
import { refuseCall } from "./refuse.ts";

/**
 * Decides on one call: finds the tool, checks, counts, then admits or refuses. Returns no promise if there is nothing to
 * wait for.
 */
export function admitCall(
  call: ToolCall,
  context: NamedContext,
  services: CallServices,
): MaybePromise<AdmittedCall | Refused> {
  context.signal?.throwIfAborted();
  const record = recordOf(call, context, services);
  // A name that the model invented is answered, whatever the host's tools are.
  if (record.tool) services.checkTools(record.tool, context);
  return chain(record.tally.standing(), (standing) => decideOn(record, standing));
}

function decideOn(record: CallRecord, standing: Standing): MaybePromise<AdmittedCall | Refused> {
  const { tool, context, services } = record;
  const closed = standing.closed ?? (tool && services.failures?.closing(record));
  const found = closed === standing.closed ? standing : { ...standing, closed };
  const checking = examine(record, found);
  if (!isPromiseLike(checking)) return decideBy(record, checking, closed);
  const checked = untilAborted(checking, closed ? undefined : context.signal);
  return checked.then((result) => decideBy(record, result, closed));
}

function decideBy(
  record: CallRecord,
  checked: CheckResult,
  closed: CountedFailure | undefined,
): MaybePromise<AdmittedCall | Refused> {
  const { context, services, tally, reported: call } = record;
  // A call cancelled during the check counts as never made.
  if (!closed) context.signal?.throwIfAborted();
  const { repairs } = checked;
  if (repairs.length > 0) services.reporter.report({ kind: "repaired", call, repairs });
  if (checked.status === "invalid") return refuse(record, checked, closed);
  if (services.options.onBlocked !== "refuse") return admit(record, checked);
  return chain(tally.isBlocked(), (isSpent) =>
    isSpent
      ? chain(spentTool(record), (spent) => refuse(record, { ...spent, repairs }, closed))
      : admit(record, checked),
  );
}

function refuse(
  record: CallRecord,
  found: InvalidArguments,
  closed: CountedFailure | undefined,
): Promise<AdmittedCall | Refused> {
  const isObserving = record.services.options.mode === "observe";
  return isObserving
    ? observeCall(record, found, { closed })
    : refuseCall(record, found, { closed });
}

/** Counts and reports a valid call. */
function admit(record: CallRecord, result: ValidArguments): MaybePromise<AdmittedCall> {
  const counted = record.tally.valid("validation");
  return isPromiseLike(counted)
    ? counted.then((attempt) => admitAs(attempt, record, result))
    : admitAs(counted, record, result);
}

function admitAs(
  attempt: number,
  record: CallRecord,
  result: ValidArguments,
): MaybePromise<AdmittedCall> {
  const { guardrails } = record.services.options;
  // A stage may still refuse the call. Without one, only recoveries are reported.
  const isSuccess = guardrails ? guardrails.around === undefined : attempt > 1;
  return isSuccess
    ? chain(recordSuccess(record, attempt), () => reportAdmitted(attempt, record, result))
    : reportAdmitted(attempt, record, result);
}

function reportAdmitted(attempt: number, record: CallRecord, result: ValidArguments): AdmittedCall {
  const isRepaired = result.repairs.length > 0;
  const { reported: call, services } = record;
  services.reporter.report({ kind: "admitted", call, checked: result, isRepaired });
  return new AdmittedCall(record, attempt, result);
}
