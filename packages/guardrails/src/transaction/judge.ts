import { errorClass } from "@toolcontract/core/adapter";
import { type ClassifiedFailure, classifyFailure, isNotDone, isOutcome } from "../outcome/index.ts";
import type { Classification, Effect } from "../shared/index.ts";
import { UncopyableStateError } from "../state/index.ts";
import { foundBy } from "./read-verdict.ts";
import { askingAbout } from "./check-context.ts";
import { runChecks } from "./checks.ts";
import {
  type TransactionJudgement,
  failedIn,
  maybeCommitted,
  notCommitted,
  toolFailure,
  unknownOutcome,
  violatedBy,
} from "./judgement.ts";
import type { Reads } from "./reads.ts";
import type { Engine, TransactionRequest } from "./request.ts";
import type { FailedRun, Ran } from "./run.ts";

/** Whether what a tool did is kept or undone. */
export type JudgedRun = { readonly kind: "keep"; readonly value: unknown } | ToUndo;

/** What a tool did may not stay, or cannot. */
export interface ToUndo {
  readonly kind: "undo";
  readonly judgement: TransactionJudgement;
  /** The effect that decides what may be reported as undone; absent if nothing is reported. */
  readonly effect?: Effect | undefined;
  /** True if the tool says that nothing has happened. */
  readonly isNotDone?: boolean;
  /** True if the state may have been committed, so that nothing may be reported as undone. */
  readonly isUnsure?: boolean;
  /** Why the state could not be committed, for the log. */
  readonly unsaved?: Readonly<Record<string, unknown>>;
  /** Why the user's own `classify` was not used, for the log. */
  readonly fault?: string | undefined;
}

/** Classifies a failure, and asks the commit guardrails about a success. */
export async function judge(
  ran: Ran,
  request: TransactionRequest,
  engine: Engine,
  reads: Reads,
): Promise<JudgedRun> {
  const { policy } = request;
  if (ran.kind === "unsaved") return unsaved(ran.thrown, policy.effect);
  if (ran.kind === "failed") return judgeFailure(ran, request, engine);
  const { value, state } = ran;
  const watched = reads.watch(state);
  const asking = askingAbout(request, { state: () => watched, result: value });
  const found = await runChecks(policy.commit, asking, engine.limits.guardrail);
  if (found.length === 0) return { kind: "keep", value };
  return { kind: "undo", judgement: violatedBy(found), effect: policy.effect };
}

function judgeFailure(
  ran: FailedRun,
  { tool, args, signal, policy, repairsBugs }: TransactionRequest,
  { classify }: Engine,
): ToUndo {
  const { error, thrown } = ran;
  const failure = classifyFailure(error, { tool, args, thrown }, { classify, signal });
  switch (failure.kind) {
    case "control-flow":
      return { kind: "undo", judgement: { kind: "threw", error } };
    case "violation": {
      const judgement = violatedBy(foundBy(failure.violation));
      return { kind: "undo", judgement, effect: policy.effect };
    }
    case "failure": {
      const notDone = isNotDone(error);
      const effect = notDone ? "state" : policy.effect;
      const judgement = failedAs(ran, failure, effect, repairsBugs);
      return { kind: "undo", judgement, effect, fault: failure.fault, isNotDone: notDone };
    }
  }
}

function failedAs(
  { error, thrown }: FailedRun,
  { classification, message }: Extract<ClassifiedFailure, { kind: "failure" }>,
  effect: Effect,
  repairsBugs: boolean,
): TransactionJudgement {
  const { error_type: type } = classification;
  if (isRepairable(classification, effect, repairsBugs)) {
    return failedIn(thrown ? "execution" : "outcome_policy", toolFailure(type, message));
  }
  if (!thrown) {
    const text = isOutcome(error) ? { message } : {};
    return { kind: "failed", value: error, type, failure: classification, ...text };
  }
  if (effect === "irreversible") {
    return failedIn("execution", unknownOutcome(type), "outcome_unknown");
  }
  return { kind: "threw", error, failure: classification };
}

/** Whether another call may repair a failure: the model can, and what the tool did is undone or may be repeated. */
function isRepairable(
  { class: kind, retriable, terminal }: Classification,
  effect: Effect,
  repairsBugs: boolean,
): boolean {
  if (effect === "irreversible" || kind === "extrinsic" || terminal !== undefined) return false;
  return retriable || (repairsBugs && kind === "intrinsic");
}

/** Judges a call whose state could not be committed. */
export function unsaved(thrown: unknown, effect: Effect): ToUndo {
  const error = errorClass(thrown);
  const judgement = failedIn("execution", notCommitted(error), "state_not_committed");
  return { kind: "undo", judgement, effect, unsaved: { error, ...detailsOf(thrown) } };
}

/** Judges a call whose store failed while it committed: the store may have saved all of it. */
export function maybeSaved(thrown: unknown): ToUndo {
  const error = errorClass(thrown);
  const judgement = failedIn("execution", maybeCommitted(error), "state_not_committed");
  return { kind: "undo", judgement, unsaved: { error }, isUnsure: true };
}

/** Where it could not be committed, or what to do about it; never a value. */
function detailsOf(thrown: unknown): Readonly<Record<string, unknown>> {
  if (thrown instanceof UncopyableStateError) return { place: thrown.path, slot: thrown.slot };
  return thrown instanceof ConflictError ? { fix: thrown.fix } : {};
}

/** Two transactions changed the same slots, and this one may not run again. */
export class ConflictError extends Error {
  override readonly name: string = "ConflictError";
  readonly fix = "declare the effect or the locks of the tool";
}
