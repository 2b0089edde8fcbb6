import type { Blocked, CheckResult, Rejected, ValidArguments } from "./decision.ts";
import { findTool, toolNames } from "./context.ts";
import {
  type CallInProgress,
  type CallServices,
  attemptNumber,
  countValid,
  countedName,
  isBlocked,
} from "./progress.ts";
import { checkCall } from "./check.ts";
import { BLOCKED, answerClosed, refusedBy } from "./closed.ts";
import { type Finding, type MaybePromise, type ToolCall, chain } from "../shared/index.ts";
import { repairEntry } from "../observe/index.ts";
import { cleanResult } from "./host-errors.ts";
import { placeOf } from "./place.ts";
import { placesOf, refuseCall, shownCorrelation } from "./refuse.ts";
import { noteOn } from "./result.ts";
import type { AdmittedCall } from "./run.ts";
import { recordSuccess } from "./succeed.ts";
import { quoteName } from "../sanitize/index.ts";
import { nearest } from "../schema/index.ts";
import { untilAborted } from "./until-aborted.ts";

/** Decides on one call: finds the tool, checks, counts, then admits or refuses. */
export async function admitCall(
  call: ToolCall,
  context: CallInProgress["context"],
  services: CallServices,
): Promise<AdmittedCall | Rejected | Blocked> {
  context.signal?.throwIfAborted();
  const startedAt = services.startTime();
  const tool = findTool(call.name, context);
  // A name that the model invented is answered, whatever the host's tools are.
  if (tool) services.checkTools(tool, context);
  const progress = { call, tool, context, services, startedAt };
  const closed = await answerClosed(progress, false);
  if (closed) return closed;
  // A call cancelled during the check counts as never made.
  const result = await untilAborted(checkProgress(progress), context.signal);
  if (result.repairs.length > 0) announceRepairs(progress, result);
  if (result.status === "invalid") return refuseCall(progress, result);
  if (services.options.onBlocked === "refuse" && (await isBlocked(progress))) {
    const refused = await refusedBy(BLOCKED, services);
    return refuseCall(progress, { ...refused, repairs: result.repairs });
  }
  return admit(progress, result);
}

/** Without a promise if nothing has to be waited for. */
function checkProgress(progress: CallInProgress): MaybePromise<CheckResult> {
  const { call, tool, context, services } = progress;
  if (!tool) return refusedBy(unknownTool(quoteName(call.name), toolNames(context)), services);
  const { finishReason, signal, checked } = context;
  if (checked) return cleanResult(checked, { call, tool }, services);
  const { rawText } = call;
  const plan = services.planOf(tool);
  const facts = { finishReason, signal, rawText };
  const isTold = plan.rules.length > 0 || plan.stage?.check !== undefined;
  if (!isTold) return checkCall(call.arguments, plan, facts, true);
  return chain(attemptNumber(progress, "validation"), (attempt) =>
    chain(placeOf(progress, attempt), (place) =>
      checkCall(call.arguments, plan, { ...facts, place }, true),
    ),
  );
}

async function admit(progress: CallInProgress, result: ValidArguments): Promise<AdmittedCall> {
  const { call, tool, context, services } = progress;
  const attempt = await countValid(progress, "validation");
  const { guardrails } = services.options;
  // A stage around the run may still refuse the call; without a stage only a recovery is news.
  const isSuccess = guardrails ? guardrails.around === undefined : attempt > 1;
  if (isSuccess) await recordSuccess(progress, attempt);
  const { input, output, advisories, repairs } = result;
  const toolName = countedName(tool);
  const repaired = repairs.length > 0;
  services.record({ toolName, toolCallId: call.id, outcome: "admitted", codes: [], repaired });
  const { conversationId } = context;
  const { correlationId: given = conversationId } = context;
  services.faults.events.emit("call-admitted", () => ({
    toolName,
    toolCallId: call.id,
    conversationId,
    correlationId: shownCorrelation(given, services.sanitizer),
    advisories: placesOf(advisories),
  }));
  const note = (): string => noteOn(advisories, services);
  return { status: "admitted", progress, attempt, input, output, advisories, repairs, note };
}

function announceRepairs(progress: CallInProgress, { repairs }: CheckResult): void {
  const { call, tool, services } = progress;
  const { conversationId, correlationId: given = conversationId } = progress.context;
  const correlationId = shownCorrelation(given, services.sanitizer);
  const toolName = countedName(tool);
  const event = { toolName, toolCallId: call.id, conversationId, correlationId, repairs };
  services.faults.log(repairEntry({ toolName, correlationId }, repairs));
  services.faults.events.emit("call-repaired", () => event);
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
