import {
  call,
  calls,
  fails,
  failure,
  READ,
  report,
  reportCall,
  reported,
  says,
  target,
  thenReports,
} from "../row.ts";
import type { SessionCase } from "../session-case.ts";
import { LAST_TURN, tooMany } from "../texts.ts";

const TURNS = "maxTurns: the application will never exceed this number of conversation turns";
const LAST = { to: "pa", forced: true } as const;

export const turnCases: readonly SessionCase[] = [
  {
    name: "a tool, then the report",
    clause: "1 turn = 1 LLM request/response cycle + tool execution phase",
    targets: [target([calls(call("c1")), report()])],
    tools: [READ],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: ["pa", "pa"],
      conversation: thenReports("c1"),
      answers: { c1: "read a" },
      ran: ["read a"],
      accounting: ["pa ok", "read ok", "pa ok", "agent__final_report ok"],
    },
  },
  {
    name: "a model that always calls a tool gets its turns and no more",
    clause: TURNS,
    options: { maxTurns: 3 },
    targets: [target([1, 2, 3, 4, 5].map((n) => calls(call(`c${n}`))))],
    tools: [READ],
    expected: {
      success: false,
      report: failure("max_turns_exhausted"),
      requests: ["pa", "pa", { to: "pa", forced: true }],
      conversation: "user, assistant c1, tool c1, assistant c2, tool c2, assistant c3, tool c3",
      answers: { c2: "read a", c3: LAST_TURN },
      accounting: ["pa ok", "read ok", "pa ok", "read ok", "pa ok"],
      events: [
        { type: "llm-request", turn: 1 },
        { type: "llm-request", turn: 2 },
        { type: "llm-request", turn: 3, forcedFinalTurnReason: "max_turns" },
      ],
    },
  },
  {
    name: "a run of one turn is offered the report alone",
    clause: "only the report tool is offered on the last turn",
    options: { maxTurns: 1 },
    targets: [target([report()])],
    tools: [READ],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: [{ to: "pa", forced: true }],
      conversation: "user, assistant r1, tool r1",
      accounting: ["pa ok", "agent__final_report ok"],
    },
  },
  {
    name: "a run has 20 turns by default",
    clause: TURNS,
    options: { repeatableTools: ["read"] },
    targets: [target(Array.from({ length: 25 }, (_, n) => calls(call(`c${n}`))))],
    tools: [READ],
    expected: {
      success: false,
      report: failure("max_turns_exhausted"),
      requests: [...Array.from({ length: 19 }, () => "pa"), { to: "pa", forced: true }],
      conversation: [
        "user",
        ...Array.from({ length: 20 }, (_, n) => `assistant c${n}, tool c${n}`),
      ].join(", "),
      accounting: [...Array.from({ length: 19 }, () => ["pa ok", "read ok"]).flat(), "pa ok"],
    },
  },
  {
    name: "the cap on calls counts calls, whatever their ids are",
    clause: "maxToolCallsPerTurn: excess tool calls are dropped and NOT executed",
    options: { maxToolCallsPerTurn: 2 },
    targets: [
      target([
        calls(
          ...["a", "b", "c", "d", "e", "f"].map((path) =>
            call("same", "read", `{"path":"${path}"}`),
          ),
        ),
        report(),
      ]),
    ],
    tools: [READ],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: ["pa", "pa"],
      conversation: thenReports("same", "same_2", "same_3", "same_4", "same_5", "same_6"),
      answers: {
        same: "read a",
        same_2: "read b",
        same_3: tooMany(2),
        same_4: tooMany(2),
        same_5: tooMany(2),
        same_6: tooMany(2),
      },
      ran: ["read a", "read b"],
      accounting: ["pa ok", "read ok", "read ok", "pa ok", "agent__final_report ok"],
    },
  },
  {
    name: "retries take no turn",
    clause: "Retries within the same turn do NOT count toward the limit",
    options: { maxTurns: 2, maxRetries: 3 },
    targets: [
      target([fails(500), fails(500), calls(call("c1")), fails(500), fails(500), report()]),
    ],
    tools: [READ],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: ["pa", "pa", "pa", ...Array.from({ length: 3 }, () => LAST)],
      conversation: thenReports("c1"),
      accounting: [
        "pa failed: status 500",
        "pa failed: status 500",
        "pa ok",
        "read ok",
        "pa failed: status 500",
        "pa failed: status 500",
        "pa ok",
        "agent__final_report ok",
      ],
      events: [1, 1, 1, 2, 2, 2].map((turn) => ({ type: "llm-request", turn })),
    },
  },
  {
    name: "text in the last turn is the report",
    clause: "Text extraction fallback: final turn contains text content without final_report",
    options: { maxTurns: 2, plainText: "retry" },
    targets: [target([calls(call("c1")), says("Two notes.")])],
    tools: [READ],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: ["pa", LAST],
      conversation: "user, assistant c1, tool c1, assistant",
      accounting: ["pa ok", "read ok", "pa ok"],
    },
  },
  {
    name: "calls over the cap are answered and do not run",
    clause: "maxToolCallsPerTurn: excess tool calls are dropped and NOT executed",
    options: { maxToolCallsPerTurn: 2 },
    targets: [target([calls(call("c1"), call("c2"), call("c3"), call("c4")), report()])],
    tools: [READ],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: ["pa", "pa"],
      conversation: thenReports("c1", "c2", "c3", "c4"),
      answers: { c1: "read a", c2: "read a", c3: tooMany(2), c4: tooMany(2) },
      ran: ["read a", "read a"],
      accounting: ["pa ok", "read ok", "read ok", "pa ok", "agent__final_report ok"],
    },
  },
  {
    name: "the cap begins anew in each turn",
    clause: "LLM cannot request more tools than this limit in a single turn",
    options: { maxToolCallsPerTurn: 1 },
    targets: [target([calls(call("c1")), calls(call("c2"), call("c3")), report()])],
    tools: [READ],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: ["pa", "pa", "pa"],
      conversation:
        "user, assistant c1, tool c1, assistant c2 c3, tool c2, tool c3, assistant r1, tool r1",
      answers: { c1: "read a", c2: "read a", c3: tooMany(1) },
      accounting: ["pa ok", "read ok", "pa ok", "read ok", "pa ok", "agent__final_report ok"],
    },
  },
  {
    name: "the report is never too many",
    clause: "the report tool is never dropped or blocked",
    options: { maxToolCallsPerTurn: 1 },
    targets: [
      target([
        calls(
          call("c1"),
          reportCall("r1", { format: "markdown", content: "Two notes." }),
          call("c2"),
        ),
      ]),
    ],
    tools: [READ],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: ["pa"],
      conversation: "user, assistant c1 r1 c2, tool c1, tool c2, tool r1",
      answers: { c1: "read a", c2: tooMany(1) },
      ran: ["read a"],
      accounting: ["pa ok", "agent__final_report ok", "read ok"],
    },
  },
  {
    name: "an invalid call over the cap is not an attempt",
    clause: "a call over the cap is answered in no lane and not counted",
    options: { maxToolCallsPerTurn: 1 },
    targets: [
      target([
        calls(call("c1"), call("c2", "read", "{}")),
        calls(call("c3", "read", "{}")),
        report(),
      ]),
    ],
    tools: [READ],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: ["pa", "pa", "pa"],
      conversation:
        "user, assistant c1 c2, tool c1, tool c2, assistant c3, tool c3, assistant r1, tool r1",
      answers: { c2: tooMany(1), c3: ["attempt 1/3"] },
      ran: ["read a"],
      accounting: ["pa ok", "read ok", "pa ok", "pa ok", "agent__final_report ok"],
    },
  },
];
