import type {
  PlayedCall,
  ProgramEnd,
  Scenario,
  ScenarioCall,
  ScenarioTurn,
  SeenRun,
  Transcript,
} from "../shared/index.ts";
import { findAnswers, type SeenAnswer } from "./find-answer.ts";
import { isLoop } from "./loop.ts";
import { matchRuns } from "./match-runs.ts";

/** All that became of one call. */
export interface SeenCallResult {
  readonly turn: number;
  readonly call: ScenarioCall;
  readonly answer?: SeenAnswer;
  /** The run that the call allows. */
  readonly run?: SeenRun;
  /** The run that it must not have. */
  readonly wrongRun?: SeenRun;
  /** How the call relates to bad ones: in the same turn, after one, or neither. */
  readonly role: "sibling" | "corrected" | "valid" | "bad";
  /** How often its id occurs in the message. */
  readonly sameIds: number;
  readonly siblings: number;
  /** True if the run ended with it, as it may, or the connection did: there is no answer to read. */
  readonly isEnd?: true;
}

/** All that became of the calls of a run. */
export interface SeenCalls {
  readonly calls: readonly SeenCallResult[];
  /** Other runs: a call's second run, or a tool that was not called. */
  readonly others: readonly SeenRun[];
}

/** Finds the answer and the run of every call that the model made. */
export function seenCalls(scenario: Scenario, transcript: Transcript): SeenCalls {
  const { requests, script, runs, end } = transcript;
  const lastSent = requests.length - 1;
  const mayEndHere = isAllowedEnd(script[lastSent]?.turn, end);
  // A loop may end at any time, so nothing is missing after that.
  const isCutShort = mayEndHere || isLoop(scenario);
  const played = isCutShort
    ? script.slice(0, Math.max(1, lastSent + (mayEndHere ? 1 : 0)))
    : script;

  const others: SeenRun[] = [];
  const calls: SeenCallResult[] = [];
  for (const [turn, { turn: said, calls: made }] of played.entries()) {
    const next = requests[turn + 1];
    const answers = next ? findAnswers(next.history, made) : [];
    const matched = matchRuns(
      made,
      runs.filter((run) => run.turn === turn + 1),
    );
    others.push(...matched.others);
    for (const [index, { id, call }] of made.entries()) {
      const answer = answers[index];
      const run = matched.runs[index];
      const wrongRun = matched.wrongRuns[index];
      calls.push({
        turn,
        call,
        ...(answer && { answer }),
        ...(run && { run }),
        ...(wrongRun && { wrongRun }),
        ...((said.drops || (mayEndHere && turn === lastSent)) && { isEnd: true }),
        role: roleOf(call, made, calls),
        sameIds: made.filter((one) => one.id === id).length,
        siblings: made.length - 1,
      });
    }
  }
  // A tool that ran before the model's first message was not called by it.
  others.push(...runs.filter(({ turn }) => turn === 0 || turn > script.length));
  return { calls, others };
}

/** Whether a run may end after a message as it did: a connection that breaks may be an error. */
export function isAllowedEnd(turn: ScenarioTurn | undefined, end: ProgramEnd): boolean {
  if (turn?.mayEnd !== true) return false;
  return end.kind === "ended" || (turn.drops === true && end.kind === "failed");
}

function roleOf(
  call: ScenarioCall,
  made: readonly PlayedCall[],
  before: readonly SeenCallResult[],
): SeenCallResult["role"] {
  if (call.expect !== "runs") return "bad";
  if (made.some((one) => one.call.expect !== "runs")) return "sibling";
  const isAnswerTo = (bad: ScenarioCall): boolean =>
    bad.expect !== "runs" && (bad.tool === call.tool || bad.nearest === call.tool);
  return before.some((one) => isAnswerTo(one.call)) ? "corrected" : "valid";
}
