import type { JsonObject } from "../../conformance-case.ts";
import { call, calls, failure, READ, report, reportCall, reported, says, target } from "../row.ts";
import type { CaseLimits, SessionCase } from "../session-case.ts";
import { EMPTY, LAST_TURN } from "../texts.ts";

const REPORTED = reported("Two notes.");
const THEN_REPORT = ["pa ok", "agent__final_report ok"] as const;
const FAILED = "agent__final_report failed: The report was invalid";
const NORMALIZED = "Mismatched format logged as warning, normalized before storage";
const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    notes: { type: "array", items: { type: "string" } },
    more: { type: "object", properties: { pages: { type: "integer" } } },
  },
  required: ["notes"],
};

/** A run that consists of one report. */
interface OneReport {
  readonly name: string;
  readonly clause: string;
  readonly sent: JsonObject;
  readonly report: JsonObject;
  readonly options?: CaseLimits;
  readonly events?: readonly JsonObject[];
}

function oneReport({
  name,
  clause,
  sent,
  report: wanted,
  options,
  events,
}: OneReport): SessionCase {
  return {
    name,
    clause,
    ...(options && { options }),
    targets: [target([calls(reportCall("r1", sent))])],
    expected: {
      success: true,
      report: wanted,
      requests: ["pa"],
      conversation: "user, assistant r1, tool r1",
      accounting: THEN_REPORT,
      ...(events ? { events } : { noEvents: ["report-normalized", "report-failed"] }),
    },
  };
}

const FORMATS = [
  { format: "markdown", sent: { content: "# Two" }, report: { content: "# Two" } },
  { format: "text", sent: { content: "Two" }, report: { content: "Two" } },
  {
    format: "json",
    sent: { content_json: { notes: 2 } },
    report: { content_json: { notes: 2 } },
  },
  {
    format: "slack-block-kit",
    sent: { messages: [{ blocks: [{ type: "divider" }] }] },
    report: { messages: [{ blocks: [{ type: "divider" }] }] },
  },
  { format: "sub-agent", sent: { content: '{"opaque":1}' }, report: { content: '{"opaque":1}' } },
] as const;

/** What a call of the report tool becomes. */
export const reportCases: readonly SessionCase[] = [
  ...FORMATS.map(({ format, sent, report: wanted }) =>
    oneReport({
      name: `a report in the format ${format}`,
      clause: "JSON: content_json object; Slack: messages array; other formats: content string",
      options: { expectedOutputFormat: format },
      sent: { format, ...sent },
      report: { status: "success", format, ...wanted },
    }),
  ),
  oneReport({
    name: "a report with metadata, whose status is not the model's",
    clause: "The status field is determined by the source of the final report, not by model input",
    sent: { format: "markdown", content: "Two notes.", status: "failure", metadata: { pages: 2 } },
    report: { ...REPORTED, metadata: { pages: 2 } },
  }),
  {
    ...oneReport({
      name: "a report by the name that the notice uses",
      clause: "Use final_report to provide your answer",
      sent: {},
      report: REPORTED,
    }),
    targets: [
      target([
        calls({
          id: "r1",
          name: "final_report",
          input: JSON.stringify({ format: "markdown", content: "Two notes." }),
        }),
      ]),
    ],
  },
  oneReport({
    name: "a report in base64 is decoded",
    clause: "when base64 is provided, report_content is decoded before use",
    sent: { format: "markdown", encoding: "base64", content: "VHdvIG5vdGVzIOKCrC4=" },
    report: reported("Two notes €."),
  }),
  oneReport({
    name: "a report in a wrong format has the session's",
    clause: NORMALIZED,
    sent: { format: "html", content: "Two notes." },
    report: REPORTED,
    events: [{ type: "report-normalized", given: "html", expected: "markdown" }],
  }),
  oneReport({
    name: "a report without a format has the session's",
    clause: NORMALIZED,
    sent: { content: "Two notes." },
    report: REPORTED,
    events: [{ type: "report-normalized", expected: "markdown" }],
  }),
  oneReport({
    name: "JSON that was written as a string is parsed, also inside",
    clause: "a small iterative repair loop that attempts to parse stringified nested JSON fields",
    options: { expectedOutputFormat: "json", outputSchema: SCHEMA },
    sent: {
      format: "json",
      content_json: JSON.stringify({ notes: '["one","two"]', more: '{"pages":2}' }),
    },
    report: {
      status: "success",
      format: "json",
      content_json: { notes: ["one", "two"], more: { pages: 2 } },
    },
  }),
  {
    name: "a report whose arguments are nearly JSON is repaired",
    clause: "native JSON.parse, then jsonrepair + re-parse when the first parse fails",
    targets: [
      target([
        calls({
          id: "r1",
          name: "agent__final_report",
          input: '{"format":"markdown","content":"Two notes.",}',
        }),
      ]),
    ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa"],
      conversation: "user, assistant r1, tool r1",
      accounting: THEN_REPORT,
    },
  },
  {
    name: "a report that failed leaves one turn, for the report alone",
    clause:
      "If the final_report tool fails for any reason, remaining turns are collapsed immediately",
    options: { maxTurns: 10 },
    targets: [
      target([
        calls(reportCall("r1", { format: "markdown", content: 7 })),
        calls(reportCall("r2", { format: "markdown", content: "Two notes." })),
      ]),
    ],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", { to: "pa", forced: true }],
      conversation: "user, assistant r1, tool r1, assistant r2, tool r2",
      answers: { r1: ["content", "string"] },
      accounting: ["pa ok", FAILED, ...THEN_REPORT],
      events: [
        { type: "llm-request", turn: 1 },
        { type: "report-failed", payload: '{"format":"markdown","content":7}' },
        { type: "llm-request", turn: 2, forcedFinalTurnReason: "report_failed" },
      ],
    },
  },
  {
    name: "a report that fails twice ends the run",
    clause: "Synthetic failure report when max turns exhausted without final_report",
    options: { maxTurns: 10 },
    targets: [
      target([
        calls(reportCall("r1", { format: "markdown" })),
        calls(reportCall("r2", { format: "markdown", content: "%%", encoding: "base64" })),
        report("r3"),
      ]),
    ],
    tools: [READ],
    expected: {
      success: false,
      report: failure("max_turns_exhausted"),
      requests: ["pa", { to: "pa", forced: true }],
      conversation: "user, assistant r1, tool r1, assistant r2, tool r2",
      accounting: ["pa ok", FAILED, "pa ok", FAILED],
    },
  },
  {
    name: "after a failed report nothing else runs",
    clause: "After a failed report only the report tool is offered and nothing else runs",
    options: { maxTurns: 10 },
    targets: [target([calls(reportCall("r1", { content: 7 })), calls(call("c1"))])],
    tools: [READ],
    expected: {
      success: false,
      report: failure("max_turns_exhausted"),
      requests: ["pa", { to: "pa", forced: true }],
      conversation: "user, assistant r1, tool r1, assistant c1, tool c1",
      answers: { c1: LAST_TURN },
      ran: [],
      accounting: ["pa ok", FAILED, "pa ok"],
    },
  },
  {
    name: "JSON that the output schema rejects is a failed report",
    clause: "content_json undergoes schema validation before final rejection",
    options: { expectedOutputFormat: "json", outputSchema: SCHEMA },
    targets: [
      target([
        calls(reportCall("r1", { format: "json", content_json: { notes: 2 } })),
        calls(reportCall("r2", { format: "json", content_json: { notes: [] } })),
      ]),
    ],
    expected: {
      success: true,
      report: { status: "success", format: "json", content_json: { notes: [] } },
      requests: ["pa", { to: "pa", forced: true }],
      conversation: "user, assistant r1, tool r1, assistant r2, tool r2",
      answers: { r1: ["content_json", "notes", "array"] },
      accounting: ["pa ok", FAILED, ...THEN_REPORT],
    },
  },
  {
    name: "the calls beside a report run to their end",
    clause: "Final: assistant with final_report tool call",
    targets: [
      target([
        calls(
          reportCall("r1", { format: "markdown", content: "Two notes." }),
          call("c1", "slow"),
          call("c2"),
        ),
        says("never asked"),
      ]),
    ],
    tools: [READ, { name: "slow", pauses: 10 }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa"],
      conversation: "user, assistant r1 c1 c2, tool c1, tool c2, tool r1",
      answers: { c1: "slow a", c2: "read a" },
      accounting: ["pa ok", "agent__final_report ok", "read ok", "slow ok"],
    },
  },
  {
    name: "text in the session's format is the report",
    clause: "Text extraction fallback",
    options: { expectedOutputFormat: "json", outputSchema: SCHEMA },
    targets: [target([says('Here it is:\n```json\n{"notes":["one"]}\n```')])],
    expected: {
      success: true,
      report: { status: "success", format: "json", content_json: { notes: ["one"] } },
      requests: ["pa"],
      conversation: "user, assistant",
      accounting: ["pa ok"],
    },
  },
  {
    name: "text that is not JSON is asked for again where JSON is expected",
    clause: "Final report format ALWAYS matches session expectation",
    options: { expectedOutputFormat: "json" },
    targets: [
      target([
        says("There are two notes."),
        calls(reportCall("r1", { format: "json", content_json: { notes: 2 } })),
      ]),
    ],
    expected: {
      success: true,
      report: { status: "success", format: "json", content_json: { notes: 2 } },
      requests: ["pa", { to: "pa", notices: [EMPTY] }],
      conversation: "user, assistant r1, tool r1",
      accounting: ["pa failed: the answer is plain text without tool calls", ...THEN_REPORT],
    },
  },
];
