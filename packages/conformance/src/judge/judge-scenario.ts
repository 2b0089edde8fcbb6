import { type Check, clauseOf, CLAUSES, type Scenario, type Transcript } from "../shared/index.ts";
import { judgeAnswers } from "./judge-answers.ts";
import { judgeConversation } from "./judge-conversation.ts";
import { judgeFinalAnswer } from "./judge-final-answer.ts";
import { judgeFormat, speaksFormat } from "./judge-format.ts";
import { judgeRuns } from "./judge-runs.ts";
import { seenCalls } from "./seen-calls.ts";
import type { ClauseVerdict } from "./verdict.ts";

/** The result of a program in one scenario. */
export interface ScenarioJudgement {
  /** The checks of L1 to L3, or of L5. */
  readonly checks: readonly Check[];
  /** The checks of L4, which are for programs that speak the format. */
  readonly formatChecks: readonly Check[];
  /** True if any answer was in Toolcontract's format. */
  readonly speaksFormat: boolean;
}

/** Judges a run by what the program sent; a clause that the scenario says nothing about has no check. */
export function judgeScenario(
  scenario: Scenario,
  transcript: Transcript,
  hasErrorMark: boolean,
): ScenarioJudgement {
  if (scenario.answer !== undefined) {
    const checks = judgeFinalAnswer(transcript).map((verdict) => checkOfClause(scenario, verdict));
    return { checks, formatChecks: [], speaksFormat: false };
  }
  const seen = seenCalls(scenario, transcript);
  const { calls } = seen;
  const verdicts = [
    ...judgeConversation(scenario, transcript, calls),
    ...judgeRuns(seen),
    ...judgeAnswers(scenario, calls, hasErrorMark),
  ];
  return {
    checks: verdicts
      .toSorted((a, b) => placeOf(a) - placeOf(b))
      .map((verdict) => checkOfClause(scenario, verdict)),
    formatChecks: judgeFormat(calls).map((verdict) => checkOfClause(scenario, verdict)),
    speaksFormat: speaksFormat(calls),
  };
}

/** Checks are in the order of the specification. */
function placeOf({ clause }: ClauseVerdict): number {
  return CLAUSES.findIndex(({ id }) => id === clause);
}

function checkOfClause(
  { id: scenario }: Scenario,
  { clause, faults, isUnseen }: ClauseVerdict,
): Check {
  const { level, sentence } = clauseOf(clause);
  const passed = faults.length === 0;
  const said = [...new Set(faults)].join("; ");
  const message = passed
    ? sentence
    : `${isUnseen ? "Not judged: " : ""}${said}. The clause: ${sentence}`;
  return { id: `${scenario}/${clause}`, level, scenario, passed, message };
}
