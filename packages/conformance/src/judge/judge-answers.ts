import type { ClauseId, Scenario, ScenarioFault } from "../shared/index.ts";
import { withUnseen } from "./judge-runs.ts";
import type { SeenCallResult } from "./seen-calls.ts";
import { echoesAll, mentions, mentionsAny, shownValue, sizeInWords, withoutEcho } from "./text.ts";
import type { ClauseVerdict } from "./verdict.ts";

/** Words of which one says that something was cut. */
export const SAYS_CUT: readonly string[] = [
  "cut",
  "truncated",
  "incomplete",
  "unfinished",
  "unterminated",
  "unexpected end",
  "end of input",
  "ended early",
  "ends early",
  "ended before",
  "not complete",
  "never closed",
  "not closed",
  "max_tokens",
];
/** Words of which one says that something is not JSON. */
export const SAYS_SYNTAX: readonly string[] = ["json", "parse", "parsed", "syntax", "malformed"];

/** What the answers to the refused calls of a run say. */
export function judgeAnswers(
  scenario: Scenario,
  calls: readonly SeenCallResult[],
  hasErrorMark: boolean,
): readonly ClauseVerdict[] {
  const refused = calls.filter(isRefused);
  const judge = (
    clause: ClauseId,
    applies: (one: SeenCallResult) => boolean,
    lossesIn: (one: SeenCallResult, text: string) => readonly string[],
  ): readonly ClauseVerdict[] => {
    const own = refused.filter(applies);
    if (own.length === 0) return [];
    const faults = own.flatMap((one) =>
      one.answer && !one.wrongRun ? lossesIn(one, one.answer.text) : [],
    );
    const ran = own.find((one) => one.wrongRun);
    if (faults.length === 0 && ran) {
      return [
        { clause, faults: [`${ran.call.tool} ran instead of being refused`], isUnseen: true },
      ];
    }
    return [withUnseen(clause, own, faults)];
  };
  const { secrets = [], maxAnswer } = scenario;
  return [
    ...judge("names-fields", hasNames, fieldFaults),
    ...judge("says-allowed", hasFaults, allowedFaults),
    ...judge("says-syntax", isUnreadable("syntax"), (one, text) =>
      mentionsAny(told(one, text), SAYS_SYNTAX)
        ? []
        : [`the answer does not say that the arguments are not JSON: ${shownValue(text)}`],
    ),
    ...judge("says-cut", isUnreadable("cut"), (one, text) =>
      mentionsAny(told(one, text), SAYS_CUT)
        ? []
        : [`the answer does not say that the arguments were cut: ${shownValue(text)}`],
    ),
    ...judge("offers-name", ({ call }) => call.nearest !== undefined, nameFaults),
    ...judge(
      "no-secret",
      () => secrets.length > 0,
      ({ call }, text) =>
        secrets.some((secret) => text.includes(secret))
          ? [`the answer to ${call.tool} repeats the secret that the model sent`]
          : [],
    ),
    ...judge(
      "bounded-answer",
      () => maxAnswer !== undefined,
      (one, text) => lengthFaults(one, text, maxAnswer ?? Infinity),
    ),
    ...judge(
      "flags-error",
      ({ answer }) => hasErrorMark && answer?.isMessage === undefined,
      ({ call, answer }) =>
        answer?.isError === true ? [] : [`the answer to ${call.tool} is not marked as an error`],
    ),
  ];
}

/** Whether a call was refused, or has to be, and there is an answer to look for. */
export function isRefused({ call, run, isEnd }: SeenCallResult): boolean {
  return call.expect !== "runs" && run === undefined && !isEnd;
}

function hasFaults({ call }: SeenCallResult): boolean {
  return call.faults !== undefined;
}

function hasNames({ call }: SeenCallResult): boolean {
  return call.faults?.some(({ names }) => names.length > 0) ?? false;
}

function isUnreadable(how: "cut" | "syntax"): (one: SeenCallResult) => boolean {
  return ({ call }) => call.unreadable === how;
}

function told({ call }: SeenCallResult, text: string): string {
  return withoutEcho(text, call.arguments);
}

function fieldFaults(one: SeenCallResult, text: string): readonly string[] {
  const said = told(one, text);
  const missing = faultsOfCall(one).flatMap(({ names }) =>
    names.filter((name) => !mentions(said, name)),
  );
  if (missing.length === 0) return [];
  return [`the answer does not name ${missing.join(", ")}: ${shownValue(text)}`];
}

function allowedFaults(one: SeenCallResult, text: string): readonly string[] {
  const said = told(one, text);
  const missing = faultsOfCall(one).flatMap(({ says }) =>
    says.filter((words) => !mentionsAny(said, words)).map(([word = ""]) => word),
  );
  if (missing.length === 0) return [];
  return [
    `the answer does not say ${missing.map((word) => `"${word}"`).join(", ")}: ${shownValue(text)}`,
  ];
}

function faultsOfCall({ call }: SeenCallResult): readonly ScenarioFault[] {
  return call.faults ?? [];
}

function nameFaults({ call }: SeenCallResult, text: string): readonly string[] {
  const { nearest = "" } = call;
  if (mentions(text, nearest)) return [];
  return [`the answer to ${call.tool} does not say ${nearest}: ${shownValue(text)}`];
}

function lengthFaults({ call }: SeenCallResult, text: string, limit: number): readonly string[] {
  if (text.length <= limit) return [];
  const isEcho = echoesAll(text, call.arguments);
  const what = isEcho
    ? `sent the whole ${sizeInWords(call.arguments.length)} of arguments back`
    : `answered with ${sizeInWords(text.length)}`;
  return [`${what}; ${sizeInWords(limit)} are enough`];
}
