import { isJson } from "@toolcontract/core/adapter";
import type { ProgramEnd, Scenario, Transcript } from "../shared/index.ts";
import { isRefused } from "./judge-answers.ts";
import { withUnseen } from "./judge-runs.ts";
import { isLoop, MOST_TRIES } from "./loop.ts";
import { isAllowedEnd, type SeenCallResult } from "./seen-calls.ts";
import { mentionsAny, shownValue } from "./text.ts";
import type { ClauseVerdict } from "./verdict.ts";

const SAYS_STOP = [
  "stop",
  "do not call",
  "don't call",
  "do not retry",
  "don't retry",
  "do not try",
  "don't try",
  "do not use",
  "no more attempts",
  "no attempts left",
  "attempts are used up",
  "too many",
  "give up",
  "giving up",
  "blocked",
  "disabled",
  "limit reached",
  "exhausted",
  "last attempt",
  "final attempt",
];

/** What became of the conversation as a whole. */
export function judgeConversation(
  scenario: Scenario,
  transcript: Transcript,
  calls: readonly SeenCallResult[],
): readonly ClauseVerdict[] {
  return [
    survival(scenario, transcript, calls),
    ...matching(calls),
    ...results(calls),
    ...judgeLoop(scenario, transcript, calls),
    ...judgeWords(scenario, transcript, calls),
    ...readableHistory(transcript, calls),
    ...approvals(transcript, calls),
  ];
}

function survival(
  scenario: Scenario,
  { requests, script, end }: Transcript,
  calls: readonly SeenCallResult[],
): ClauseVerdict {
  const clause = "survives";
  if (requests.length === 0) {
    return { clause, faults: [`the program never asked the model; it ${endInWords(end)}`] };
  }
  const isDone = requests.length > script.length;
  const latest = script[requests.length - 1];
  const mayEnd = isAllowedEnd(latest?.turn, end);
  const mayStop = isLoop(scenario) && requests.length > 1 && end.kind !== "time";
  const faults: string[] = [];
  if (!isDone && !mayEnd && !mayStop) {
    const names = (latest?.calls ?? []).map(({ call }) => call.tool).join(", ");
    faults.push(`the run ended at the call of ${names}: it ${endInWords(end)}`);
  } else if (end.kind !== "ended" && !mayEnd && !isLoop(scenario)) {
    faults.push(`the program ${endInWords(end)}`);
  }
  const last = requests.length - 1;
  const unanswered = calls.filter(
    ({ turn, answer, isEnd }) => turn < last && answer === undefined && !isEnd,
  );
  faults.push(...unanswered.map(({ call }) => `the call of ${call.tool} has no answer`));
  return { clause, faults };
}

/** How a program ended, after its name. */
export function endInWords(end: ProgramEnd): string {
  switch (end.kind) {
    case "ended":
      return "ended without an error";
    case "failed":
      return `failed: ${end.reason}`;
    case "time":
      return `was still running after ${end.seconds} s`;
    case "count":
      return "went on asking after the model had said that it is done";
  }
}

function matching(calls: readonly SeenCallResult[]): readonly ClauseVerdict[] {
  const own = calls.filter(
    ({ siblings, call, sameIds }) => sameIds === 1 && (siblings > 0 || call.id !== undefined),
  );
  if (own.length === 0) return [];
  const receipts = calls.flatMap(({ run }) => run?.receipt ?? []);
  const faults = own.flatMap(({ call, answer, run }) => {
    if (answer === undefined) return [];
    if (answer.count > 1) return [`the call of ${call.tool} has ${answer.count} answers`];
    const foreign = receipts.some(
      (receipt) => receipt !== run?.receipt && answer.text.includes(receipt),
    );
    return foreign ? [`the call of ${call.tool} got the answer to another call`] : [];
  });
  return [withUnseen("answers-match", own, faults)];
}

function results(calls: readonly SeenCallResult[]): readonly ClauseVerdict[] {
  const own = calls.filter(({ call, run }) => call.expect === "runs" || run !== undefined);
  if (own.length === 0) return [];
  const faults = own.flatMap(({ call, run, answer }) =>
    run === undefined || answer === undefined || answer.text.includes(run.receipt)
      ? []
      : [`the result of ${call.tool} did not reach the model: ${shownValue(answer.text)}`],
  );
  const idle = own.find(({ run }) => run === undefined);
  if (faults.length === 0 && idle) {
    const fault = `${idle.call.tool} did not run`;
    return [{ clause: "result-intact", faults: [fault], isUnseen: true }];
  }
  return [withUnseen("result-intact", own, faults)];
}

function judgeLoop(
  scenario: Scenario,
  { requests, end }: Transcript,
  calls: readonly SeenCallResult[],
): readonly ClauseVerdict[] {
  if (!isLoop(scenario)) return [];
  const [first, ...later] = calls.slice(0, MOST_TRIES);
  if (first?.answer === undefined) return [withUnseen("loop-ends", [], [])];
  const wrong = calls.find((one) => one.wrongRun);
  if (wrong) {
    const fault = `${wrong.call.tool} ran instead of being refused`;
    return [{ clause: "loop-ends", faults: [fault], isUnseen: true }];
  }
  const isTold = later.some(
    ({ answer }) => answer !== undefined && mentionsAny(answer.text, SAYS_STOP),
  );
  const hasStopped = requests.length <= MOST_TRIES && end.kind !== "time";
  if (isTold || hasStopped) return [{ clause: "loop-ends", faults: [] }];
  const tries = requests.length - 1;
  const fault = `the model sent ${tries} bad calls of ${first.call.tool}, and nothing told it to stop`;
  return [{ clause: "loop-ends", faults: [fault] }];
}

/** Whether a model that never learns was asked for words, and the run ended with them. */
function judgeWords(
  { turns }: Scenario,
  { requests, end }: Transcript,
  calls: readonly SeenCallResult[],
): readonly ClauseVerdict[] {
  const clause = "ends-in-words";
  if (turns.every(({ whileOffered }) => whileOffered !== true)) return [];
  const [first] = calls;
  const words = requests.findIndex(({ mayCall }) => !mayCall);
  if (first?.answer === undefined) return [withUnseen(clause, [], [])];
  if (words === 0) return [{ clause, faults: ["the model was offered no tool"], isUnseen: true }];
  const wrong = calls.find((one) => one.wrongRun);
  if (wrong)
    return [
      { clause, faults: [`${wrong.call.tool} ran instead of being refused`], isUnseen: true },
    ];
  const { length: sent } = requests.slice(0, MOST_TRIES);
  const faults =
    words === -1 || words >= MOST_TRIES
      ? [`the model was asked ${sent} times with tools, and not once for words alone`]
      : [];
  const isOver = faults.length > 0 || end.kind === "ended";
  return [{ clause, faults: isOver ? faults : [`the program ${endInWords(end)}`] }];
}

function readableHistory(
  { requests }: Transcript,
  calls: readonly SeenCallResult[],
): readonly ClauseVerdict[] {
  const own = calls.filter((one) => one.call.unreadable !== undefined && isRefused(one));
  if (own.length === 0) return [];
  const kept = requests.flatMap(({ history }) =>
    history.flatMap((entry) => (entry.kind === "calls" ? entry.calls : [])),
  );
  const faults = kept
    .filter(({ text }) => text !== undefined && text !== "" && !isJson(text))
    .map(
      ({ name, text }) => `the call of ${name} went back to the provider as ${shownValue(text)}`,
    );
  return [withUnseen("readable-history", own, [...new Set(faults)])];
}

/** Only a program that asks somebody can ask too early. */
function approvals(
  { approvals: asked }: Transcript,
  calls: readonly SeenCallResult[],
): readonly ClauseVerdict[] {
  if (asked.length === 0) return [];
  const faults = calls
    .filter(
      (one) =>
        isRefused(one) &&
        one.wrongRun === undefined &&
        asked.some(({ turn, name }) => turn === one.turn + 1 && name === one.call.tool),
    )
    .map(({ call }) => `somebody was asked to approve a bad call of ${call.tool}`);
  return [{ clause: "nobody-asked", faults }];
}
