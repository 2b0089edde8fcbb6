import type { Repair } from "@toolcontract/explain/adapter";
import type { Escalation } from "../message/index.ts";
import type { Lane } from "../shared/index.ts";
import type { ErrorPlace } from "./log-fields.ts";
import type { CallEvent, CallRun } from "./report.ts";

/** A call is valid and may run. */
export interface CallAdmittedEvent extends CallEvent {
  /** Where the warnings and remarks are. */
  readonly advisories: readonly ErrorPlace[];
}

/** A call's JSON text was repaired before it was validated. */
export interface CallRepairedEvent extends CallEvent {
  readonly repairs: readonly Repair[];
}

/** A tool ran, or a stage refused the call before or after it ran; no value is in it. */
export interface CallExecutedEvent extends CallEvent, CallRun {}

/** A call succeeded after failed attempts of its tool; emitted once a turn and lane. */
export interface CallRecoveredEvent extends CallEvent {
  /** The lane in which the earlier attempts failed. */
  readonly lane: Lane;
  /** The number of the attempt that succeeded, from 2. */
  readonly attempt: number;
}

/** A call was rejected; also emitted if the tool's attempts were already spent. */
export interface CallRejectedEvent extends CallEvent {
  /** What the attempt is counted under. */
  readonly lane: Lane;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** How many attempts the tool has. */
  readonly maxAttempts: number;
  /** Which errors were found, and where. */
  readonly errors: readonly ErrorPlace[];
  /** Set if the contract only observes: the call went on. */
  readonly observed?: true;
}

/** A tool's attempts are spent. */
export interface CallEscalatedEvent extends CallEvent {
  readonly escalation: Escalation;
  /** Set if the contract only observes: the tool is not blocked. */
  readonly observed?: true;
}

/** A stage failed; calls continue without it. */
export interface ContractDegradedEvent {
  /** The stage that failed: a word of this library, never foreign text. */
  readonly stage: string;
  /** The class of what was thrown. */
  readonly errorClass: string;
  readonly toolName?: string;
  /** Where in the tool's schema, as JSON Pointers; at most 20. */
  readonly places?: readonly string[];
}

/**
 * The events of a contract; no payload holds argument values, except through an escalation's accessors.
 *
 * A package adds the events of its stage by module augmentation.
 */
export interface ContractEventMap {
  /** A call is valid and may run. */
  "call-admitted": CallAdmittedEvent;
  /** The JSON text of a call was repaired. */
  "call-repaired": CallRepairedEvent;
  /** A tool ran inside the contract. */
  "call-executed": CallExecutedEvent;
  /** A call succeeded after failed attempts. */
  "call-recovered": CallRecoveredEvent;
  /** A call was rejected or blocked. */
  "call-rejected": CallRejectedEvent;
  /** The attempts of a tool are spent. */
  "call-escalated": CallEscalatedEvent;
  /** A stage failed; calls continue without it. */
  "contract-degraded": ContractDegradedEvent;
}

/** The names of a contract's events. */
export const EVENT_NAMES: readonly (keyof ContractEventMap)[] = [
  "call-admitted",
  "call-repaired",
  "call-executed",
  "call-recovered",
  "call-rejected",
  "call-escalated",
  "contract-degraded",
];
