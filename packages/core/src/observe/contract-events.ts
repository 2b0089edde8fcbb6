import type { Repair } from "../arguments/repair-record.ts";
import type { Escalation } from "../escalation.ts";
import type { ErrorPlace } from "./error-place.ts";

/** What every event of a call tells. */
export interface CallEvent {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly conversationId: string;
  readonly correlationId?: string;
}

/** A call was found valid and may run. */
export interface CallAdmittedEvent extends CallEvent {
  readonly advisories: readonly ErrorPlace[];
}

/** A call's JSON text was repaired before it was judged. */
export interface CallRepairedEvent extends CallEvent {
  readonly repairs: readonly Repair[];
}

/** A call was sent back to the model, also one of a tool whose attempts were spent before. */
export interface CallRejectedEvent extends CallEvent {
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly errors: readonly ErrorPlace[];
}

/** A tool's attempts are spent. */
export interface CallEscalatedEvent extends CallEvent {
  readonly escalation: Escalation;
}

/** A stage failed and calls go on without it. */
export interface ContractDegradedEvent {
  readonly stage: string;
  readonly errorClass: string;
  readonly toolName?: string;
}

/** The names of a contract's events. */
export const EVENT_NAMES: readonly (keyof ContractEventMap)[] = [
  "call-admitted",
  "call-repaired",
  "call-rejected",
  "call-escalated",
  "contract-degraded",
];

/** The events of a contract; none holds an argument's value, but an escalation gives access to them. */
export interface ContractEventMap {
  "call-admitted": CallAdmittedEvent;
  "call-repaired": CallRepairedEvent;
  "call-rejected": CallRejectedEvent;
  "call-escalated": CallEscalatedEvent;
  "contract-degraded": ContractDegradedEvent;
}
