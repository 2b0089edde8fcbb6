import type { Span } from "@opentelemetry/api";
import { type Recording, renderTrace, startRecording } from "@toolcontract/telemetry";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LABS } from "./testing/every-langchain.ts";
import { runAgent } from "./testing/run-agent.ts";
import { BAD_ORDER, GOOD_ORDER, spied } from "./testing/tools.ts";

let recording: Recording;

beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

/** A handler that makes a span of each run, as instrumentations of LangChain do: nothing becomes active. */
function spansOfRuns(): object {
  const { trace, context } = recording.api;
  const spans = new Map<string, Span>();
  const startSpan = (kind: string, parentRunId: string | undefined): Span => {
    const parent = parentRunId === undefined ? undefined : spans.get(parentRunId);
    const within = parent ? trace.setSpan(context.active(), parent) : context.active();
    return trace.getTracer("host").startSpan(kind, {}, within);
  };
  const start =
    (kind: string) =>
    (_: unknown, __: unknown, runId: string, parentRunId?: string): void => {
      spans.set(runId, startSpan(kind, parentRunId));
    };
  const end = (_: unknown, runId: string): void => spans.get(runId)?.end();
  return {
    awaitHandlers: true,
    handleChatModelStart: start("chat"),
    handleToolStart: start("tool"),
    handleLLMEnd: end,
    handleToolEnd: end,
  };
}

describe.each(LABS)("on langchain $version", (lab) => {
  test("a refused call is a failed span below the one that is active around the agent", async () => {
    const { tool, runs } = spied(lab);
    await recording.inSpan("POST /chat", async () =>
      runAgent(lab, {
        turns: [
          { calls: [{ id: "call_1", name: "create_order", args: BAD_ORDER }] },
          { calls: [{ id: "call_2", name: "create_order", args: GOOD_ORDER }] },
        ],
        tools: [tool],
        options: { telemetry: recording.api },
        config: { callbacks: [spansOfRuns()] },
      }),
    );
    expect(runs).toHaveLength(1);
    const id = "gen_ai.tool.call.id";
    // In the middleware, no run of the tool begins for a call that it answers.
    expect(renderTrace(recording.spans, [id]).split("\n")).toEqual([
      "POST /chat",
      "  chat",
      `  execute_tool create_order ERROR VAL-010 ${id}="call_1"`,
      "  chat",
      "  tool",
      "  chat",
    ]);
    expect(JSON.stringify(recording.spans.map(({ attributes }) => attributes))).not.toContain(
      "sk-secret-123",
    );
  });

  test("a refused call of a wrapped tool is a span, and no run begins", async () => {
    const wrapped = lab.adapter.wrapTool(spied(lab).tool, {
      logger: false,
      telemetry: recording.api,
    });
    const args = JSON.parse(BAD_ORDER) as object;
    const call = { id: "call_1", name: "create_order", args, type: "tool_call" as const };
    await recording.inSpan("POST /order", async () =>
      wrapped.invoke(call, { callbacks: [spansOfRuns()] }),
    );
    expect(renderTrace(recording.spans)).toBe(
      "POST /order\n  execute_tool create_order ERROR VAL-010",
    );
  });
});
