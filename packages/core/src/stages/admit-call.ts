import type { Admission, Admitted, Execute } from "../admission.ts";
import { buildErrors } from "./build-errors.ts";
import { findTool, toolNames } from "../call-context.ts";
import { countValid, isBlocked } from "./attempts-of-call.ts";
import type { CallInProgress } from "./call-in-progress.ts";
import { checkCall } from "./check-call.ts";
import type { CheckResult, InvalidArguments, ValidArguments } from "../check-result.ts";
import { type CallServices, countedName } from "./call-services.ts";
import type { Finding } from "../fault.ts";
import { repairEntry } from "../observe/log-entry.ts";
import { cleanResult } from "./host-errors.ts";
import { placesOf } from "./refuse.ts";
import { refuseCall } from "./refuse-call.ts";
import { quoteName } from "../sanitize/quote-name.ts";
import type { ToolCall } from "../tool-call.ts";
import { ToolContractError } from "../tool-contract-error.ts";
import { untilAborted } from "./until-aborted.ts";
import { shownCorrelation } from "./shown-correlation.ts";
import { unknownTool } from "./unknown-tool.ts";

const BLOCKED: Finding = {
  code: "VAL-016",
  path: [],
  message: "This tool is blocked until someone steps in",
};

/** The order of the stages for one call: find the tool, check, count, then admit or refuse. */
export async function admitCall(
  call: ToolCall,
  context: CallInProgress["context"],
  services: CallServices,
): Promise<Admission> {
  context.signal?.throwIfAborted();
  const progress = { call, tool: findTool(call.name, context), context, services };
  // Cancelled while it was being checked: the call counts as never made.
  const result = await untilAborted(checkProgress(progress), context.signal);
  if (result.repairs.length > 0) announceRepairs(progress, result);
  if (result.status === "invalid") return refuseCall(progress, result);
  if (services.options.onBlocked === "refuse" && (await isBlocked(progress))) {
    const refused = await refusedBy(BLOCKED, services);
    return refuseCall(progress, { ...refused, repairs: result.repairs });
  }
  return admit(progress, result);
}

async function checkProgress({
  call,
  tool,
  context,
  services,
}: CallInProgress): Promise<CheckResult> {
  if (!tool) return refusedBy(unknownTool(quoteName(call.name), toolNames(context)), services);
  const { finishReason, signal, checked } = context;
  if (checked) return cleanResult(checked, { call, tool }, services);
  const { rawText } = call;
  return checkCall(call.arguments, services.planOf(tool), { finishReason, signal, rawText });
}

async function refusedBy(finding: Finding, { sanitizer }: CallServices): Promise<InvalidArguments> {
  const building = { tool: "", sanitizer, redactors: [] };
  const errors = await buildErrors([finding], building);
  return { status: "invalid", errors, totalErrors: 1, atLeast: false, advisories: [], repairs: [] };
}

async function admit(progress: CallInProgress, result: ValidArguments): Promise<Admitted> {
  const { call, tool, context, services } = progress;
  await countValid(progress);
  const { input, output, advisories, repairs } = result;
  const toolName = countedName(tool);
  const repaired = repairs.length > 0;
  services.record({ toolName, toolCallId: call.id, outcome: "admitted", codes: [], repaired });
  const { conversationId, signal } = context;
  const { correlationId: given = conversationId } = context;
  services.faults.events.emit("call-admitted", () => ({
    toolName,
    toolCallId: call.id,
    conversationId,
    correlationId: shownCorrelation(given, services.sanitizer),
    advisories: placesOf(advisories),
  }));
  return {
    status: "admitted",
    input,
    output,
    advisories,
    repairs,
    run<TResult>(execute: Execute<TResult>): TResult {
      if (typeof execute !== "function") {
        throw new ToolContractError(
          "admission.run: pass the function that runs the tool, such as run((args) => tool(args)).",
        );
      }
      signal?.throwIfAborted();
      return execute(output as never, { call, ...(signal && { signal }) });
    },
  };
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
