import type { StageAnswer, StageRefusal, StageReports } from "@toolcontract/core/stage";
import {
  type Ended,
  type FailedTransaction,
  type RefusedTransaction,
  failedIn,
  notPossible,
  unknownOutcome,
  withoutRun,
} from "./transaction/index.ts";
import { feedbackOn, verdictOn } from "./feedback.ts";
import { outcomeOf } from "./typed-outcomes.ts";

/** The answer to a call of a tool that an earlier failure has closed. */
export function closedBy(reason: string): Ended<RefusedTransaction> {
  return withoutRun(failedIn("outcome_policy", notPossible(reason), reason));
}

/** The answer to a call that was cancelled while its tool ran, and comes again. */
export function brokenOff(tool: string): StageRefusal {
  const refused = failedIn("execution", unknownOutcome("cancelled"), "outcome_unknown");
  return refusalOf(tool, withoutRun(refused), AS_IT_IS);
}

/** Nothing in it comes from a call. */
const AS_IT_IS = { sanitize: (text: string) => text };

export function refusalOf(
  tool: string,
  refused: Ended<RefusedTransaction>,
  reports: Pick<StageReports, "sanitize">,
): StageRefusal {
  const { lane, closes, isHosts, found, undone } = refused;
  return {
    action: isHosts === true ? "skip" : closes === undefined ? "retry" : "stop",
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
