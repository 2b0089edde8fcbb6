import type { MaybePromise } from "@toolcontract/explain/adapter";
import { untilAborted } from "../kit/index.ts";
import type { ToolCall } from "../shared/index.ts";
import type { CheckResult, Refused, ValidArguments } from "./decision.ts";
import { refuseBrokenOff } from "./broken-off.ts";
import { findTool } from "./context.ts";
import type { CallEnd } from "./journal.ts";
import {
  AdmittedCall,
  type CallRecord,
  type CallServices,
  type NamedContext,
  recordOf,
} from "./record.ts";
import { CAME_AGAIN, withIdOf } from "./run.ts";

/**
 * Answers a call that has run before with what came of it; undefined if it has not run. Nothing is counted again, and nothing is reported
 * as run.
 */
export function answerAgain(
  call: ToolCall,
  context: NamedContext,
  services: CallServices,
): Promise<AdmittedCall | Refused | undefined> | undefined {
  const { journal } = services;
  const { element, checked } = context;
  if (journal === undefined || element === undefined) return undefined;
  if (isRefusedByHost(checked)) {
    journal.forget(element);
    return undefined;
  }
  const { name } = findTool(call.name, context) ?? call;
  const found = journal.find(element, { name, call });
  return found && answerFound(found, element, call, context, services);
}

async function answerFound(
  found: MaybePromise<CallEnd | undefined>,
  element: string,
  call: ToolCall,
  context: NamedContext,
  services: CallServices,
): Promise<AdmittedCall | Refused | undefined> {
  const end = await untilAborted(found, context.signal);
  if (end === undefined) return undefined;
  const record = recordOf(call, context, services);
  const fields = { level: "info", package: "core", tool_name: record.name } as const;
  services.reporter.report({ kind: "noted", fields, message: CAME_AGAIN });
  if (end.kind === "broken-off") return refuseBrokenOff(again(record, end), element);
  if (end.kind === "answered" && end.handled.status !== "executed") {
    return withIdOf(call, end.handled);
  }
  return again(record, end);
}

/** The host found the arguments invalid, if need be after it began to run the call: the tool itself has not run. */
function isRefusedByHost(checked: CheckResult | undefined): boolean {
  return checked?.status === "invalid" && checked.refusal === undefined;
}

function again(record: CallRecord, end: CallEnd): AdmittedCall {
  const attempt = end.kind === "answered" ? end.handled.attempt : end.attempt;
  const checked = "checked" in end ? end.checked : unchecked(record);
  return new AdmittedCall(record, attempt, checked, { end });
}

function unchecked({ call: { arguments: args } }: CallRecord): ValidArguments {
  return { status: "valid", input: args, output: args, advisories: [], repairs: [] };
}
