import type { StageAnswer, StageRefusal, StageReports } from "@toolcontract/core/stage";
import {
  type Ended,
  type FailedTransaction,
  type RefusedTransaction,
  failedIn,
  notPossible,
  withoutRun,
} from "./transaction/index.ts";
import { feedbackOn, verdictOn } from "./feedback.ts";
import { outcomeOf } from "./typed-outcomes.ts";

/** The answer to a call of a tool that an earlier failure has closed. */
export function closedBy(reason: string): Ended<RefusedTransaction> {
  return withoutRun(failedIn("outcome_policy", notPossible(reason), reason));
}

export function refusalOf(
  tool: string,
  refused: Ended<RefusedTransaction>,
  reports: Pick<StageReports, "sanitize">,
): StageRefusal {
  const { lane, closes, found, undone } = refused;
  return {
    action: closes === undefined ? "retry" : "stop",
    lane,
    errors: found.map(({ error }) => error),
    ...(undone !== undefined && { undone }),
    outcomeOf: (attempt) => outcomeOf(tool, refused, attempt),
    feedbackOf: (attempt, remaining) => ({
      ...verdictOn(refused),
      ...feedbackOn(refused, { attempt_number: attempt, remaining_budget: remaining }, reports),
    }),
  };
}

/** The tool succeeded, and the model reads why the result is withheld. */
export function withheldAs({ why }: { readonly why: string }): StageAnswer {
  return { action: "fail", value: undefined, message: why, withheld: "done" };
}

export function failureOf({
  value,
  message,
  undone,
  isWithheld,
}: Ended<FailedTransaction>): StageAnswer {
  return {
    action: "fail",
    value,
    ...(isWithheld === true && { withheld: "failed" }),
    ...(message !== undefined && { message }),
    ...(undone !== undefined && { undone }),
  };
}
