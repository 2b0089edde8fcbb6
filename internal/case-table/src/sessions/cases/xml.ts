import { call, calls, failure, READ, reported, says, target, toolEntry } from "../row.ts";
import type { SessionCase } from "../session-case.ts";
import { EMPTY, NO_ROOM, TIMEOUT, tooMany } from "../texts.ts";
import { openReport, xmlCall, xmlReport } from "../xml-tags.ts";

const REPORTED = reported("Two notes.");
const REPORT_ENTRY = "agent__final_report_xml ok";
const LAST = "assistant NONCE-FINAL, tool NONCE-FINAL";

const NOTHING = "the answer has neither text nor tool calls";

export const xmlCases: readonly SessionCase[] = [
  {
    name: "in xml, tags are the only calls, and results are messages of the user",
    clause:
      "all tools may be invoked via XML tags; tool choice set to auto, and provider tool definitions are withheld",
    options: { transport: "xml" },
    tools: [READ],
    targets: [
      target([
        says(`Let me look. ${xmlCall("0001")}${xmlCall("0002", '{"path":"b"}')}`),
        says(xmlCall("0003", '{"path":"c"}')),
        says(xmlReport()),
      ]),
    ],
    expected: {
      success: true,
      report: REPORTED,
      requests: [
        { to: "pa", roles: "user, user", slots: "0001 0002 0003 0004 FINAL" },
        {
          to: "pa",
          roles: "user, assistant, user, user, user",
          slots: "0003 0004 0005 0006 FINAL",
          reads: [
            xmlCall("0002", '{"path":"b"}'),
            "System Notice: tool response for NONCE-0001 (read)",
            "<response>\nread b\n</response>",
          ],
        },
        {
          to: "pa",
          roles: "user, assistant, user, user, assistant, user, user",
          slots: "0004 0005 0006 0007 FINAL",
        },
      ],
      conversation: `user, assistant NONCE-0001 NONCE-0002, tool NONCE-0001, tool NONCE-0002, assistant NONCE-0003, tool NONCE-0003, ${LAST}`,
      says: ["Let me look. "],
      accounting: ["pa ok", "read ok", "read ok", "pa ok", "read ok", "pa ok", REPORT_ENTRY],
      ran: ["read a", "read b", "read c"],
    },
  },
  {
    name: "in xml, entries have the real name and the source",
    clause: "Accounting entries use the real tool name with source: xml",
    options: { transport: "xml" },
    tools: [READ],
    targets: [target([says(xmlCall("0001")), says(xmlReport())])],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: `user, assistant NONCE-0001, tool NONCE-0001, ${LAST}`,
      accounting: [
        "pa ok",
        toolEntry({ source: "xml" }),
        "pa ok",
        toolEntry({
          command: "agent__final_report_xml",
          charactersIn: 44,
          charactersOut: 2,
          source: "xml",
        }),
      ],
    },
  },
  {
    name: "in xml-final, tools stay native and the report is a tag",
    clause: "provider tools stay native (tool_calls), but the final report must be emitted via XML",
    options: { transport: "xml-final" },
    tools: [READ],
    targets: [target([calls(call("c1")), says(xmlReport())])],
    expected: {
      success: true,
      report: REPORTED,
      requests: [
        { to: "pa", roles: "user, user", slots: "FINAL" },
        { to: "pa", roles: "user, assistant c1, tool c1, user", slots: "FINAL" },
      ],
      conversation: `user, assistant c1, tool c1, ${LAST}`,
      accounting: ["pa ok", toolEntry(), "pa ok", REPORT_ENTRY],
    },
  },
  ...(["xml", "xml-final"] as const).map((transport): SessionCase => ({
    name: `in ${transport}, the last turn offers the report's slot alone`,
    clause: "In forced-final turns it only advertises the final-report slot",
    options: { transport, maxTurns: 1, maxRetries: 2 },
    tools: [READ],
    targets: [target([says(`Hm. ${xmlCall("0001")}`), says(xmlReport())])],
    expected: {
      success: true,
      report: REPORTED,
      requests: [
        { to: "pa", forced: true, slots: "FINAL" },
        { to: "pa", forced: true, slots: "FINAL", notices: [EMPTY] },
      ],
      conversation: `user, ${LAST}`,
      accounting: [`pa failed: ${NOTHING}`, "pa ok", REPORT_ENTRY],
      ran: [],
    },
  })),
  {
    name: "in XML, a report without its closing tag is one after a normal end",
    clause: "stop, end_turn, end, eos (normal completion): Accept content even without closing tag",
    options: { transport: "xml" },
    targets: [target([says(openReport("\nTwo notes."))])],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa"],
      conversation: `user, ${LAST}`,
      accounting: ["pa ok", REPORT_ENTRY],
      noEvents: ["not-judged"],
    },
  },
  {
    name: "in XML, a report without its closing tag is taken with a warning if nobody knows why the answer ended",
    clause: "Unknown/undefined: Log warning but accept content",
    options: { transport: "xml" },
    targets: [target([{ text: openReport("\nTwo notes."), finishReason: "other" }])],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa"],
      conversation: `user, ${LAST}`,
      accounting: ["pa ok", REPORT_ENTRY],
      events: [{ type: "not-judged", what: "stop-reason" }],
    },
  },
  {
    name: "in XML, the last of several reports is the report",
    clause: "last valid matching tag for a given tool is used when a single result is expected",
    options: { transport: "xml" },
    targets: [target([says(`One: ${xmlReport("One note.")} No: ${xmlReport()}`)])],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa"],
      conversation: `user, ${LAST}`,
      accounting: ["pa ok", REPORT_ENTRY],
    },
  },
  {
    name: "in XML, the text of the last turn is the report if it holds no tag",
    clause: "Final turn contains text content without final_report",
    options: { transport: "xml", maxTurns: 1 },
    targets: [target([says("Two notes.")])],
    expected: {
      success: true,
      report: REPORTED,
      requests: [{ to: "pa", forced: true }],
      conversation: "user, assistant",
      accounting: ["pa ok"],
    },
  },
  ...[
    ["half a tag", "<ai-agent-NONCE-FINAL"],
    ["a tool that is not offered", xmlCall("0001")],
    ["another nonce", "<ai-agent-0badf00d-FINAL>x</ai-agent-0badf00d-FINAL>"],
  ].map(([what, beside]): SessionCase => ({
    name: `in XML, text beside ${what} is never the report`,
    clause: "Content outside matched tags is ignored",
    options: { transport: "xml", maxTurns: 1, maxRetries: 1 },
    tools: [READ],
    targets: [target([says(`Two notes. ${beside}`)])],
    expected: {
      success: false,
      report: failure("attempts_exhausted", NOTHING),
      error: NOTHING,
      requests: [{ to: "pa", forced: true }],
      conversation: "user",
      accounting: [`pa failed: ${NOTHING}`],
    },
  })),
  {
    name: "in XML, arguments are repaired, and calls over the cap and in time are limited as native ones",
    clause: "same budgets, maxToolCallsPerTurn, accounting, retries",
    options: { transport: "xml", maxToolCallsPerTurn: 2, toolTimeout: 20 },
    tools: [READ, { name: "slow", hangs: true }],
    targets: [
      target([
        says(
          `${xmlCall("0001", "{path: 'a',}")}${xmlCall("0002", '{"path":"a"}', "slow")}${xmlCall("0003")}`,
        ),
        says(xmlReport()),
      ]),
    ],
    expected: {
      success: true,
      report: REPORTED,
      requests: [
        { to: "pa", slots: "0001 0002 FINAL" },
        { to: "pa", slots: "0004 0005 FINAL", reads: [TIMEOUT, tooMany(2)] },
      ],
      conversation: `user, assistant NONCE-0001 NONCE-0002 NONCE-0003, tool NONCE-0001, tool NONCE-0002, tool NONCE-0003, ${LAST}`,
      answers: { "NONCE-0001": "read a", "NONCE-0002": TIMEOUT, "NONCE-0003": tooMany(2) },
      accounting: ["pa ok", "read ok", "slow failed: timeout", "pa ok", REPORT_ENTRY],
    },
  },
  {
    name: "in XML, a result that does not fit is dropped, and the report is asked for",
    clause: "Context guard logic and limits are unchanged",
    options: { transport: "xml", countsCharacters: true },
    tools: [{ name: "read", returns: "x", times: 5000 }],
    targets: [
      target([says(xmlCall("0001")), says(xmlReport())], {
        contextWindow: 4000,
        contextWindowBufferTokens: 0,
      }),
    ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", { to: "pa", forced: true, slots: "FINAL", reads: [NO_ROOM] }],
      conversation: `user, assistant NONCE-0001, tool NONCE-0001, ${LAST}`,
      answers: { "NONCE-0001": NO_ROOM },
      accounting: ["pa ok", "read failed: context window budget exceeded", "pa ok", REPORT_ENTRY],
      events: [{ type: "context-exceeded", guard: "tool_preflight", tool: "read" }],
    },
  },
  {
    name: "in XML, an abort in the middle of a tag",
    clause: "The application NEVER crashes without returning AIAgentResult",
    options: { transport: "xml" },
    tools: [READ],
    aborts: "waiting",
    targets: [target([{ text: 'Hm. <ai-agent-NONCE-0001 tool="read">{"pa', breaks: "stalls" }])],
    expected: {
      success: false,
      error: "the user left",
      requests: ["pa"],
      conversation: "user",
      accounting: ["pa failed: the user left"],
      ran: [],
    },
  },
  ...[1, 5, 17].map((chunk): SessionCase => ({
    name: `in XML, a stream in parts of ${chunk} characters shows nothing of a tag`,
    clause:
      "Streaming output is buffered once an opening-tag fragment for the current nonce appears",
    options: { transport: "xml" },
    tools: [READ],
    targets: [
      target([
        { text: `a < b ${xmlCall("0001")}<b>, done`, chunk },
        { text: `Here: ${xmlReport()}`, chunk },
      ]),
    ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: `user, assistant NONCE-0001, tool NONCE-0001, ${LAST}`,
      says: ["a < b <b>, done", "Here: "],
      accounting: ["pa ok", "read ok", "pa ok", REPORT_ENTRY],
    },
  })),
];
