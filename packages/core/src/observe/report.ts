import type { ValidationError } from "@toolcontract/explain";
import { type Repair, writtenFacts } from "@toolcontract/explain/adapter";
import type { StoreResult } from "../attempts/index.ts";
import type { Escalation } from "../message/index.ts";
import type { CodeCounts, Lane } from "../shared/index.ts";
import type { ErrorPlace, LogFields } from "./log-fields.ts";

/** What happened, told once: the metrics, the telemetry, the log and the listeners read it here. */
export type Report = CallReport | FaultReport | LastingReport | PackageReport | Measure;

/** Fields of every event about a call. */
export interface CallEvent {
  readonly toolName: string;
  readonly toolCallId: string;
  /** The conversation in which the call was made. */
  readonly conversationId: string;
  /** The host's id for its logs, if it passed one. */
  readonly correlationId?: string;
  /** The agent that made the call, if the host named one. */
  readonly agentName?: string;
}

/** The call that a report is about, as all channels name it. */
export interface ReportedCall extends Omit<CallEvent, "correlationId" | "agentName"> {
  /** When its decision began, by `performance.now()`; undefined without telemetry. */
  readonly startedAt: number | undefined;
  /** What every event of the call contains. */
  identity(): CallEvent;
}

type CallReport =
  | CallRepaired
  | CallAdmitted
  | CallRecovered
  | CallRefused
  | CallAsked
  | CallExecuted
  | CallSkipped;

interface CallRepaired {
  readonly kind: "repaired";
  readonly call: ReportedCall;
  readonly repairs: readonly Repair[];
}

/** A valid call, which may run. */
export interface CallAdmitted {
  readonly kind: "admitted";
  readonly call: ReportedCall;
  /** Its advisories are read only for a listener. */
  readonly checked: { readonly advisories: readonly ValidationError[] };
  /** Whether its JSON text was repaired. */
  readonly isRepaired: boolean;
}

interface CallRecovered {
  readonly kind: "recovered";
  readonly call: ReportedCall;
  readonly lane: Lane;
  /** The number of the attempt that succeeded, from 2. */
  readonly attempt: number;
}

/** A call that was counted as failed, before or after it ran. */
export interface CallRefused {
  readonly kind: "refused";
  readonly call: ReportedCall;
  readonly status: "rejected" | "blocked";
  readonly lane: Lane;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly errors: readonly ValidationError[];
  /** The number of errors, including those not listed. */
  readonly totalErrors: number;
  /** How many errors of each code are not listed. */
  readonly hidden: CodeCounts | undefined;
  readonly isRepaired: boolean;
  /** True if the call was reported as admitted before. */
  readonly hasRun: boolean;
  /** True if the contract only observes, and the call went on. */
  readonly isObserved: boolean;
  /** The escalation, if this call spent the last attempt. */
  readonly escalation: Escalation | undefined;
}

/** A call that waits for a person. */
export interface CallAsked {
  readonly kind: "asked";
  readonly call: ReportedCall;
  /** True if the contract only observes, and nobody was asked. */
  readonly isObserved: boolean;
  /** True if the call was reported as admitted before. */
  readonly hasRun: boolean;
}

interface CallExecuted extends CallRun {
  readonly kind: "executed";
  readonly call: ReportedCall;
}

/** How a run of a tool went. */
export interface CallRun {
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** The lane in which a stage refused the call. */
  readonly lane?: Lane;
  /** `"failed"`: the tool returned an error result; `"threw"`: it threw. */
  readonly outcome: "returned" | "failed" | "threw" | "rejected" | "blocked" | "ask";
  /** How long the run took, by the contract's `clock`. */
  readonly durationMs: number;
  /** The length of the arguments as JSON, in UTF-16 code units. */
  readonly charactersIn: number;
  /** The length of what the model reads, in UTF-16 code units; 0 if the tool threw. */
  readonly charactersOut: number;
}

/** A call too many in its turn; its name is the model's, so it is not reported. */
interface CallSkipped {
  readonly kind: "skipped";
  /** True if the contract only observes, and the call went on. */
  readonly isObserved: boolean;
  readonly limit: number;
}

/** A fault of the library or of the host; calls go on. */
export interface Fault {
  readonly stage: string;
  readonly errorClass: string;
  readonly toolName: string | undefined;
  /** Where in the tool's schema, as JSON Pointers. */
  readonly places: readonly string[] | undefined;
  /** False if the stage has failed for this tool before: then it is only counted. */
  readonly isFirst: boolean;
}

/** A fault, or the end of one. */
export type FaultReport =
  | (Fault & { readonly kind: "degraded" })
  | { readonly kind: "restored"; readonly stage: string };

/** What is so until the host changes it. */
export type LastingReport =
  /** The contract refuses nothing. */
  | { readonly kind: "observing" }
  /** Nothing validates the arguments of a tool. */
  | { readonly kind: "unjudged"; readonly toolName: string }
  /** A call without arguments did not run, because nothing says that its output is whole. */
  | { readonly kind: "doubted"; readonly finishReason: string | null };

/** What another package reports through the contract. */
type PackageReport =
  | { readonly kind: "noted"; readonly fields: LogFields; readonly message: string }
  | { readonly kind: "emitted"; readonly event: string; readonly payload: () => unknown };

/** How long something took, in seconds. */
type Measure =
  | { readonly kind: "checked"; readonly seconds: number }
  | { readonly kind: "stored"; readonly result: StoreResult; readonly seconds: number };

const MAX_PLACES = 100;

/** Reduces errors to place and code, so that no part of the call's text gets into a log. */
export function toErrorPlaces(errors: readonly ValidationError[]): readonly ErrorPlace[] {
  return errors
    .slice(0, MAX_PLACES)
    .map((error) => ({ path: writtenFacts(error)?.logPath ?? "*", code: error.errorCode }));
}
