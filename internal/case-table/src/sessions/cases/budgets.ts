import { call, calls, failure, READ, report, reported, target, thenReports } from "../row.ts";
import type { CaseReply, SessionCase } from "../session-case.ts";
import { STUCK } from "../texts.ts";

const BUDGET = "maxTokens, maxCost: the last turn comes while there is room for a report";
const PROGRESS = "the same call with the same result three times: told once, then the last turn";
const step = (n: number, path = String(n)): CaseReply =>
  calls(call(`c${n}`, "read", JSON.stringify({ path })));
const steps = (count: number): readonly CaseReply[] =>
  Array.from({ length: count }, (_, n) => step(n));
const stuck = (count: number): readonly CaseReply[] =>
  Array.from({ length: count }, (_, n) => step(n, "a"));
const FORCED = { to: "pa", forced: true } as const;

function conversationOf(count: number): string {
  const turns = Array.from({ length: count }, (_, n) => `assistant c${n}, tool c${n}`);
  return ["user", ...turns, "assistant r1", "tool r1"].join(", ");
}

const entriesOf = (count: number): readonly string[] =>
  Array.from({ length: count }, () => ["pa ok", "read ok"]).flat();

/** Runs that would go on and on: what they may take, and calls that come to nothing new. */
export const budgetCases: readonly SessionCase[] = [
  {
    name: "a run in dollars reports before they are used up",
    clause: BUDGET,
    options: { maxCost: 3, price: 1 },
    targets: [target([...steps(2), report(), ...steps(9)])],
    tools: [READ],
    expected: {
      success: true,
      report: { ...reported("Two notes."), metadata: { budget: "maxCost" } },
      requests: ["pa", "pa", FORCED],
      conversation: conversationOf(2),
      accounting: [...entriesOf(2), "pa ok", "agent__final_report ok"],
      events: [{ type: "budget-exceeded", limit: "maxCost", spent: 2, max: 3 }],
    },
  },
  {
    name: "a run in tokens reports before they are used up",
    clause: BUDGET,
    options: { maxTokens: 100, countsCharacters: true },
    targets: [
      target([
        { ...step(0), usage: { input: 20, output: 5 } },
        { ...step(1), usage: { input: 30, output: 5 } },
        { ...report(), usage: { input: 35, output: 5 } },
      ]),
    ],
    tools: [READ],
    expected: {
      success: true,
      report: { ...reported("Two notes."), metadata: { budget: "maxTokens" } },
      requests: ["pa", "pa", FORCED],
      conversation: conversationOf(2),
      accounting: [...entriesOf(2), "pa ok", "agent__final_report ok"],
      events: [{ type: "budget-exceeded", limit: "maxTokens", spent: 60, max: 100 }],
    },
  },
  {
    name: "a run whose budget ends without a report is a failure that says so",
    clause: BUDGET,
    options: { maxCost: 3, price: 1 },
    targets: [target(steps(9))],
    tools: [READ],
    expected: {
      success: false,
      report: failure("budget_exhausted"),
      requests: ["pa", "pa", FORCED],
      conversation: "user, assistant c0, tool c0, assistant c1, tool c1, assistant c2, tool c2",
      accounting: [...entriesOf(2), "pa ok"],
    },
  },
  {
    name: "failed attempts are paid for too",
    clause: BUDGET,
    options: { maxCost: 3, price: 1 },
    targets: [target([{}, step(0), report()])],
    tools: [READ],
    expected: {
      success: true,
      report: { ...reported("Two notes."), metadata: { budget: "maxCost" } },
      requests: [
        "pa",
        {
          to: "pa",
          notices: [
            "System notice: plain text responses without tool calls are ignored. Use final_report to provide your answer.",
          ],
        },
        FORCED,
      ],
      conversation: thenReports("c0"),
      accounting: [
        "pa failed: the answer has neither text nor tool calls",
        "pa ok",
        "read ok",
        "pa ok",
        "agent__final_report ok",
      ],
    },
  },
  {
    name: "a run inside of a tool draws on the budget of the run around it",
    clause: "nested runs draw on their parent's",
    options: { maxCost: 4, price: 1 },
    targets: [target([calls(call("c0", "delegate")), report()])],
    tools: [
      {
        name: "delegate",
        session: {
          name: "the inner run",
          clause: BUDGET,
          options: { price: 1 },
          targets: [target([...steps(9)], { name: "pi" })],
          tools: [READ],
          expected: { success: false, conversation: "", accounting: [] },
        },
      },
    ],
    expected: {
      success: true,
      report: { ...reported("Two notes."), metadata: { budget: "maxCost" } },
      requests: ["pa", FORCED],
      conversation: thenReports("c0"),
      accounting: ["pa ok", "delegate ok", "pa ok", "agent__final_report ok"],
    },
  },
  {
    name: "the same call with the same result is not progress",
    clause: PROGRESS,
    targets: [target([...stuck(4), report()])],
    tools: [READ],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: ["pa", "pa", "pa", { to: "pa", notices: [STUCK] }, FORCED],
      conversation: conversationOf(4),
      accounting: [...entriesOf(4), "pa ok", "agent__final_report ok"],
      events: [
        { type: "no-progress", tool: "read", times: 3, isLast: false },
        { type: "no-progress", tool: "read", times: 4, isLast: true },
      ],
    },
  },
  {
    name: "without a report, no progress is a failure that says so",
    clause: PROGRESS,
    targets: [target(stuck(9))],
    tools: [READ],
    expected: {
      success: false,
      report: failure("no_progress"),
      requests: ["pa", "pa", "pa", { to: "pa", notices: [STUCK] }, FORCED],
      conversation: [
        "user",
        ...Array.from({ length: 5 }, (_, n) => `assistant c${n}, tool c${n}`),
      ].join(", "),
      accounting: [...entriesOf(4), "pa ok"],
    },
  },
  {
    name: "tools that may be repeated are no lack of progress",
    clause: "repeatableTools are exempt",
    options: { repeatableTools: ["read"] },
    targets: [target([...stuck(6), report()])],
    tools: [READ],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: Array.from({ length: 7 }, () => "pa"),
      conversation: conversationOf(6),
      accounting: [...entriesOf(6), "pa ok", "agent__final_report ok"],
      noEvents: ["no-progress"],
    },
  },
  {
    name: "other arguments are progress, and equal calls of one answer are one step",
    clause: PROGRESS,
    targets: [
      target([
        calls(call("c0"), call("d0"), call("e0")),
        step(1, "b"),
        calls(call("c2"), call("d2")),
        report(),
      ]),
    ],
    tools: [READ],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: ["pa", "pa", "pa", "pa"],
      conversation:
        "user, assistant c0 d0 e0, tool c0, tool d0, tool e0, assistant c1, tool c1, assistant c2 d2, tool c2, tool d2, assistant r1, tool r1",
      accounting: [
        "pa ok",
        "read ok",
        "read ok",
        "read ok",
        "pa ok",
        "read ok",
        "pa ok",
        "read ok",
        "read ok",
        "pa ok",
        "agent__final_report ok",
      ],
      noEvents: ["no-progress"],
    },
  },
];
