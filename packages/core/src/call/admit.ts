import type { CheckResult, Rejected, Blocked, ValidArguments } from "./decision.ts";
import { findTool, toolNames } from "./context.ts";
import { checkCall } from "./check.ts";
import { type Finding, type MaybePromise, type ToolCall, chain } from "../shared/index.ts";
import { formatAdvisories } from "../message/index.ts";
import { repairEntry } from "../observe/index.ts";
import { cleanResult } from "./host-errors.ts";
import {
  type AdmittedCall,
  type CallRecord,
  type CallServices,
  eventOf,
  recordOf,
  recordSuccess,
} from "./record.ts";
import { BLOCKED, invalidCall, placesOf, refuseCall, refuseClosed } from "./refuse.ts";
import { placeOf } from "./stage.ts";
import { quoteName } from "../sanitize/index.ts";
import { nearest } from "../schema/index.ts";
import { untilAborted } from "./until-aborted.ts";

/** Decides on one call: finds the tool, checks, counts, then admits or refuses. */
export async function admitCall(
  call: ToolCall,
  context: CallRecord["context"],
  services: CallServices,
): Promise<AdmittedCall | Rejected | Blocked> {
  context.signal?.throwIfAborted();
  const record = recordOf(call, findTool(call.name, context), context, services);
  const { tool, tally } = record;
  // A name that the model invented is answered, whatever the host's tools are.
  if (tool) services.checkTools(tool, context);
  const closed = await tally.closed();
  if (closed) return refuseClosed(record, closed, false);
  // A call cancelled during the check counts as never made.
  const result = await untilAborted(checkRecord(record), context.signal);
  if (result.repairs.length > 0) announceRepairs(record, result);
  if (result.status === "invalid") return refuseCall(record, result);
  if (services.options.onBlocked === "refuse" && (await tally.isBlocked())) {
    const refused = await invalidCall(BLOCKED, services);
    return refuseCall(record, { ...refused, repairs: result.repairs });
  }
  return admit(record, result);
}

/** Without a promise if nothing has to be waited for. */
function checkRecord(record: CallRecord): MaybePromise<CheckResult> {
  const { call, tool, context, services } = record;
  if (!tool) return invalidCall(unknownTool(quoteName(call.name), toolNames(context)), services);
  const { finishReason, signal, checked } = context;
  if (checked) return cleanResult(checked, record);
  const { rawText } = call;
  const plan = record.plan();
  const facts = { finishReason, signal, rawText };
  const isTold = plan.rules.length > 0 || plan.stage?.check !== undefined;
  if (!isTold) return checkCall(call.arguments, plan, facts, true);
  return chain(record.tally.number("validation"), (attempt) =>
    chain(placeOf(record, attempt), (place) =>
      checkCall(call.arguments, plan, { ...facts, place }, true),
    ),
  );
}

async function admit(record: CallRecord, result: ValidArguments): Promise<AdmittedCall> {
  const { call, name, tally, services } = record;
  const attempt = await tally.valid("validation");
  const { guardrails, reportAdvisories, format } = services.options;
  // A stage may still refuse the call. Without one, only recoveries are reported.
  const isSuccess = guardrails ? guardrails.around === undefined : attempt > 1;
  if (isSuccess) await recordSuccess(record, attempt);
  const { input, output, advisories, repairs } = result;
  const repaired = repairs.length > 0;
  services.record({
    toolName: name,
    toolCallId: call.id,
    outcome: "admitted",
    codes: [],
    repaired,
  });
  services.faults.events.emit("call-admitted", () => ({
    ...eventOf(record),
    advisories: placesOf(advisories),
  }));
  const note = (): string => (reportAdvisories ? formatAdvisories(advisories, format) : "");
  return { status: "admitted", record, attempt, input, output, advisories, repairs, note };
}

function announceRepairs(record: CallRecord, { repairs }: CheckResult): void {
  const { faults } = record.services;
  const event = eventOf(record);
  faults.log(repairEntry(event, repairs));
  faults.events.emit("call-repaired", () => ({ ...event, repairs }));
}

/** The finding for a call of an unknown tool (VAL-012); lists the most similar name first. */
function unknownTool(name: string, known: readonly string[]): Finding {
  const near = nearest(name, known);
  const names = near === undefined ? known : [near, ...known.filter((other) => other !== near)];
  return {
    code: "VAL-012",
    path: [],
    reason: { kind: "unknown-tool", name },
    expected: { kind: "tools", names },
    ...(near !== undefined && { hint: { kind: "use", value: near } }),
  };
}
