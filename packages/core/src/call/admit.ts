import { type MaybePromise, chain, isPromiseLike } from "@toolcontract/explain/adapter";
import { untilAborted } from "../kit/index.ts";
import type { ToolCall } from "../shared/index.ts";
import type { CheckResult, Refused, ValidArguments } from "./decision.ts";
import { examine, spentTool } from "./examine.ts";
import { cleanResult } from "./host-errors.ts";
import { observeCall } from "./observe.ts";
import {
  AdmittedCall,
  type CallRecord,
  type CallServices,
  recordOf,
  recordSuccess,
} from "./record.ts";
import { refuseCall } from "./refuse.ts";

/** Decides on one call: finds the tool, checks, counts, then admits or refuses. */
export async function admitCall(
  call: ToolCall,
  context: CallRecord["context"],
  services: CallServices,
): Promise<AdmittedCall | Refused> {
  const { signal } = context;
  signal?.throwIfAborted();
  const record = recordOf(call, context, services);
  const { tool, tally } = record;
  // A name that the model invented is answered, whatever the host's tools are.
  if (tool) services.checkTools(tool, context);
  // Waits in any case: calls that are begun together join one turn before the first of them leaves it.
  const standing = await tally.standing();
  const closed = standing.closed ?? (tool && services.failures?.closing(record));
  const found = { ...standing, closed };
  const checking = examine(record, found);
  const isWaiting = isPromiseLike(checking);
  const checked = isWaiting ? await untilAborted(checking, closed ? undefined : signal) : checking;
  // A call cancelled during the check counts as never made.
  if (!closed) signal?.throwIfAborted();
  const { repairs } = checked;
  reportRepairs(record, checked);
  const isSpent =
    checked.status === "valid" &&
    services.options.onBlocked === "refuse" &&
    (await tally.isBlocked());
  const result = isSpent ? { ...(await spentTool(record)), repairs } : checked;
  if (result.status === "valid") return await admit(record, result);
  if (services.options.mode === "observe") return observeCall(record, result, { closed });
  return refuseCall(record, result, { closed });
}

/**
 * Counts a valid call that runs whatever its count is, for a host that has checked it and waits for nothing. Where valid
 * calls may be refused, by a stage or by a limit, {@link admitCall} decides.
 */
export function countValid(
  call: ToolCall,
  context: CallRecord["context"],
  checked: ValidArguments,
  services: CallServices,
): MaybePromise<number> {
  const record = recordOf(call, context, services);
  return chain(cleanResult(checked, record), (result) => {
    reportRepairs(record, result);
    return countAdmitted(record, result as ValidArguments);
  });
}

function reportRepairs({ reported, services }: CallRecord, { repairs }: CheckResult): void {
  if (repairs.length > 0) services.reporter.report({ kind: "repaired", call: reported, repairs });
}

/** Counts and reports a valid call; gives the number of its attempt. */
function countAdmitted(record: CallRecord, result: ValidArguments): MaybePromise<number> {
  const { reported, tally, services } = record;
  return chain(tally.valid("validation"), (attempt) => {
    const { guardrails } = services.options;
    const report = (): number => {
      const isRepaired = result.repairs.length > 0;
      services.reporter.report({ kind: "admitted", call: reported, checked: result, isRepaired });
      return attempt;
    };
    // A stage may still refuse the call. Without one, only recoveries are reported.
    const isSuccess = guardrails ? guardrails.around === undefined : attempt > 1;
    return isSuccess ? chain(recordSuccess(record, attempt), report) : report();
  });
}

function admit(record: CallRecord, result: ValidArguments): MaybePromise<AdmittedCall> {
  return chain(
    countAdmitted(record, result),
    (attempt) => new AdmittedCall(record, attempt, result),
  );
}
