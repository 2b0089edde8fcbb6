import type { ErrorCode, ValidationError } from "@toolcontract/explain";
import { type Repair, writtenFacts } from "@toolcontract/explain/adapter";
import type { Lane, PackageLogFields } from "../shared/index.ts";

const MAX_PLACES = 100;

/** The fields of a log entry; none of them holds an argument's value. */
export type LogFields =
  | FailureLogFields
  | RepairLogFields
  | RecoveryLogFields
  | FaultLogFields
  | PassedLogFields
  | PackageLogFields;

/** A rejected or blocked call. */
export interface FailureLogFields {
  readonly level: "warn";
  /** The tool's name; `(unknown)` for one that is not declared. */
  readonly tool_name: string;
  /** How many errors the call has. */
  readonly error_count: number;
  /** The number of this attempt, from 1. */
  readonly retry_attempt: number;
  /** How many attempts the tool has. */
  readonly max_retries: number;
  /** What the attempt is counted under; validation if absent. */
  readonly lane?: Lane;
  /** Which errors were found, and where. */
  readonly errors: readonly ErrorPlace[];
  /** The host's id for its logs, if it passed one. */
  readonly correlation_id?: string;
}

/** A call whose JSON text was repaired. */
export interface RepairLogFields {
  readonly level: "info";
  /** The tool's name; `(unknown)` for one that is not declared. */
  readonly tool_name: string;
  readonly repairs: readonly Repair[];
  /** The host's id for its logs, if it passed one. */
  readonly correlation_id?: string;
}

/** A call that succeeded after failed attempts. */
export interface RecoveryLogFields {
  readonly level: "info";
  /** The tool's name; `(unknown)` for one that is not declared. */
  readonly tool_name: string;
  /** The number of the attempt that succeeded, from 2. */
  readonly retry_attempt: number;
  /** What the earlier attempts were counted under; validation if absent. */
  readonly lane?: Lane;
  /** The host's id for its logs, if it passed one. */
  readonly correlation_id?: string;
}

/** A fault of this library or of a host callback; the call continued. */
export interface FaultLogFields {
  readonly level: "warn";
  /** The stage that failed: one of this library's fixed names. */
  readonly stage: string;
  /** The class of what was thrown. */
  readonly error_class: string;
  /** The tool's name, if the fault belongs to one tool. */
  readonly tool_name?: string;
  /** The host's id for its logs, if it passed one. */
  readonly correlation_id?: string;
}

/** A call that an adapter passed on without validating it, or refused because it could not. */
export interface PassedLogFields {
  readonly level: "info";
  /** Why: one of the adapter's fixed words. */
  readonly reason: string;
  /** The tool's name, if its server declares it. */
  readonly tool_name?: string;
}

/** Called with every log entry of a contract. */
export type ContractLogger = (fields: LogFields, message: string) => void;

/** Writes each entry as one line of JSON to standard error. */
export const consoleLogger: ContractLogger = ({ level, ...fields }, message) => {
  console.error(JSON.stringify({ level, message, ...fields }));
};

/** The arguments of one logger call. */
export interface LogEntry {
  readonly fields: LogFields;
  readonly message: string;
}

/** What is logged about any call; both strings are already truncated and escaped. */
export interface LoggedCall {
  readonly toolName: string;
  readonly correlationId?: string;
}

/** What is logged about a call that did not run. */
export interface LoggedFailure extends LoggedCall {
  readonly lane: Lane;
  readonly attempt: number;
  readonly maxAttempts: number;
  /** The number of errors, including those not listed. */
  readonly errorCount: number;
  readonly errors: readonly ErrorPlace[];
}

/** Creates the entry for a rejected call. */
export function rejectionEntry(failure: LoggedFailure): LogEntry {
  return { fields: failureFields(failure), message: `Tool ${failure.lane} failed` };
}

/** Creates the entry for a tool whose attempts are spent. */
export function escalationEntry(failure: LoggedFailure): LogEntry {
  return { fields: failureFields(failure), message: `Tool ${failure.lane} blocked` };
}

/** Creates the entry for a call that succeeded after failed attempts. */
export function recoveryEntry(
  recovered: LoggedCall & { readonly lane: Lane; readonly attempt: number },
): LogEntry {
  const { toolName, attempt } = recovered;
  return {
    fields: {
      level: "info",
      tool_name: toolName,
      retry_attempt: attempt,
      ...laneField(recovered),
      ...correlation(recovered),
    },
    message: "Tool call recovered",
  };
}

/** Creates the entry for repaired JSON text: where and how much was changed, never the text. */
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

/** Creates the entry for a failed stage, with the class of the error but never its message. */
export function faultEntry(
  stage: string,
  thrown: unknown,
  call?: LoggedCall,
  details?: { readonly places: readonly string[] },
): LogEntry {
  const fields = {
    level: "warn" as const,
    stage,
    error_class: errorClass(thrown),
    ...details,
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
    ...laneField(failure),
    ...correlation(failure),
  };
}

/** Creates the entry for a call too many in its turn; its name is the model's, so it is not logged. */
export function skipEntry(limit: number): LogEntry {
  const fields = { level: "warn", package: "core", max_calls_per_turn: limit } as const;
  return { fields, message: "Tool call skipped" };
}

function laneField({ lane }: { readonly lane: Lane }): { readonly lane?: Lane } {
  return lane === "validation" ? {} : { lane };
}

function correlation({ correlationId }: LoggedCall): { readonly correlation_id?: string } {
  return correlationId === undefined || correlationId === ""
    ? {}
    : { correlation_id: correlationId };
}

/** An error's place and code: all that logs and events report about it. */
export interface ErrorPlace {
  /** JSON Pointer with every undeclared segment replaced by `*`. */
  readonly path: string;
  readonly code: ErrorCode;
}

/** Reduces errors to place and code, so that no part of the call's text gets into a log. */
export function toErrorPlaces(errors: readonly ValidationError[]): readonly ErrorPlace[] {
  return errors
    .slice(0, MAX_PLACES)
    .map((error) => ({ path: writtenFacts(error)?.logPath ?? "*", code: error.errorCode }));
}

/** Names the class of something thrown; its message is left out because messages quote data. */
export function errorClass(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return typeof thrown;
    const name: unknown = thrown.constructor.name;
    return typeof name === "string" && /^[A-Za-z_$][\w$]{0,63}$/.test(name) ? name : "Error";
  } catch {
    // A proxy that throws.
    return "Error";
  }
}
