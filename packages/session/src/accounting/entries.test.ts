import { describe, expect, test } from "vitest";
import type { TokenUsage } from "../shared/index.ts";
import { type LlmFacts, type ToolFacts, llmEntry, toolEntry } from "./index.ts";

const TRACE = { agentId: "b", callPath: "a:b", txnId: "2", parentTxnId: "1", originTxnId: "1" };
const NO_TOKENS = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

describe("the entry of a request", () => {
  const asked = { provider: "openai", model: "gpt-4o", startedAt: 1_000, endedAt: 1_250 };
  const entry = {
    type: "llm",
    provider: "openai",
    model: "gpt-4o",
    latency: 250,
    timestamp: 1_000,
  };
  const usage = { inputTokens: 1_000, outputTokens: 50, cachedTokens: 800, totalTokens: 1_050 };

  const rows: readonly {
    readonly name: string;
    readonly facts: Partial<LlmFacts>;
    readonly entry: object;
  }[] = [
    {
      name: "that was answered",
      facts: { reply: { usage, finishReason: "stop" } },
      entry: { status: "ok", tokens: usage, stopReason: "stop" },
    },
    {
      name: "that failed",
      facts: { error: "401 unauthorized" },
      entry: { status: "failed", tokens: NO_TOKENS, error: "401 unauthorized" },
    },
    {
      name: "that failed after it had used tokens",
      facts: { error: "empty", reply: { usage } },
      entry: { status: "failed", tokens: usage, error: "empty" },
    },
    {
      name: "with a cost",
      facts: { costUsd: 0.002 },
      entry: { status: "ok", tokens: NO_TOKENS, costUsd: 0.002 },
    },
    {
      name: "with a cost that is not a number",
      facts: { costUsd: Number.NaN },
      entry: { status: "ok", tokens: NO_TOKENS },
    },
    {
      name: "that another model answered",
      facts: { reply: { provider: "azure", model: "gpt-4o-2024-08-06" } },
      entry: {
        status: "ok",
        tokens: NO_TOKENS,
        actualProvider: "azure",
        actualModel: "gpt-4o-2024-08-06",
      },
    },
    {
      name: "that the model asked answered",
      facts: { reply: { provider: "openai", model: "gpt-4o" } },
      entry: { status: "ok", tokens: NO_TOKENS },
    },
    {
      name: "of a nested run",
      facts: { trace: TRACE },
      entry: { status: "ok", tokens: NO_TOKENS, ...TRACE },
    },
    {
      name: "on a clock that was set back",
      facts: { endedAt: 900 },
      entry: { status: "ok", tokens: NO_TOKENS, latency: 0 },
    },
  ];

  test.each(rows)("$name", ({ facts, entry: expected }) => {
    expect(llmEntry({ ...asked, ...facts })).toStrictEqual({ ...entry, ...expected });
  });

  test.each([
    [{ inputTokens: Number.NaN, outputTokens: -1, totalTokens: Infinity }, NO_TOKENS],
    [
      { inputTokens: 10, outputTokens: "5", totalTokens: undefined },
      { inputTokens: 10, outputTokens: 0, totalTokens: 10 },
    ],
    [
      { inputTokens: 10, outputTokens: 5, totalTokens: 0 },
      { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    ],
    [
      { inputTokens: 10, outputTokens: 5, cachedTokens: Number.NaN, totalTokens: 15 },
      { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    ],
    [
      { inputTokens: 10, outputTokens: 5, cachedTokens: 0, totalTokens: 15 },
      { inputTokens: 10, outputTokens: 5, cachedTokens: 0, totalTokens: 15 },
    ],
  ])("with the usage %j", (reported, tokens) => {
    const reply = { usage: reported as TokenUsage };
    expect(llmEntry({ ...asked, reply }).tokens).toStrictEqual(tokens);
  });
});

describe("the entry of a tool", () => {
  const ran = {
    tool: "read_file",
    startedAt: 1_000,
    endedAt: 1_004,
    input: { path: "a" },
    output: "hello",
  };
  const entry = {
    type: "tool",
    mcpServer: "local",
    command: "read_file",
    status: "ok",
    latency: 4,
    timestamp: 1_000,
    charactersIn: 12,
    charactersOut: 5,
  };

  const rows: readonly {
    readonly name: string;
    readonly facts: Partial<ToolFacts>;
    readonly entry: object;
  }[] = [
    { name: "that ran", facts: {}, entry: {} },
    { name: "of an MCP server", facts: { mcpServer: "files" }, entry: { mcpServer: "files" } },
    {
      name: "that failed",
      facts: { error: "timeout", output: "(tool failed: timeout)" },
      entry: { status: "failed", error: "timeout", charactersOut: 22 },
    },
    {
      name: "whose output was dropped",
      facts: {
        error: "context window budget exceeded",
        dropped: { estimatedTokens: 5_000, replacementTokens: 9 },
      },
      entry: {
        status: "failed",
        error: "context window budget exceeded",
        estimatedTokens: 5_000,
        replacementTokens: 9,
      },
    },
    { name: "called in XML", facts: { source: "xml" }, entry: { source: "xml" } },
    { name: "with arguments as text", facts: { input: "{}" }, entry: { charactersIn: 2 } },
    { name: "without arguments", facts: { input: undefined }, entry: { charactersIn: 0 } },
    {
      name: "with arguments that are no JSON",
      facts: { input: { n: 1n } },
      entry: { charactersIn: 0 },
    },
    { name: "of a nested run", facts: { trace: TRACE }, entry: TRACE },
  ];

  test.each(rows)("$name", ({ facts, entry: expected }) => {
    expect(toolEntry({ ...ran, ...facts })).toStrictEqual({ ...entry, ...expected });
  });
});
