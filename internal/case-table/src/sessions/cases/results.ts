import {
  call,
  calls,
  fails,
  llmEntry,
  READ,
  report,
  reported,
  says,
  target,
  thenReports,
  toolEntry,
} from "../row.ts";
import type { SessionCase } from "../session-case.ts";

const REPORTED = reported("Two notes.");
const THEN_REPORT = ["pa ok", "agent__final_report ok"] as const;

const LEAD = { agentId: "lead", callPath: "lead", txnId: "t1", originTxnId: "t1" } as const;
const CLERK = {
  agentId: "clerk",
  callPath: "lead:clerk",
  txnId: "t2",
  parentTxnId: "t1",
  originTxnId: "t1",
} as const;

/** The conversation and the accounting of a result. */
export const resultCases: readonly SessionCase[] = [
  {
    name: "the conversation begins with the system message and what was given",
    clause: "1. System messages 2. User message 3. Alternating: assistant, tool, ... 4. Final",
    system: "You read notes.",
    messages: [
      { role: "user", text: "Hello." },
      { role: "assistant", text: "What can I do?" },
      { role: "user", text: "What is in my notes?" },
    ],
    targets: [target([calls(call("c1")), calls(call("c2"), call("c3")), report()])],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa", "pa"],
      conversation:
        "system, user, assistant, user, assistant c1, tool c1, assistant c2 c3, tool c2, tool c3, assistant r1, tool r1",
      says: ["What can I do?"],
      accounting: ["pa ok", "read ok", "pa ok", "read ok", "read ok", ...THEN_REPORT],
    },
  },
  {
    name: "a conversation that ends in text",
    clause: "4. Final: assistant with final_report tool call OR text response",
    targets: [target([calls(call("c1")), says("Two notes.")])],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: "user, assistant c1, tool c1, assistant",
      accounting: ["pa ok", "read ok", "pa ok"],
    },
  },
  {
    name: "an entry of a request has exactly the fields of the contract",
    clause: "Every LLM request produces an entry",
    targets: [
      target([
        { ...fails(500), takes: 40 },
        {
          ...calls(call("c1")),
          usage: { input: 1_000, output: 50, cached: 800 },
          model: "scripted-2026",
          takes: 120,
        },
        { ...says("Two notes."), usage: null, takes: 7 },
      ]),
    ],
    tools: [{ name: "read", takes: 25 }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa", "pa"],
      conversation: "user, assistant c1, tool c1, assistant",
      accounting: [
        {
          type: "llm",
          provider: "pa",
          model: "scripted",
          status: "failed",
          error: "status 500",
          tokens: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
          latency: 40,
          timestamp: 0,
        },
        llmEntry({
          actualModel: "scripted-2026",
          tokens: { inputTokens: 1_000, outputTokens: 50, cachedTokens: 800, totalTokens: 1_050 },
          latency: 120,
          timestamp: 40,
        }),
        toolEntry({ latency: 25, timestamp: 160 }),
        llmEntry({
          tokens: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
          stopReason: "stop",
          latency: 7,
          timestamp: 185,
        }),
      ],
      events: [{ type: "not-judged", what: "usage" }],
    },
  },
  {
    name: "an entry of a tool has exactly the fields of the contract",
    clause: "Every tool execution produces an entry",
    options: { servers: { read: "files" } },
    targets: [target([calls(call("c1"), call("c2", "broken")), report()])],
    tools: [READ, { name: "broken", throws: "DB down" }],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: thenReports("c1", "c2"),
      accounting: [
        llmEntry(),
        toolEntry({ mcpServer: "files", latency: 0, timestamp: 0 }),
        toolEntry({ command: "broken", status: "failed", error: "DB down", charactersOut: 22 }),
        llmEntry(),
        toolEntry({
          command: "agent__final_report",
          charactersIn: '{"format":"markdown","content":"Two notes."}'.length,
          charactersOut: 2,
        }),
      ],
    },
  },
  {
    name: "calls that did not run have no entry",
    clause: "Every tool execution produces an entry",
    options: { maxToolCallsPerTurn: 1 },
    targets: [
      target([calls(call("c1", "read", "{}"), call("c2"), call("c3")), says("Two notes.")]),
    ],
    tools: [READ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: "user, assistant c1 c2 c3, tool c1, tool c2, tool c3, assistant",
      ran: [],
      accounting: ["pa ok", "pa ok"],
    },
  },
  {
    name: "the cost of a request is in its entry",
    clause: "Optional: costUsd, actualProvider, actualModel, stopReason",
    // The digits that sums of floats have at their end mean nothing.
    options: { price: 0.1 + 0.2 },
    targets: [target([fails(500), says("Two notes.")])],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: "user, assistant",
      accounting: ["pa failed: status 500", llmEntry({ costUsd: 0.3, stopReason: "stop" })],
    },
  },
  {
    name: "the ids of a run are in its entries, and a session inside a tool continues them",
    clause: "Multi-agent tracing: agentId?, callPath?, txnId?, parentTxnId?, originTxnId?",
    options: { trace: { agentId: "lead", txnId: "t1" } },
    targets: [target([calls(call("c1", "ask_agent")), says("Two notes.")])],
    tools: [
      {
        name: "ask_agent",
        session: {
          name: "inner",
          clause: "inner",
          options: { trace: { agentId: "clerk", txnId: "t2" } },
          targets: [target([calls(call("i1")), says("inner answer")])],
          tools: [READ],
          expected: { success: true, conversation: "", accounting: [] },
        },
      },
    ],
    expected: {
      success: true,
      report: REPORTED,
      requests: ["pa", "pa"],
      conversation: "user, assistant c1, tool c1, assistant",
      answers: { c1: "inner answer" },
      accounting: [
        llmEntry(LEAD),
        toolEntry({ command: "ask_agent", charactersOut: 12, ...LEAD }),
        llmEntry({ stopReason: "stop", ...LEAD }),
      ],
      inner: [llmEntry(CLERK), toolEntry(CLERK), llmEntry({ stopReason: "stop", ...CLERK })],
    },
  },
];
