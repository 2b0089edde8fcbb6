import { expect, test } from "vitest";
import type { ProgramEnd, Scenario, ScenarioTurn, SeenEntry, Transcript } from "../shared/index.ts";
import { judgeScenario } from "./judge-scenario.ts";

const WRONG = '{"rating": 9}';
const refused: ScenarioTurn = {
  text: WRONG,
  calls: [],
  answer: { expect: "refused", faults: [{ names: ["rating"], says: [["5"]] }] },
};
const fits: ScenarioTurn = { text: '{"rating": 4}', calls: [], answer: { expect: "fits" } };
const ENDED: ProgramEnd = { kind: "ended" };
const FAILED: ProgramEnd = { kind: "failed", reason: "No object" };
const TIME: ProgramEnd = { kind: "time", seconds: 1 };

interface Row {
  readonly turns: readonly ScenarioTurn[];
  /** What the model was told before each request but the first. */
  readonly told?: readonly string[];
  readonly answers?: readonly unknown[];
  readonly end?: ProgramEnd;
  readonly requests?: number;
}

function judged({ turns, told = [], answers = [], end = ENDED, requests }: Row) {
  const user = (text: string): SeenEntry => ({ kind: "text", role: "user", text });
  const histories = [[user("Rate it.")]];
  for (const text of told) {
    const said: SeenEntry = { kind: "text", role: "assistant", text: WRONG };
    histories.push([...(histories.at(-1) ?? []), said, user(text)]);
  }
  const transcript: Transcript = {
    requests: histories
      .slice(0, requests)
      .map((history) => ({ history, isStream: false, mayCall: true })),
    script: turns.map((turn) => ({ turn, calls: [] })),
    runs: [],
    approvals: [],
    answers,
    end,
  };
  const scenario: Scenario = { id: "s", title: "t", prompt: "p", tools: [], turns, answer: {} };
  const { checks } = judgeScenario(scenario, transcript, false);
  return checks.map(({ id, level, passed, message }) => {
    expect(level).toBe("L5");
    const how = message.startsWith("Not judged: ") ? "unseen" : "broken";
    return `${id.slice("s/".length)} ${passed ? "kept" : how}`;
  });
}

const never = Array.from({ length: 12 }, () => refused);
const rows: readonly (readonly [string, Row, readonly string[]])[] = [
  [
    "is taken at once if it fits",
    { turns: [fits], answers: [{ rating: 4 }] },
    ["answer-fits kept"],
  ],
  [
    "is asked for again if it does not",
    { turns: [refused, fits], told: ["rating: at most 5"], answers: [{ rating: 4 }] },
    ["answer-fits kept", "answer-told kept"],
  ],
  [
    "is not asked for by a repetition of it, or of half of what is wrong",
    { turns: [refused, fits], told: [`Wrong: ${WRONG}, 5`], answers: [{ rating: 4 }] },
    ["answer-fits kept", "answer-told broken"],
  ],
  [
    "is missing if the program fails, and was not asked for again",
    { turns: [refused, fits], end: FAILED },
    ["answer-fits broken", "answer-told broken"],
  ],
  [
    "is not to be taken if it does not fit, and nobody can see what would have been said",
    { turns: [refused, fits], answers: [{ rating: 9 }] },
    ["answer-fits broken", "answer-told unseen"],
  ],
  [
    "is the one that fits, and not one more before it",
    { turns: [refused, fits], told: ["rating 5"], answers: [{ rating: 9 }, { rating: 4 }] },
    ["answer-fits broken", "answer-told kept"],
  ],
  [
    "is missing if the program never asked the model",
    { turns: never, requests: 0, end: FAILED },
    ["answer-fits broken", "answer-told unseen", "answer-ends unseen"],
  ],
  [
    "ends if it never fits",
    { turns: never, told: ["rating 5", "rating 5"], end: FAILED },
    ["answer-fits kept", "answer-told kept", "answer-ends kept"],
  ],
  [
    "does not end by the eleventh request",
    { turns: never, told: never.slice(2).map(() => "rating 5") },
    ["answer-fits kept", "answer-told kept", "answer-ends broken"],
  ],
  [
    "does not end by a program that hangs",
    { turns: never, told: ["rating 5"], end: TIME },
    ["answer-fits kept", "answer-told kept", "answer-ends broken"],
  ],
];

test.each(rows)("a final answer %s", (_, row, verdicts) => {
  expect(judged(row)).toEqual(verdicts);
});
