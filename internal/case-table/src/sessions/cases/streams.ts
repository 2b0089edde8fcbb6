import { call, calls, failure, READ, report, reported, says, target, thenReports } from "../row.ts";
import type { SessionCase } from "../session-case.ts";

const MID_STREAM =
  "Network/timeout/model errors: retry with next provider/model target immediately";
const second = target([says("done")], { name: "pb" });

/** Answers that are read while they come. */
export const streamCases: readonly SessionCase[] = [
  {
    name: "an answer in many parts is one answer",
    clause: "a stream is yours to read, and is read to its end in any case",
    targets: [target([{ ...calls(call("c1")), text: "Let me see.", chunk: 1 }, report()])],
    tools: [READ],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: ["pa", "pa"],
      conversation: thenReports("c1"),
      says: ["Let me see."],
      accounting: ["pa ok", "read ok", "pa ok", "agent__final_report ok"],
    },
  },
  ...(["error", "closes"] as const).flatMap((breaks): readonly SessionCase[] => {
    const error =
      breaks === "error" ? "the stream broke" : "The stream ended before the answer did";
    return [
      {
        name: `a stream that breaks (${breaks}) before its answer is repeated unseen`,
        clause: MID_STREAM,
        targets: [target([{ text: "  ", breaks }]), second],
        expected: {
          success: true,
          report: reported("done"),
          requests: ["pa", "pb"],
          conversation: "user, assistant",
          says: ["done"],
          accounting: [`pa failed: ${error}`, "pb ok"],
        },
      },
      {
        name: `a stream that breaks (${breaks}) in its text goes on with the next target`,
        clause: MID_STREAM,
        targets: [target([{ text: "half an ans", breaks }]), second],
        expected: {
          success: true,
          report: reported("done"),
          requests: ["pa", "pb"],
          conversation: "user, assistant",
          says: ["done"],
          accounting: [`pa failed: ${error}`, "pb ok"],
        },
      },
      {
        name: `text that broke off (${breaks}) is never the report`,
        clause: "without a second attempt, the partial text must not count as a report",
        options: { maxRetries: 1 },
        targets: [target([{ text: "half an ans", breaks }])],
        expected: {
          success: false,
          error,
          report: failure("attempts_exhausted", error),
          requests: ["pa"],
          conversation: "user",
          accounting: [`pa failed: ${error}`],
        },
      },
    ];
  }),
  {
    name: "text that may not be the report is held back, and repeated if it breaks off",
    clause: MID_STREAM,
    options: { expectedOutputFormat: "json" },
    targets: [
      target([{ text: '{"half": ', breaks: "error" }]),
      target([says('{"notes": 2}')], { name: "pb" }),
    ],
    expected: {
      success: true,
      report: { status: "success", format: "json", content_json: { notes: 2 } },
      requests: ["pa", "pb"],
      conversation: "user, assistant",
      accounting: ["pa failed: the stream broke", "pb ok"],
    },
  },
];
