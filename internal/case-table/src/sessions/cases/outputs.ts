import {
  call,
  calls,
  READ,
  report,
  reportCall,
  reported,
  target,
  thenReports,
  toolEntry,
} from "../row.ts";
import type { SessionCase } from "../session-case.ts";

const REPORTED = reported("Two notes.");
const THEN_REPORT = ["pa ok", "agent__final_report ok"] as const;
const TRUNCATED = "[TRUNCATED] Original size 3600 bytes; truncated to 101 bytes.\n";
const big = { name: "big", returns: "é€😀", times: 400 } as const;

/** The size of what tools return, and the queues in which they run. */
export const outputCases: readonly SessionCase[] = [
  {
    name: "a result over the limit is cut at a character, below the notice",
    clause: "[TRUNCATED] Original size X bytes; truncated to Y bytes. (prepended to content)",
    options: { toolResponseMaxBytes: 101 },
    targets: [target([calls(call("c1", "big")), report()])],
    tools: [big],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1"),
      answers: { c1: `${TRUNCATED}${"é€😀".repeat(11)}é` },
      accounting: [
        "pa ok",
        toolEntry({ command: "big", charactersOut: TRUNCATED.length + 45 }),
        ...THEN_REPORT,
      ],
      events: [{ type: "tool-truncated", tool: "big", bytes: 3_600, limit: 101 }],
    },
  },
  {
    name: "each tool has its own size, and one without has no limit",
    clause: "Tool responses exceeding this size are truncated",
    options: { toolResponseMaxBytes: { big: 101 } },
    targets: [target([calls(call("c1", "big"), call("c2", "huge")), report()])],
    tools: [big, { ...big, name: "huge" }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1", "c2"),
      answers: { c1: `${TRUNCATED}${"é€😀".repeat(11)}é`, c2: "é€😀".repeat(400) },
      accounting: ["pa ok", "big ok", "huge ok", ...THEN_REPORT],
      events: [{ type: "tool-truncated", tool: "big", bytes: 3_600, limit: 101 }],
    },
  },
  {
    name: "a result of exactly the limit is whole",
    clause: "Tool responses exceeding this size are truncated",
    options: { toolResponseMaxBytes: 3_600 },
    targets: [target([calls(call("c1", "big")), report()])],
    tools: [big],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1"),
      answers: { c1: "é€😀".repeat(400) },
      accounting: ["pa ok", "big ok", ...THEN_REPORT],
      noEvents: ["tool-truncated"],
    },
  },
  {
    name: "an exempt tool is never truncated",
    clause: "Exception: agent__batch meta-tool output NOT truncated as a whole",
    options: { toolResponseMaxBytes: 101, truncateExempt: ["agent__batch"] },
    targets: [target([calls(call("c1", "agent__batch"), call("c2", "big")), report()])],
    tools: [{ ...big, name: "agent__batch" }, big],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1", "c2"),
      answers: { c1: "é€😀".repeat(400), c2: [TRUNCATED] },
      accounting: ["pa ok", "agent__batch ok", "big ok", ...THEN_REPORT],
      events: [{ type: "tool-truncated", tool: "big" }],
    },
  },
  {
    name: "a result that is JSON is cut as text",
    clause: "Tool responses exceeding this size are truncated",
    options: { toolResponseMaxBytes: 10 },
    targets: [target([calls(call("c1")), report()])],
    tools: [{ name: "read", returns: 123_456_789_012_345 }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1"),
      answers: { c1: "[TRUNCATED] Original size 15 bytes; truncated to 10 bytes.\n1234567890" },
      accounting: ["pa ok", "read ok", ...THEN_REPORT],
    },
  },
  {
    name: "an image stays beside a text that is cut",
    clause: "Tool responses exceeding this size are truncated",
    options: { toolResponseMaxBytes: 101 },
    targets: [target([calls(call("c1", "big")), report()])],
    tools: [{ ...big, image: true }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1"),
      answers: { c1: `${TRUNCATED}${"é€😀".repeat(11)}é[image]` },
      accounting: ["pa ok", "big ok", ...THEN_REPORT],
    },
  },
  {
    name: "no size limit holds for the report",
    clause: "no size guard is applied to final outputs",
    options: { toolResponseMaxBytes: 10 },
    targets: [
      target([calls(reportCall("r1", { format: "markdown", content: "a".repeat(5_000) }))]),
    ],
    expected: {
      success: true,
      report: reported("a".repeat(5_000)),
      requests: ["pa"],
      conversation: "user, assistant r1, tool r1",
      accounting: THEN_REPORT,
      noEvents: ["tool-truncated"],
    },
  },
  {
    name: "a queue limits what all runs of a session do at once",
    clause: "queues.<name>.concurrent: maximum concurrent executions for tools bound to this queue",
    options: { queues: { browser: { concurrent: 2 } }, queueOf: { read: "browser" } },
    runs: 3,
    targets: [target([calls(...["c1", "c2", "c3", "c4"].map((id) => call(id))), report()])],
    tools: [{ name: "read", pauses: 1 }],
    expected: {
      success: true,
      report: REPORTED,
      conversation: thenReports("c1", "c2", "c3", "c4"),
      ran: Array.from({ length: 12 }, () => "read a"),
      atOnce: { read: 2 },
      accounting: ["pa ok", "read ok", "read ok", "read ok", "read ok", ...THEN_REPORT],
    },
  },
  {
    name: "tools of one queue share its places, and other tools run beside them",
    clause: "Additional requests wait until slot available",
    options: {
      queues: { browser: { concurrent: 1 } },
      queueOf: { open: "browser", click: "browser" },
    },
    targets: [
      target([calls(call("c1", "open"), call("c2", "click"), call("c3"), call("c4")), report()]),
    ],
    tools: [{ name: "open", pauses: 20 }, { name: "click" }, { name: "read", pauses: 1 }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1", "c2", "c3", "c4"),
      atOnce: { open: 1, click: 1, read: 2 },
      accounting: ["pa ok", "read ok", "read ok", "open ok", "click ok", ...THEN_REPORT],
    },
  },
  {
    name: "a session inside a tool needs no second place in the same queue",
    clause: "queues shared between runs (re-entrant for sub-agents)",
    options: {
      queues: { browser: { concurrent: 1 } },
      queueOf: { ask_agent: "browser", read: "browser" },
      sharesQueues: true,
    },
    targets: [target([calls(call("c1", "ask_agent")), report()])],
    tools: [
      {
        name: "ask_agent",
        session: {
          name: "inner",
          clause: "inner",
          options: {
            queues: { browser: { concurrent: 1 } },
            queueOf: { read: "browser" },
            sharesQueues: true,
          },
          targets: [target([calls(call("i1")), report("r1", "inner answer")])],
          tools: [READ],
          expected: { success: true, conversation: "", accounting: [] },
        },
      },
    ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1"),
      answers: { c1: "inner answer" },
      accounting: ["pa ok", "ask_agent ok", ...THEN_REPORT],
    },
  },
];
