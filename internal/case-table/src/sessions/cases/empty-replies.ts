import {
  call,
  calls,
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
import { EMPTY, REASONING } from "../texts.ts";

const NOTHING = "pa failed: the answer has neither text nor tool calls";
const REASONED = "pa failed: the answer is reasoning alone, without text or tool calls";
const TEXT = "pa failed: the answer is plain text without tool calls";
const NUDGED = { to: "pa", notices: [EMPTY] } as const;
const REPORTED = reported("Two notes.");
const THEN_REPORT = ["pa ok", "agent__final_report ok"] as const;

/** Answers without text and calls, of text alone, and of reasoning alone. */
export const emptyReplyCases: readonly SessionCase[] = [
  {
    name: "an empty answer is asked for again, with a notice that is not stored",
    clause:
      "NOT added to the conversation, and a synthetic retry is triggered with the ephemeral message",
    targets: [target([{}, says(" \n"), calls(call("c1")), report()])],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", NUDGED, NUDGED, "pa"],
      conversation: thenReports("c1"),
      accounting: [NOTHING, NOTHING, "pa ok", "read ok", ...THEN_REPORT],
    },
  },
  {
    name: "an empty answer is one attempt, and the next goes to the next target",
    clause: "Counts as one attempt toward maxRetries budget",
    options: { maxRetries: 2 },
    targets: [target([{}]), target([{}, says("late")], { name: "pb" })],
    expected: {
      success: false,
      error: "the answer has neither text nor tool calls",
      report: failure("attempts_exhausted", "the answer has neither text nor tool calls"),
      requests: ["pa", { to: "pb", notices: [EMPTY] }],
      conversation: "user",
      accounting: [NOTHING, NOTHING.replace("pa", "pb")],
      events: [
        { type: "attempt-failed", kind: "empty" },
        { type: "attempt-failed", kind: "empty" },
      ],
    },
  },
  {
    name: "an empty answer in the last turn is asked for again too",
    clause: "Counts as one attempt toward maxRetries budget",
    options: { maxTurns: 1 },
    targets: [target([{}, report()])],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: [
        { to: "pa", forced: true },
        { to: "pa", forced: true, notices: [EMPTY] },
      ],
      conversation: "user, assistant r1, tool r1",
      accounting: [NOTHING, ...THEN_REPORT],
    },
  },
  {
    name: "text without calls is the report by default",
    clause: 'plainText: "accept" (default: it is the report)',
    targets: [target([says("Two notes.")])],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa"],
      conversation: "user, assistant",
      says: ["Two notes."],
      accounting: ["pa ok"],
    },
  },
  {
    name: "text without calls is asked for again if it may not be the report",
    clause: 'plainText: "retry": plain text responses without tool calls are ignored',
    options: { plainText: "retry" },
    targets: [target([says("Two notes, I think."), report()])],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", NUDGED],
      conversation: "user, assistant r1, tool r1",
      says: [],
      accounting: [TEXT, ...THEN_REPORT],
    },
  },
  {
    name: "text beside calls stays in the conversation",
    clause: 'plainText: "retry": plain text responses without tool calls are ignored',
    options: { plainText: "retry" },
    targets: [target([{ ...calls(call("c1")), text: "Let me see." }, report()])],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1"),
      says: ["Let me see."],
      accounting: ["pa ok", "read ok", ...THEN_REPORT],
    },
  },
  {
    name: "reasoning alone goes on to the next turn, which reads it",
    clause: "only reasoning: the turn is allowed to proceed; the reasoning is preserved",
    options: { maxTurns: 4 },
    targets: [target([{ reasoning: "I should read." }, calls(call("c1")), report()])],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", { to: "pa", roles: "user, assistant" }, "pa"],
      conversation: thenReports("c1"),
      accounting: ["pa ok", "pa ok", "read ok", ...THEN_REPORT],
      events: [1, 2, 3].map((turn) => ({ type: "llm-request", turn })),
      noEvents: ["attempt-failed"],
    },
  },
  {
    name: "reasoning alone in the last turn is not an answer",
    clause: "Otherwise (no content, no tools) a synthetic retry is triggered",
    options: { maxTurns: 1 },
    targets: [target([{ reasoning: "I should read." }, report()])],
    expected: {
      success: true,
      report: REPORTED,
      requests: [
        { to: "pa", forced: true },
        { to: "pa", forced: true, notices: [REASONING] },
      ],
      conversation: "user, assistant r1, tool r1",
      accounting: [REASONED, ...THEN_REPORT],
    },
  },
  {
    name: "a model that only reasons gets its turns and no more",
    clause: "maxTurns: the application will never exceed this number of conversation turns",
    options: { maxTurns: 2, maxRetries: 2 },
    targets: [target([1, 2, 3, 4].map((n) => ({ reasoning: `Thought ${n}.` })))],
    expected: {
      success: false,
      error: "the answer is reasoning alone, without text or tool calls",
      report: failure(
        "attempts_exhausted",
        "the answer is reasoning alone, without text or tool calls",
      ),
      requests: [
        "pa",
        { to: "pa", forced: true, roles: "user, assistant" },
        { to: "pa", forced: true, notices: [REASONING], roles: "user, assistant" },
      ],
      conversation: "user",
      accounting: ["pa ok", REASONED, REASONED],
    },
  },
  {
    name: "reasoning beside an answer is fine",
    clause: "the reasoning is preserved in the conversation for the next turn",
    targets: [
      target([
        {
          reasoning: "Done already.",
          calls: [reportCall("r1", { format: "markdown", content: "Two notes." })],
        },
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
];
