import type { ErrorCode } from "@toolcontract/explain";
import type { Repair } from "@toolcontract/explain/adapter";
import type { Lane, PackageLogFields } from "../shared/index.ts";

/** An error's place and code: all that logs and events report about it. */
export interface ErrorPlace {
  /** JSON Pointer with every undeclared segment replaced by `*`. */
  readonly path: string;
  readonly code: ErrorCode;
}

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
  /** Set if the contract only observes: the call went on. */
  readonly mode?: "observe";
  /** The host's id for its logs, if it passed one. */
  readonly correlation_id?: string;
  /** The agent that made the call, if the host named one. */
  readonly agent_name?: string;
}

/** A call whose JSON text was repaired. */
export interface RepairLogFields {
  readonly level: "info";
  /** The tool's name; `(unknown)` for one that is not declared. */
  readonly tool_name: string;
  readonly repairs: readonly Repair[];
  /** The host's id for its logs, if it passed one. */
  readonly correlation_id?: string;
  /** The agent that made the call, if the host named one. */
  readonly agent_name?: string;
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
  /** The agent that made the call, if the host named one. */
  readonly agent_name?: string;
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
