import type { Repair } from "../arguments/repair-record.ts";
import type { ErrorPlace } from "./error-place.ts";

/** The fields of a log entry; none of them can hold an argument's value. */
export type LogFields = FailureLogFields | RepairLogFields | FaultLogFields;

/** A rejected or blocked call. */
export interface FailureLogFields {
  readonly level: "warn";
  readonly tool_name: string;
  readonly error_count: number;
  readonly retry_attempt: number;
  readonly max_retries: number;
  readonly errors: readonly ErrorPlace[];
  readonly correlation_id?: string;
}

/** A call whose JSON text was repaired. */
export interface RepairLogFields {
  readonly level: "info";
  readonly tool_name: string;
  readonly repairs: readonly Repair[];
  readonly correlation_id?: string;
}

/** A fault of ours or of the host's code, over which the call went on. */
export interface FaultLogFields {
  readonly level: "warn";
  /** The stage that failed: a word of this library, never foreign text. */
  readonly stage: string;
  readonly error_class: string;
  readonly tool_name?: string;
  readonly correlation_id?: string;
}

/** Receives every log entry of a contract. */
export type ContractLogger = (fields: LogFields, message: string) => void;

/** Writes each entry as one line of JSON to standard error, in the shape of the retry contract's "Logging". */
export const consoleLogger: ContractLogger = ({ level, ...fields }, message) => {
  console.error(JSON.stringify({ level, message, ...fields }));
};
