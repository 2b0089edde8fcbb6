import type {
  PackageLogFields,
  StageLane,
  StageReports,
  TypedOutcome,
} from "@toolcontract/core/stage";
import type {
  AttemptEvent,
  AttemptFailure,
  AttemptStage,
  FailureStage,
  ToolHealth,
  ToolPressureEvent,
} from "../shared/index.ts";
import { lazily } from "../shared/index.ts";
import type { Health } from "./health.ts";
import { withoutPersons } from "./personal.ts";
import {
  type TracedCall,
  type GivenKey,
  type SequenceEnd,
  type Sequences,
  giveKey,
  turnOf,
} from "./sequences.ts";

const LINE = "Tool attempt ended";
const MAX_MESSAGE = 300;
const MAX_NAME = 100;

/** What a trace reports with: a contract's own channels. */
type Reports = Pick<StageReports, "sanitize" | "log"> & {
  emit<Name extends keyof Events>(event: Name, payload: () => Events[Name]): void;
};

interface Events {
  readonly attempt: AttemptEvent;
  readonly "tool-pressure": ToolPressureEvent;
}

/** How an attempt that did not succeed ended. */
interface FailedEnd {
  /** True if the model is asked for another call. */
  readonly retry: boolean;
  /** The lane in which the failure is counted; none if it is not counted. */
  readonly lane?: StageLane | undefined;
  /** The number of the attempt in its lane, from 1. */
  readonly attempt: number;
  /** True if the failure spent the lane's budget. */
  readonly exhausted: boolean;
  /** True if everything that the attempt did was undone. */
  readonly rollbackApplied: boolean;
  readonly failures: readonly string[];
  readonly retryAfterMs?: number | undefined;
  readonly outcome?: TypedOutcome | undefined;
}

/** The guardrail that did not allow an attempt, and whether another call may be right. */
interface Violated {
  readonly guardrail: string;
  readonly class: NonNullable<AttemptEvent["guardrail_class"]>;
}

/** Writes the stages of one attempt as events, and counts them. */
export interface Trace {
  /** Names the attempt. */
  readonly id: string;
  /** The number of the attempt among the failed ones in a row, from 1. */
  readonly number: number;
  /** The key of its effects, the same however often it runs; undefined if the run is unknown. */
  keyOf(args: unknown): string | undefined;
  /** False if another process gives the same call another key. */
  isKeyLasting(): boolean;
  generated(): void;
  /** Says how long keeping the attempt's state apart took. */
  isolated(milliseconds: () => number | undefined): void;
  validated(): void;
  executed(committed: boolean): void;
  /** Records why the attempt failed; `violated` is the guardrail, if one did not allow it. */
  failed(stage: FailureStage, errorClass: string, message: string, violated?: Violated): void;
  /** The attempt did not succeed. */
  rolledBack(end: FailedEnd): void;
  /** The attempt succeeded. */
  succeeded(): void;
  /** The failed attempts of the sequence. */
  failures(): readonly AttemptFailure[];
  /** How many calls have failed in the latest turn in which one did. */
  failedInTurn(): number;
}

/** What traces of one set of guardrails share. */
export interface TraceServices {
  /** Those who hear of the attempts of all contracts. */
  readonly listeners: Pick<Reports, "emit">;
  readonly sequences: Sequences;
  readonly health: Health;
  readonly clock: () => number;
}

/** The number of an attempt, from 1: among the failed ones in a row, and in each lane. */
export interface AttemptNumbers {
  /** The sum of the failed ones of both lanes by default. */
  readonly number?: number;
  readonly guardrail: number;
  /** By default one more than the retries that the lane has granted. */
  readonly outcome?: number;
}

/** Begins the trace of an attempt. */
export function openTrace(
  identity: TracedCall,
  numbers: AttemptNumbers,
  reports: Reports,
  { sequences, health, clock, listeners }: TraceServices,
): Trace {
  const { tool, callId } = identity;
  const sequence = sequences.of(identity);
  const { guardrail, outcome = sequence.outcomeRetries + 1 } = numbers;
  const { number = guardrail + outcome - 1 } = numbers;
  const id = `${callId}#${number}`;
  // A host that counts from its history goes on where another process was.
  sequence.guardrailRetries = Math.max(sequence.guardrailRetries, guardrail - 1);
  sequence.outcomeRetries = Math.max(sequence.outcomeRetries, outcome - 1);
  // Providers without ids give all calls none.
  const ownCall: unknown = callId === "" ? {} : callId;
  let violation: Violated | undefined;
  let hasCommitted = false;
  let isValidated = false;
  const stages: AttemptStage[] = [];
  let given: GivenKey | undefined;
  let isolation: () => number | undefined = () => undefined;

  /** Emits for those who listen to a contract, and to the guardrails. */
  function announce<Name extends keyof Events>(name: Name, make: () => Events[Name]): void {
    const event = lazily(make);
    reports.emit(name, event);
    listeners.emit(name, event);
  }

  function emit(stage: AttemptStage, end?: FailedEnd): void {
    stages.push(stage);
    announce("attempt", () => eventOf(stage, end));
    const isRepaired = stage === "executed" && hasCommitted && sequence.failures.length > 0;
    if (stage === "rolled_back" || isRepaired) reports.log(lineOf(eventOf(stage, end)), LINE);
  }

  /** A call that merely succeeds has no line; what was wrong is in words that the log does not repeat. */
  function lineOf(event: AttemptEvent): PackageLogFields {
    const { tool: tool_name, attempt_failures: _, latest_failure_message: __, ...rest } = event;
    const { outcome: ended, ...fields } = rest;
    return {
      level: "info",
      package: "guardrails",
      tool_name,
      ...fields,
      attempt_stages: stages,
      ...(ended && { outcome: ended.error_type }),
    };
  }

  function eventOf(stage: AttemptStage, end: FailedEnd | undefined): AttemptEvent {
    const failures = Object.freeze([...sequence.failures]);
    const latest = failures.at(-1);
    const isolationMs = isolation();
    return {
      attempt_id: id,
      attempt_stage: stage,
      validation_failure_type: violation?.guardrail ?? null,
      rollback_applied: end?.rollbackApplied ?? false,
      retry_feedback_injected: end?.retry ?? false,
      guardrail_recovery_attempts: sequence.guardrailRetries,
      guardrail_retry_exhausted: end?.lane === "guardrail" && end.exhausted,
      outcome_repair_attempts: sequence.outcomeRetries,
      outcome_repair_triggered: end?.lane === "outcome" && end.retry,
      outcome_repair_retry_exhausted: end?.lane === "outcome" && end.exhausted,
      latest_failure_stage: latest?.stage ?? null,
      latest_failure_class: latest?.error_class ?? null,
      latest_failure_message: latest?.error_message ?? null,
      attempt_failures: failures,
      validation_result: violation ? "failed" : isValidated ? "pass" : null,
      guardrail_class: violation?.class ?? null,
      tool,
      call_id: callId,
      committed: hasCommitted,
      ...(isolationMs !== undefined && { isolation_ms: isolationMs }),
      ...(end && end.failures.length > 0 && { compensation_failures: end.failures }),
      ...(end?.retryAfterMs !== undefined && { retry_after_ms: end.retryAfterMs }),
      ...(end?.outcome && { outcome: end.outcome }),
    };
  }

  function pressured(found: ToolHealth | undefined): void {
    if (found) announce("tool-pressure", () => ({ ...found, tool }));
  }

  return {
    id,
    number,
    failures: () => [...sequence.failures],
    failedInTurn: () => sequence.failing.calls.size,
    keyOf: (args) => (given ??= giveKey(sequence, identity, args))?.key,
    isKeyLasting: () => given?.isLasting !== false,
    generated() {
      health.called(tool);
      emit("generated");
    },
    isolated(milliseconds) {
      isolation = milliseconds;
    },
    validated() {
      // An attempt that runs again, because another one committed first, is still the same.
      if (isValidated) return;
      isValidated = true;
      emit("validated");
    },
    executed(committed) {
      hasCommitted = committed;
      emit("executed");
    },
    failed(stage, errorClass, message, violated) {
      violation = violated;
      const failure = Object.freeze({
        attempt_id: id,
        stage,
        error_class: reports.sanitize(errorClass, MAX_NAME),
        error_message: reports.sanitize(withoutPersons(message), MAX_MESSAGE),
        timestamp: new Date(clock()).toISOString(),
        call_id: callId,
      });
      sequences.failed(sequence, identity, failure);
    },
    rolledBack(end) {
      // Parallel calls of one turn are one attempt, and get one retry.
      if (end.retry && end.lane === "guardrail") sequence.guardrailRetries = end.attempt;
      if (given) given.hasFailed = true;
      if (end.retry && end.lane === "outcome") sequence.outcomeRetries = end.attempt;
      if (end.lane !== "generation") health.rolledBack(tool);
      emit("rolled_back", end);
      reopen();
      if (end.retry || end.lane === undefined) return;
      finish(end.exhausted && end.lane !== "generation" ? end.lane : "stopped");
    },
    succeeded() {
      if (given) given.hasSucceeded = true;
      const { turn, calls } = sequence.failing;
      calls.delete(ownCall);
      const isWhole = turn !== turnOf(identity) || calls.size === 0;
      if (isWhole) finish(sequence.failures.length > 0 ? "repaired" : "succeeded");
    },
  };

  /** Parallel calls of one turn are one sequence, which ends once. */
  function finish(end: SequenceEnd): void {
    if (sequence.ended !== undefined) return;
    sequence.ended = { end, turn: turnOf(identity) };
    sequences.over(sequence, identity);
    // Other turns that were under way when the budget was spent.
    if (sequence.isSpent && (end === "guardrail" || end === "outcome")) return;
    pressured(health.ended(tool, end));
  }

  /** Another call of the turn has succeeded, or is going to, but this one failed. */
  function reopen(): void {
    const turn = turnOf(identity);
    if (sequence.failing.turn !== turn) sequence.failing = { turn, calls: new Set() };
    sequence.failing.calls.add(ownCall);
    const { end } = sequence.ended ?? {};
    if (end !== "succeeded" && end !== "repaired") return;
    sequence.ended = undefined;
    health.reopened(tool, end);
  }
}
