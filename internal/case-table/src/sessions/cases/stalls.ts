import { call, calls, failure, READ, reported, says, target } from "../row.ts";
import type { SessionCase } from "../session-case.ts";

const CLAUSE =
  "Network/timeout/model errors: retry with next provider/model target immediately; no backoff delay";
const second = target([says("done")], { name: "pb" });
const LATE = "the answer was not complete within 20 ms";
const NOTHING = "nothing of an answer came within 20 ms";
const SILENT = "the answer went on with nothing within 20 ms";

const goesOn = {
  success: true,
  report: reported("done"),
  requests: ["pa", "pb"],
  conversation: "user, assistant",
  says: ["done"],
  waits: [],
} as const;

/** Providers that accept a request and fall silent. */
export const stallCases: readonly SessionCase[] = [
  ...([true, "deaf"] as const).flatMap((hangs): readonly SessionCase[] => {
    const model = hangs === true ? "a provider" : "a provider that hears no abort and";
    return [
      {
        name: `${model} never answers: the next target does`,
        clause: CLAUSE,
        options: { requestTimeout: { total: 20 } },
        targets: [target([{ hangs }]), second],
        expected: {
          ...goesOn,
          accounting: [`pa failed: ${LATE}`, "pb ok"],
          events: [{ type: "attempt-failed", provider: "pa", kind: "timeout", waits: 0 }],
        },
      },
      {
        name: `${model} never answers, by the time of its own target`,
        clause: CLAUSE,
        options: { requestTimeout: { total: 60_000 } },
        targets: [target([{ hangs }], { requestTimeout: { total: 20 } }), second],
        expected: { ...goesOn, accounting: [`pa failed: ${LATE}`, "pb ok"] },
      },
      {
        name: `${model} never begins a stream: the next target does`,
        clause: CLAUSE,
        options: { requestTimeout: { firstToken: 20 } },
        targets: [target([{ hangs }]), second],
        expected: { ...goesOn, accounting: [`pa failed: ${NOTHING}`, "pb ok"] },
      },
    ];
  }),
  {
    name: "a stream that begins without a word, and stalls, is repeated by the next target",
    clause: CLAUSE,
    options: { requestTimeout: { firstToken: 20 } },
    targets: [target([{ breaks: "stalls" }]), second],
    expected: { ...goesOn, accounting: [`pa failed: ${NOTHING}`, "pb ok"] },
  },
  {
    name: "of a stream that stalls after some words, nothing is kept",
    clause: CLAUSE,
    options: { requestTimeout: { silence: 20 } },
    targets: [target([{ text: "half an ans", breaks: "stalls" }]), second],
    expected: { ...goesOn, accounting: [`pa failed: ${SILENT}`, "pb ok"] },
  },
  {
    name: "words that stall and may not be the report are repeated unseen",
    clause: CLAUSE,
    options: { requestTimeout: { silence: 20 }, expectedOutputFormat: "json" },
    targets: [
      target([{ text: '{"half": ', breaks: "stalls" }]),
      target([says('{"notes": 2}')], { name: "pb" }),
    ],
    expected: {
      success: true,
      report: { status: "success", format: "json", content_json: { notes: 2 } },
      requests: ["pa", "pb"],
      conversation: "user, assistant",
      accounting: [`pa failed: ${SILENT}`, "pb ok"],
    },
  },
  {
    name: "a later turn stalls too, and the conversation goes on where it was",
    clause: CLAUSE,
    options: { requestTimeout: { total: 20 } },
    targets: [target([calls(call("c1")), { hangs: true }]), second],
    tools: [READ],
    expected: {
      ...goesOn,
      requests: ["pa", "pa", "pb"],
      conversation: "user, assistant c1, tool c1, assistant",
      accounting: ["pa ok", "read ok", `pa failed: ${LATE}`, "pb ok"],
    },
  },
  {
    name: "targets that all stall end the run with a report of the failure",
    clause: "Continue until maxRetries exhausted",
    options: { requestTimeout: { total: 20 }, maxRetries: 2 },
    targets: [target([{ hangs: true }]), target([{ hangs: "deaf" }], { name: "pb" })],
    expected: {
      success: false,
      error: LATE,
      report: failure("attempts_exhausted", LATE),
      requests: ["pa", "pb"],
      conversation: "user",
      accounting: [`pa failed: ${LATE}`, `pb failed: ${LATE}`],
    },
  },
];
