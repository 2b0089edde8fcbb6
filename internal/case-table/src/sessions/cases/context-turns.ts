import {
  call,
  calls,
  fails,
  failure,
  READ,
  report,
  reported,
  says,
  target,
  thenReports,
} from "../row.ts";
import type { SessionCase } from "../session-case.ts";
import { EMPTY, NO_ROOM } from "../texts.ts";

const REPORTED = reported("Two notes.");
const THEN_REPORT = ["pa ok", "agent__final_report ok"] as const;
/** Room for 9000 characters, as rows here count them. */
const WINDOW = { contextWindow: 10_000, contextWindowBufferTokens: 1_000 } as const;
const COUNTED = { countsCharacters: true } as const;
const big = { name: "big", returns: "x", times: 50_000 } as const;

/** Requests that do not fit, and how their tokens are counted. */
export const contextTurnCases: readonly SessionCase[] = [
  {
    name: "a request that fits with the report tool alone is the last one",
    clause: "turn_preflight: schema tokens are recomputed for the reduced toolset",
    options: COUNTED,
    messages: [{ role: "user", text: "y".repeat(4_000) }],
    targets: [target([report()], WINDOW)],
    tools: [
      {
        name: "read",
        inputSchema: {
          type: "object",
          properties: { path: { type: "string", description: "z".repeat(8_000) } },
        },
      },
    ],
    expected: {
      success: true,
      report: REPORTED,
      requests: [{ to: "pa", forced: true }],
      conversation: "user, assistant r1, tool r1",
      accounting: THEN_REPORT,
      events: [
        { type: "context-exceeded", guard: "turn_preflight", limit_tokens: 9_000 },
        { type: "llm-request", turn: 1, ctxTokens: 0, forcedFinalTurnReason: "context" },
      ],
      noEvents: ["post-shrink"],
    },
  },
  {
    name: "a request that is still too long is sent all the same",
    clause: "best-effort but MUST log the post-shrink warning",
    options: COUNTED,
    messages: [{ role: "user", text: "y".repeat(12_000) }],
    targets: [target([report()], WINDOW)],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: [{ to: "pa", forced: true }],
      conversation: "user, assistant r1, tool r1",
      accounting: THEN_REPORT,
      events: [
        {
          type: "context-exceeded",
          guard: "turn_preflight",
          limit_tokens: 9_000,
          remaining_tokens: 0,
        },
        { type: "post-shrink", limit_tokens: 9_000 },
        { type: "llm-request", turn: 1, forcedFinalTurnReason: "context" },
      ],
    },
  },
  {
    name: "measured tokens force the last turn",
    clause: "If projected > limit, the guard MUST move the session into forced-final handling",
    options: COUNTED,
    targets: [
      target([{ ...calls(call("c1")), usage: { input: 8_985, output: 5 } }, report()], WINDOW),
    ],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", { to: "pa", forced: true }],
      conversation: thenReports("c1"),
      accounting: ["pa ok", "read failed: context window budget exceeded", ...THEN_REPORT],
      events: [
        { type: "context-exceeded", guard: "tool_preflight" },
        { type: "context-exceeded", guard: "turn_preflight" },
      ],
    },
  },
  ...[
    { name: "no usage", usage: null },
    { name: "nonsense for usage", usage: { input: -5, output: "many" } },
    { name: "a usage of zero", usage: { input: 0, output: 0 } },
  ].map(({ name, usage }): SessionCase => ({
    name: `a provider that reports ${name} is counted by estimates`,
    clause: "measured usage correcting estimates, providers without usage",
    options: COUNTED,
    targets: [
      target(
        [
          { ...calls(call("c1", "some")), usage },
          { ...calls(call("c2", "some")), usage },
          { ...calls(call("c3", "some")), usage },
          report(),
        ],
        WINDOW,
      ),
    ],
    tools: [{ name: "some", returns: "x", times: 3_000 }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa", "pa", { to: "pa", forced: true }],
      conversation:
        "user, assistant c1, tool c1, assistant c2, tool c2, assistant c3, tool c3, assistant r1, tool r1",
      answers: { c2: "x".repeat(3_000), c3: NO_ROOM },
      accounting: [
        "pa ok",
        "some ok",
        "pa ok",
        "some ok",
        "pa ok",
        "some failed: context window budget exceeded",
        ...THEN_REPORT,
      ],
    },
  })),
  {
    name: "the smallest of several targets decides, and only those that are too small are named",
    clause: "Per target limit: limit = contextWindow - contextWindowBufferTokens - maxOutputTokens",
    options: COUNTED,
    targets: [
      target([calls(call("c1", "some")), report()], { contextWindow: 100_000 }),
      target([], { ...WINDOW, name: "pb", maxOutputTokens: 4_000 }),
    ],
    tools: [{ name: "some", returns: "x", times: 5_000 }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", { to: "pa", forced: true }],
      conversation: thenReports("c1"),
      answers: { c1: NO_ROOM },
      accounting: ["pa ok", "some failed: context window budget exceeded", ...THEN_REPORT],
      events: [
        {
          type: "context-exceeded",
          guard: "tool_preflight",
          limit_tokens: 5_000,
          blocked: [{ provider: "pb", model: "scripted" }],
        },
      ],
    },
  },
  {
    name: "the buffer is a tenth of the window by default",
    clause: "contextWindowBufferTokens subtracts a safety margin",
    options: COUNTED,
    targets: [target([calls(call("c1", "big")), report()], { contextWindow: 8_000 })],
    tools: [big],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", { to: "pa", forced: true }],
      conversation: thenReports("c1"),
      accounting: ["pa ok", "big failed: context window budget exceeded", ...THEN_REPORT],
      events: [{ type: "context-exceeded", limit_tokens: 7_200 }],
    },
  },
  {
    name: "notices count as new tokens",
    clause: "Any retry-only nudges count toward pendingCtxTokens before the log is emitted",
    options: COUNTED,
    targets: [target([{}, says("done")], WINDOW)],
    expected: {
      success: true,
      report: reported("done"),
      requests: ["pa", { to: "pa", notices: [EMPTY] }],
      conversation: "user, assistant",
      accounting: ["pa failed: the answer has neither text nor tool calls", "pa ok"],
      events: [
        { type: "llm-request", newTokens: 20 },
        { type: "llm-request", newTokens: 20 + EMPTY.length },
      ],
    },
  },
  {
    name: "a provider that says that the prompt is too long ends the run with a failure report",
    clause:
      "Synthetic failure (max turns, context overflow): success: false, finalReport with failure",
    options: { maxRetries: 2 },
    targets: [
      target([
        fails(400, { message: "prompt is too long" }),
        fails(400, { message: "prompt is too long" }),
      ]),
    ],
    expected: {
      success: false,
      error: "prompt is too long",
      report: failure("context_window_exceeded", "prompt is too long"),
      requests: ["pa", "pa"],
      conversation: "user",
      accounting: ["pa failed: prompt is too long", "pa failed: prompt is too long"],
    },
  },
];
