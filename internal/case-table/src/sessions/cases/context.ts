import {
  call,
  calls,
  failure,
  READ,
  report,
  reported,
  target,
  thenReports,
  toolEntry,
} from "../row.ts";
import type { SessionCase } from "../session-case.ts";
import { FINAL, NO_ROOM } from "../texts.ts";

const REPORTED = reported("Two notes.");
const THEN_REPORT = ["pa ok", "agent__final_report ok"] as const;
/** Room for 9000 characters, as rows here count them. */
const WINDOW = { contextWindow: 10_000, contextWindowBufferTokens: 1_000 } as const;
const COUNTED = { countsCharacters: true } as const;
const big = { name: "big", returns: "x", times: 50_000 } as const;

export const contextCases: readonly SessionCase[] = [
  {
    name: "the counters of a request add up, and those of the provider replace the estimates",
    clause: "ctxTokens MUST match the provider-reported ctx (0 on the very first turn)",
    options: COUNTED,
    targets: [
      target(
        [{ ...calls(call("c1")), usage: { input: 700, output: 33, cached: 600 } }, report()],
        WINDOW,
      ),
    ],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1"),
      accounting: ["pa ok", "read ok", ...THEN_REPORT],
      events: [
        { type: "llm-request", turn: 1, ctxTokens: 0, newTokens: "What is in my notes?".length },
        { type: "llm-request", turn: 2, ctxTokens: 733, newTokens: "read a".length },
      ],
      noEvents: ["context-exceeded", "post-shrink"],
    },
  },
  {
    name: "without a window nothing is too long",
    clause: "contextWindow: provider/model capacity",
    options: COUNTED,
    targets: [target([calls(call("c1", "big")), report()])],
    tools: [big],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1"),
      accounting: ["pa ok", "big ok", ...THEN_REPORT],
      noEvents: ["context-exceeded"],
    },
  },
  {
    name: "a result that does not fit is dropped, and the report is asked for",
    clause:
      "tool_preflight: dropped immediately; stub (tool failed: context window budget exceeded)",
    options: COUNTED,
    targets: [target([calls(call("c1", "big")), report()], WINDOW)],
    tools: [big],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", { to: "pa", forced: true }],
      conversation: thenReports("c1"),
      answers: { c1: NO_ROOM },
      ran: ["big a"],
      accounting: [
        "pa ok",
        {
          ...toolEntry({ command: "big", charactersOut: NO_ROOM.length }),
          status: "failed",
          error: "context window budget exceeded",
          estimatedTokens: 50_000,
          replacementTokens: NO_ROOM.length,
        },
        ...THEN_REPORT,
      ],
      events: [
        { type: "llm-request", turn: 1 },
        {
          type: "context-exceeded",
          guard: "tool_preflight",
          tool: "big",
          blocked: [{ provider: "pa", model: "scripted" }],
          limit_tokens: 9_000,
        },
        {
          type: "llm-request",
          turn: 2,
          ctxTokens: 15,
          newTokens: NO_ROOM.length + FINAL.length,
          forcedFinalTurnReason: "context",
        },
      ],
      noEvents: ["post-shrink"],
    },
  },
  {
    name: "a small result fits beside one that does not",
    clause: "Parallel executions already in flight may finish",
    options: COUNTED,
    targets: [target([calls(call("c1"), call("c2", "big")), report()], WINDOW)],
    tools: [READ, { ...big, pauses: 5 }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", { to: "pa", forced: true }],
      conversation: thenReports("c1", "c2"),
      answers: { c1: "read a", c2: NO_ROOM },
      accounting: [
        "pa ok",
        "read ok",
        "big failed: context window budget exceeded",
        ...THEN_REPORT,
      ],
    },
  },
  {
    name: "a result in flight when another was dropped is still read",
    clause: "Parallel executions already in flight may finish",
    options: COUNTED,
    targets: [target([calls(call("c1", "big"), call("c2")), report()], WINDOW)],
    tools: [big, { name: "read", pauses: 10 }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", { to: "pa", forced: true }],
      conversation: thenReports("c1", "c2"),
      answers: { c1: NO_ROOM, c2: "read a" },
      accounting: [
        "pa ok",
        "big failed: context window budget exceeded",
        "read ok",
        ...THEN_REPORT,
      ],
    },
  },
  {
    name: "a call that waits in its queue when a result is dropped does not start",
    clause: "no additional tools may start until the session concludes",
    options: { ...COUNTED, queues: { default: { concurrent: 1 } } },
    targets: [target([calls(call("c1", "big"), call("c2", "slow"), call("c3")), report()], WINDOW)],
    // The second takes the place of the first before the result of that is counted.
    tools: [big, { name: "slow", pauses: 5 }, READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", { to: "pa", forced: true }],
      conversation: thenReports("c1", "c2", "c3"),
      answers: { c1: NO_ROOM, c2: "slow a", c3: NO_ROOM },
      ran: ["big a", "slow a"],
      accounting: [
        "pa ok",
        "big failed: context window budget exceeded",
        "slow ok",
        ...THEN_REPORT,
      ],
    },
  },
  {
    name: "after a drop no other tool runs, and the run ends",
    clause: "forbids scheduling any NEW user-facing tools",
    options: COUNTED,
    targets: [target([calls(call("c1", "big")), calls(call("c2")), report()], WINDOW)],
    tools: [READ, big],
    expected: {
      success: false,
      report: failure("context_window_exceeded"),
      requests: ["pa", { to: "pa", forced: true }],
      conversation: "user, assistant c1, tool c1, assistant c2, tool c2",
      answers: { c1: NO_ROOM, c2: NO_ROOM },
      ran: ["big a"],
      accounting: ["pa ok", "big failed: context window budget exceeded", "pa ok"],
    },
  },
];
