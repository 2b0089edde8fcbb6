import { isDeepStrictEqual } from "node:util";
import type { ScenarioTurn, SeenRequest, Transcript } from "../shared/index.ts";
import { SAYS_CUT, SAYS_SYNTAX } from "./judge-answers.ts";
import { endInWords } from "./judge-conversation.ts";
import { MOST_TRIES } from "./loop.ts";
import { mentions, mentionsAny, shownValue, withoutEcho } from "./text.ts";
import type { ClauseVerdict } from "./verdict.ts";

/** What became of the final answer of a run, and of those that did not fit. */
export function judgeFinalAnswer(transcript: Transcript): readonly ClauseVerdict[] {
  const { script } = transcript;
  const fitting = script.find(({ turn }) => turn.answer?.expect === "fits");
  return [
    judgeEnd(transcript, fitting?.turn),
    ...judgeTold(transcript),
    ...(fitting ? [] : [judgeLoop(transcript)]),
  ];
}

function judgeEnd(
  { requests, answers, end }: Transcript,
  fitting: ScenarioTurn | undefined,
): ClauseVerdict {
  const clause = "answer-fits";
  if (requests.length === 0) {
    return { clause, faults: [`the program never asked the model; it ${endInWords(end)}`] };
  }
  const expected: unknown = fitting && JSON.parse(fitting.text ?? "");
  const wrong = answers.filter((value) => !fitting || !isDeepStrictEqual(value, expected));
  const faults = wrong.map((value) => `the run ended with ${shownValue(value)}`);
  if (fitting && answers.length === 0) {
    faults.push(`the run had no final answer: it ${endInWords(end)}`);
  } else if (fitting && end.kind !== "ended") {
    faults.push(`the program ${endInWords(end)}`);
  }
  return { clause, faults };
}

function judgeTold({ requests, script, answers }: Transcript): readonly ClauseVerdict[] {
  const clause = "answer-told";
  const refused = script.flatMap(({ turn }, index) =>
    // Of an answer that comes again and again, the first says how the rest is told.
    turn.answer?.expect === "refused" && script[index - 1]?.turn !== turn ? [{ turn, index }] : [],
  );
  if (refused.length === 0) return [];
  const unseen = refused.some(({ index }) => index >= requests.length);
  if (unseen) {
    const fault = "the run ended before the model gave an answer that does not fit";
    return [{ clause, faults: [fault], isUnseen: true }];
  }
  const isTaken = refused.some(({ index }) => requests.length === index + 1);
  if (isTaken && answers.length > 0) {
    const fault = "an answer that does not fit was taken";
    return [{ clause, faults: [fault], isUnseen: true }];
  }
  const faults = refused.flatMap(({ turn, index }) => {
    const next = requests[index + 1];
    if (next === undefined) return [`the model was not asked again after ${shownValue(turn.text)}`];
    return untold(turn, newText(requests[index], next));
  });
  return [{ clause, faults }];
}

/** What the model reads in a request and did not read in the one before. */
function newText(before: SeenRequest | undefined, { history }: SeenRequest): string {
  const known = new Set(textsIn(before?.history ?? []));
  return textsIn(history)
    .filter((text) => !known.has(text))
    .join("\n");
}

function textsIn(history: SeenRequest["history"]): readonly string[] {
  return history.flatMap((entry) => {
    if (entry.kind === "calls") return [];
    const isOwn = entry.kind === "text" && ["assistant", "model"].includes(entry.role);
    return isOwn ? [] : [entry.text];
  });
}

function untold({ text: sent = "", answer }: ScenarioTurn, text: string): readonly string[] {
  const { faults = [], unreadable } = answer ?? {};
  const said = withoutEcho(text, sent);
  const names = faults.flatMap((fault) => fault.names.filter((name) => !mentions(said, name)));
  const words = faults.flatMap(({ says }) => says.filter((some) => !mentionsAny(said, some)));
  const isUntold =
    unreadable !== undefined &&
    !mentionsAny(said, { cut: SAYS_CUT, syntax: SAYS_SYNTAX }[unreadable]);
  return [
    ...(names.length > 0
      ? [`the model was not told ${names.join(", ")}: ${shownValue(text)}`]
      : []),
    ...words.map(([word = ""]) => `the model was not told "${word}": ${shownValue(text)}`),
    ...(isUntold
      ? [`the model was not told that the answer ${TOLD[unreadable]}: ${shownValue(text)}`]
      : []),
  ];
}

const TOLD = { cut: "was cut", syntax: "is not JSON" } as const;

function judgeLoop({ requests, answers, end }: Transcript): ClauseVerdict {
  const clause = "answer-ends";
  if (requests.length === 0 || answers.length > 0) {
    const fault = "the run ended before an answer was refused";
    return { clause, faults: [fault], isUnseen: true };
  }
  const hasEnded = requests.length <= MOST_TRIES && end.kind !== "time";
  const fault = `the model gave ${requests.length} answers that do not fit, and the program ${endInWords(end)}`;
  return { clause, faults: hasEnded ? [] : [fault] };
}
