import { call, calls, READ, report, reported, target, thenReports, toolEntry } from "../row.ts";
import type { SessionCase } from "../session-case.ts";
import { CUT, TIMEOUT } from "../texts.ts";

const REPORTED = reported("Two notes.");
const THEN_REPORT = ["pa ok", "agent__final_report ok"] as const;

/** Tools that fail or hang, and calls that cannot be read. */
export const toolCases: readonly SessionCase[] = [
  {
    name: "a tool that hangs is given up, and its sibling's result is kept",
    clause: "toolTimeout: LLM receives failure message: (tool failed: timeout)",
    options: { toolTimeout: 100 },
    targets: [target([calls(call("c1"), call("c2", "hang")), report()])],
    tools: [READ, { name: "hang", hangs: true }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1", "c2"),
      answers: { c1: "read a", c2: TIMEOUT },
      accounting: [
        "pa ok",
        "read ok",
        {
          ...toolEntry({ command: "hang", charactersOut: TIMEOUT.length }),
          status: "failed",
          error: "timeout",
        },
        ...THEN_REPORT,
      ],
      events: [{ type: "tool-timeout", tool: "hang", limit: 100 }],
    },
  },
  {
    name: "each tool has its own time, and its signal fires at the end of it",
    clause: "toolTimeout: tool execution aborted after this duration",
    options: { toolTimeout: { hang: 10 } },
    targets: [target([calls(call("c1"), call("c2", "hang")), report()])],
    tools: [
      { name: "read", pauses: 30 },
      { name: "hang", hangs: true },
    ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1", "c2"),
      answers: { c1: "read a", c2: TIMEOUT },
      stopped: ["hang"],
      accounting: ["pa ok", "hang failed: timeout", "read ok", ...THEN_REPORT],
    },
  },
  {
    name: "the time of a tool begins when it leaves its queue",
    clause: "toolTimeout: tool execution aborted after this duration (milliseconds)",
    options: { toolTimeout: { quick: 50 }, queues: { default: { concurrent: 1 } } },
    targets: [target([calls(call("c1"), call("c2", "quick")), report()])],
    tools: [{ name: "read", pauses: 60 }, { name: "quick" }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1", "c2"),
      answers: { c2: "quick a" },
      accounting: ["pa ok", "read ok", "quick ok", ...THEN_REPORT],
      noEvents: ["tool-timeout"],
    },
  },
  {
    name: "a tool that throws is answered with its reason",
    clause: "Failed tools: format (tool failed: <reason>)",
    targets: [target([calls(call("c1"), call("c2", "broken")), report()])],
    tools: [READ, { name: "broken", throws: "DB down" }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1", "c2"),
      answers: { c1: "read a", c2: "(tool failed: DB down)" },
      accounting: ["pa ok", "read ok", "broken failed: DB down", ...THEN_REPORT],
    },
  },
  {
    name: "what a tool throws is shown in one line without secrets",
    clause: "Tool failures include error message",
    targets: [target([calls(call("c1")), report()])],
    tools: [{ name: "read", throws: "connect postgres://u:hunter2@host/db\n  at line 3" }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1"),
      answers: { c1: "(tool failed: connect postgres://u:[redacted]@host/db at line 3)" },
      accounting: [
        "pa ok",
        "read failed: connect postgres://u:[redacted]@host/db at line 3",
        ...THEN_REPORT,
      ],
    },
  },
  {
    name: "an invalid call is answered, and the valid ones run",
    clause: "Valid tool calls in same response still executed",
    targets: [target([calls(call("c1", "read", '{"pth":"a"}'), call("c2")), report()])],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1", "c2"),
      answers: { c1: ["pth", "path", "attempt 1/3"], c2: "read a" },
      ran: ["read a"],
      accounting: ["pa ok", "read ok", ...THEN_REPORT],
    },
  },
  {
    name: "a call of a tool that does not exist is answered",
    clause: "Malformed tool calls dropped; LLM receives error message",
    targets: [target([calls(call("c1", "raed"), call("c2")), report()])],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1", "c2"),
      answers: { c1: ["raed", "read"], c2: "read a" },
      ran: ["read a"],
      accounting: ["pa ok", "read ok", ...THEN_REPORT],
    },
  },
  {
    name: "arguments of nearly valid JSON are repaired",
    clause: "native JSON.parse, then jsonrepair + re-parse when the first parse fails",
    targets: [target([calls(call("c1", "read", '{path: "b",}')), report()])],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1"),
      answers: { c1: "read b" },
      ran: ["read b"],
      accounting: ["pa ok", "read ok", ...THEN_REPORT],
    },
  },
  {
    name: "arguments that cannot be parsed are answered, and the sibling runs",
    clause: "When parsing fails, the tool call is dropped and the LLM is told to retry",
    targets: [target([calls(call("c1"), call("c2", "read", "nonsense")), report()])],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1", "c2"),
      answers: { c1: "read a", c2: ["JSON", "attempt 1/3"] },
      ran: ["read a"],
      accounting: ["pa ok", "read ok", ...THEN_REPORT],
    },
  },
  {
    name: "a call that was cut off is never repaired, but asked for again",
    clause: "Invalid/malformed responses: synthetic retry with error message to LLM",
    options: { maxTurns: 2 },
    targets: [
      target([
        { ...calls(call("c1", "read", '{"path":"/etc/pa')), finishReason: "length" },
        calls(call("c2")),
        report(),
      ]),
    ],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", { to: "pa", notices: [CUT] }, { to: "pa", forced: true }],
      conversation: thenReports("c2"),
      ran: ["read a"],
      accounting: [
        "pa failed: the answer was cut off at its length limit, inside a tool call",
        "pa ok",
        "read ok",
        ...THEN_REPORT,
      ],
    },
  },
];
