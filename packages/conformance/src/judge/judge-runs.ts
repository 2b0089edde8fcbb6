import type { ClauseId, SeenRun } from "../shared/index.ts";
import type { SeenCallResult, SeenCalls } from "./seen-calls.ts";
import { shownValue } from "./text.ts";
import type { ClauseVerdict } from "./verdict.ts";

const RUNS: Readonly<Record<Exclude<SeenCallResult["role"], "bad">, ClauseId>> = {
  valid: "valid-runs",
  sibling: "siblings-run",
  corrected: "corrected-runs",
};

/** What ran that must not, and what did not run that must. */
export function judgeRuns(seen: SeenCalls): readonly ClauseVerdict[] {
  const { calls, others } = seen;
  const bad = calls.filter(({ role }) => role === "bad");
  const isCut = ({ call }: SeenCallResult): boolean => call.unreadable === "cut";

  const verdicts: ClauseVerdict[] = [];
  const judge = (clause: ClauseId, of: readonly SeenCallResult[], faults: readonly string[]) => {
    if (of.length > 0) verdicts.push(withUnseen(clause, of, faults));
  };
  const whole = bad.filter((one) => !isCut(one) && one.call.digits === undefined);
  judge("schema-holds", whole, whole.flatMap(wrongRunFaults));
  const cut = bad.filter(isCut);
  judge("half-never-runs", cut, cut.flatMap(halfRunFaults));
  for (const role of ["valid", "sibling", "corrected"] as const) {
    const own = calls.filter((one) => one.role === role);
    judge(RUNS[role], own, runFaults(own, others));
  }
  const exact = bad.filter(({ call }) => call.digits !== undefined);
  judge("exact-numbers", exact, exact.flatMap(digitFaults));
  return verdicts;
}

function wrongRunFaults({ call, wrongRun }: SeenCallResult): readonly string[] {
  if (wrongRun === undefined) return [];
  const { name, arguments: input } = wrongRun;
  const isAsSent = sameJson(call.arguments, input);
  const way = isAsSent ? "which its schema forbids" : "which the model did not send";
  return [`${name} ran with ${shownValue(input)}, ${way}`];
}

function halfRunFaults({ wrongRun }: SeenCallResult): readonly string[] {
  if (wrongRun === undefined) return [];
  return [`${wrongRun.name} ran with ${shownValue(wrongRun.arguments)}, half of what was meant`];
}

function sameJson(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

function runFaults(own: readonly SeenCallResult[], others: readonly SeenRun[]): readonly string[] {
  return own.flatMap(({ call, run, turn, answer }) => {
    const extra = others.find((one) => one.name === call.tool && one.turn === turn + 1);
    if (run !== undefined) return extra ? [`${call.tool} ran more than once`] : [];
    if (extra)
      return [`${call.tool} ran with ${shownValue(extra.arguments)} instead of what was sent`];
    return answer ? [`${call.tool} did not run; the answer was ${shownValue(answer.text)}`] : [];
  });
}

function digitFaults({ call, run }: SeenCallResult): readonly string[] {
  const { digits = "" } = call;
  if (run === undefined || run.body.includes(digits)) return [];
  return [`${call.tool} ran with ${shownValue(run.arguments)} in place of ${digits}`];
}

/** Adds a fault for the calls that were never answered: they prove nothing. */
export function withUnseen(
  clause: ClauseId,
  calls: readonly SeenCallResult[],
  faults: readonly string[],
): ClauseVerdict {
  if (faults.length > 0) return { clause, faults };
  if (calls.length > 0 && calls.every(({ answer, isEnd }) => answer !== undefined || isEnd)) {
    return { clause, faults: [] };
  }
  return { clause, faults: ["the run ended before the model got an answer"], isUnseen: true };
}
