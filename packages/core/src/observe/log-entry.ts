import type { Repair } from "../arguments/repair-record.ts";
import { errorClass } from "./error-class.ts";
import type { ErrorPlace } from "./error-place.ts";
import type { LogFields } from "./logger.ts";

/** What a logger is called with. */
export interface LogEntry {
  readonly fields: LogFields;
  readonly message: string;
}

/** What is logged of any call; the caller has cut and escaped both texts. */
export interface LoggedCall {
  readonly toolName: string;
  readonly correlationId?: string;
}

/** What is logged of a call that did not run. */
export interface LoggedFailure extends LoggedCall {
  readonly attempt: number;
  readonly maxAttempts: number;
  /** How many errors there were, also beyond those listed. */
  readonly errorCount: number;
  readonly errors: readonly ErrorPlace[];
}

/** The entry for a rejected call. */
export function rejectionEntry(failure: LoggedFailure): LogEntry {
  return { fields: failureFields(failure), message: "Tool validation failed" };
}

/** The entry for a tool whose attempts are spent. */
export function escalationEntry(failure: LoggedFailure): LogEntry {
  return { fields: failureFields(failure), message: "Tool validation blocked" };
}

/** The entry for a call whose JSON text was repaired: where and how much, never the text. */
export function repairEntry(call: LoggedCall, repairs: readonly Repair[]): LogEntry {
  const fields = {
    level: "info" as const,
    tool_name: call.toolName,
    repairs: repairs.map(({ step, offset, removed, inserted }) => ({
      step,
      offset,
      removed,
      inserted,
    })),
    ...correlation(call),
  };
  return { fields, message: "Tool arguments repaired" };
}

/** The warning that a stage failed and the call went on without it: the class of the error, never its message. */
export function faultEntry(stage: string, thrown: unknown, call?: LoggedCall): LogEntry {
  const fields = {
    level: "warn" as const,
    stage,
    error_class: errorClass(thrown),
    ...(call && { tool_name: call.toolName, ...correlation(call) }),
  };
  return { fields, message: "Tool contract degraded" };
}

function failureFields(failure: LoggedFailure): LogFields {
  return {
    level: "warn",
    tool_name: failure.toolName,
    error_count: failure.errorCount,
    retry_attempt: failure.attempt,
    max_retries: failure.maxAttempts,
    errors: failure.errors.map(({ path, code }) => ({ path, code })),
    ...correlation(failure),
  };
}

function correlation({ correlationId }: LoggedCall): { readonly correlation_id?: string } {
  return correlationId === undefined || correlationId === ""
    ? {}
    : { correlation_id: correlationId };
}
