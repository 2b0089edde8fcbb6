import type { Undone } from "@toolcontract/core/stage";
import type { Classification, FailureStage } from "../shared/index.ts";
import type { Found } from "./read-verdict.ts";
import { NOTHING_DONE, type Rollback } from "./live-transaction.ts";

/** The end of a call that does not succeed. */
export type TransactionJudgement =
  | RefusedTransaction
  | AskedTransaction
  | FailedTransaction
  | Threw;

/** The call goes back to the model, or its tool is closed. */
export interface RefusedTransaction {
  readonly kind: "refused";
  readonly lane: "guardrail" | "outcome";
  /** Where the call failed. */
  readonly stage: FailureStage;
  /** The guardrail's name, or the type of the outcome. */
  readonly type: string;
  readonly found: readonly Found[];
  /** The type of the outcome if the tool is closed at once. */
  readonly closes?: string;
  /** True if something is missing that only the host could have passed, so that it counts as no attempt. */
  readonly isHosts?: boolean;
}

/** A person is asked before the tool runs. */
export interface AskedTransaction {
  readonly kind: "asked";
  /** What is asked. */
  readonly found: readonly Found[];
}

/** The tool failed in a way that no other call repairs: reported, not counted. */
export interface FailedTransaction {
  readonly kind: "failed";
  readonly value: unknown;
  readonly type: string;
  /** What the model reads; if absent, the model reads the value. */
  readonly message?: string;
  /** True if an output guardrail has withheld what the tool returned. */
  readonly isWithheld?: boolean;
  readonly failure?: Classification;
}

/** What the tool threw reaches the host as the same object. */
interface Threw {
  readonly kind: "threw";
  readonly error: unknown;
  /** Absent if it is not a failure, such as a cancelled call. */
  readonly failure?: Classification;
}

/** A judgement, and what was undone. */
export type Ended<Judged extends TransactionJudgement = TransactionJudgement> = Judged & {
  readonly rollback: Rollback;
  /** What the model may be told of it. */
  readonly undone?: Undone;
};

/** How a transaction ended. */
export type TransactionEnd = Succeeded | Ended;

/** The tool succeeded, and what it did stays. */
interface Succeeded {
  readonly kind: "succeeded";
  readonly value: unknown;
  /** Set if an output guardrail has withheld the result; `value` is then undefined. */
  readonly withheld?: { readonly type: string; readonly why: string };
}

/** The end of a call whose tool has not run, so there was nothing to undo. */
export function withoutRun<Judged extends TransactionJudgement>(judgement: Judged): Ended<Judged> {
  return { ...judgement, rollback: NOTHING_DONE };
}

/** Guardrails found violations; a terminal one hides the others. */
export function violatedBy(found: readonly Found[]): RefusedTransaction {
  const terminal = found.find((one) => one.terminal !== undefined);
  // What the model can fix does not help while something else is missing.
  const missing = terminal ? [] : found.filter((one) => one.isHosts === true);
  const shown = terminal ? [terminal] : missing.length > 0 ? missing : found;
  return {
    kind: "refused",
    lane: "guardrail",
    stage: "validation",
    type: shown[0]?.type ?? "",
    found: shown,
    ...(terminal?.terminal !== undefined && { closes: terminal.terminal }),
    ...(missing.length > 0 && { isHosts: true }),
  };
}

/** The tool failed: the model may repair it, unless it `closes` the tool. */
export function failedIn(stage: FailureStage, found: Found, closes?: string): RefusedTransaction {
  return {
    kind: "refused",
    lane: "outcome",
    stage,
    type: found.type,
    found: [found],
    ...(closes !== undefined && { closes }),
  };
}

/** What the model reads of a tool's failure that it may repair. */
export function toolFailure(type: string, message: string): Found {
  return { type, message, error: { errorCode: "GRD-005", message } };
}

/** What the model reads of a tool that failed after it had started, and whose effects cannot be undone. */
export function unknownOutcome(type: string): Found {
  const message = "The tool failed after it had started, so nobody knows what it has done";
  return { type, message, error: { errorCode: "GRD-006", message } };
}

/** What the model reads if the state could not be committed. */
export function notCommitted(type: string): Found {
  const message = "What the tool did could not be saved";
  return { type, message, error: { errorCode: "GRD-007", message } };
}

/** What the model reads if the store failed while it committed the state. */
export function maybeCommitted(type: string): Found {
  const message = "Nobody knows whether what the tool did was saved";
  return { type, message, error: { errorCode: "GRD-007", message } };
}

/** What the model reads of a tool that an earlier failure has closed. */
export function notPossible(type: string): Found {
  const message = "The tool cannot be used until something outside is changed";
  return { type, message, error: { errorCode: "GRD-003", message } };
}
