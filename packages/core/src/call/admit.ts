import type {
  Admission,
  Admitted,
  CheckResult,
  Execute,
  InvalidArguments,
  ValidArguments,
} from "./decision.ts";
import { buildErrors } from "./build-errors.ts";
import { findTool, toolNames } from "./context.ts";
import {
  type CallInProgress,
  type CallServices,
  countValid,
  countedName,
  isBlocked,
} from "./progress.ts";
import { checkCall } from "./check.ts";
import { type Finding, type ToolCall, ToolContractError } from "../shared/index.ts";
import { repairEntry } from "../observe/index.ts";
import { cleanResult } from "./host-errors.ts";
import { placesOf, refuseCall, shownCorrelation } from "./refuse.ts";
import { quoteName } from "../sanitize/index.ts";
import { nearest } from "../schema/index.ts";

const BLOCKED: Finding = {
  code: "VAL-016",
  path: [],
  reason: { kind: "blocked" },
};

/** Decides on one call: finds the tool, checks, counts, then admits or refuses. */
export async function admitCall(
  call: ToolCall,
  context: CallInProgress["context"],
  services: CallServices,
): Promise<Admission> {
  context.signal?.throwIfAborted();
  const progress = { call, tool: findTool(call.name, context), context, services };
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
  const facts = { finishReason, signal, rawText };
  return checkCall(call.arguments, services.planOf(tool), facts, true);
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

/** Waits for a promise; throws the signal's reason as soon as it aborts. */
async function untilAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise;
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    const value = await Promise.race([promise, aborted]);
    signal.throwIfAborted();
    return value;
  } finally {
    signal.removeEventListener("abort", stop);
    // Swallow a late rejection: nobody is waiting any more.
    promise.catch(() => undefined);
  }
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
