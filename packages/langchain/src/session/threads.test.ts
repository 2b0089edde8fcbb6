import type { BaseMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { LABS } from "../testing/every-langchain.ts";
import { ask, resultsOf, rolesOf, runSession } from "../testing/run-session.ts";
import { httpError, report, sessionModel } from "../testing/session-model.ts";
import { spied } from "../testing/tools.ts";

const call = (id: string, name: string, args: object = {}) => ({
  id,
  name,
  args: JSON.stringify(args),
});

describe.each(LABS)("a thread of langchain $version", (lab) => {
  const { langchain, langgraph, messages: core } = lab;
  const config = { configurable: { thread_id: "1" } };
  const tools = () => [
    spied(lab, "read", { type: "object" }, () => "a note").tool,
    spied(lab, "list", { type: "object" }, () => "a list").tool,
  ];
  const always = ({ index }: { readonly index: number }) => ({
    calls: [call(`c${index}`, "read")],
  });

  test("has no junk after the last turn, and the next run sends a clean request", async () => {
    const checkpointer = new langgraph.MemorySaver();
    const replies = ({ index }: { readonly index: number }) =>
      index < 2 ? always({ index }) : { text: "Hello." };
    const { result, model, again } = await runSession(lab, {
      replies,
      tools: tools(),
      options: { maxTurns: 2 },
      agent: { checkpointer },
      config,
    });
    expect(result).toMatchObject({ success: false, finalReport: { status: "failure" } });
    const next = await again(ask(lab, "Go on."), config);
    expect(next).toMatchObject({ success: true, finalReport: { content: "Hello." } });
    expect(rolesOf(model.requests[2]?.messages)).toEqual([
      "human",
      "ai",
      "tool",
      "ai",
      "tool",
      "human",
    ]);
    expect(rolesOf(next.conversation)).toEqual([
      "human",
      "ai",
      "tool",
      "ai",
      "tool",
      "human",
      "ai",
    ]);
    expect(next.accounting).toHaveLength(1);
  });

  test("keeps nothing of a session", async () => {
    const checkpointer = new langgraph.MemorySaver();
    const run = { replies: [always({ index: 0 }), { calls: [report("Ok.")] }], tools: tools() };
    const { result } = await runSession(lab, { ...run, agent: { checkpointer }, config });
    expect(result.success).toBe(true);
    const stored: string[] = [];
    for await (const tuple of checkpointer.list(config)) stored.push(JSON.stringify(tuple));
    expect(stored.length).toBeGreaterThan(2);
    for (const one of stored) expect(one).not.toMatch(/agentSession|accounting/);
  });

  test("ends without another model call if the report was not the last call of its answer", async () => {
    const seen: string[] = [];
    const calls = [report("Ok."), call("c1", "read"), call("c2", "list")];
    const { result, model, again } = await runSession(lab, {
      replies: [{ calls }, { text: "And now?" }],
      tools: tools(),
      agent: {
        checkpointer: new langgraph.MemorySaver(),
        middleware: [{ name: "after", afterAgent: () => void seen.push("after") }],
      },
      config,
    });
    expect(result).toMatchObject({ success: true, finalReport: { content: "Ok." } });
    expect(rolesOf(result.conversation)).toEqual(["human", "ai", "tool", "tool", "tool"]);
    expect(model.requests).toHaveLength(1);
    // LangChain itself calls it twice after parallel calls of which one returns directly.
    expect(seen).toContain("after");
    await again(ask(lab), config);
    expect(rolesOf(model.requests[1]?.messages)).toEqual([
      "human",
      "ai",
      "tool",
      "tool",
      "tool",
      "human",
    ]);
  });

  test("a report ends the loop at once", async () => {
    const { result, model } = await runSession(lab, {
      replies: [{ calls: [call("c1", "read"), report("Ok.")] }],
      tools: tools(),
    });
    expect(result).toMatchObject({ success: true, finalReport: { content: "Ok." } });
    expect(resultsOf(result.conversation)).toEqual(["a note", "ok"]);
    expect(model.requests).toHaveLength(1);
  });

  test("middleware with a node after the model is not shown an answer twice", async () => {
    const shown: (string | undefined)[] = [];
    const watching = {
      name: "watching",
      afterModel: ({ messages }: { readonly messages: readonly BaseMessage[] }) => {
        shown.push(messages.findLast((one) => core.AIMessage.isInstance(one))?.id);
      },
    };
    const { result, model } = await runSession(lab, {
      replies: always,
      tools: tools(),
      options: { maxTurns: 2 },
      agent: { middleware: [watching], checkpointer: new langgraph.MemorySaver() },
      config,
    });
    expect(result).toMatchObject({
      success: false,
      finalReport: { metadata: { reason: "max_turns_exhausted" } },
    });
    expect(result.error).toBeUndefined();
    expect(model.requests).toHaveLength(2);
    expect(new Set(shown).size).toBe(2);
    expect(shown).toHaveLength(2);
  });

  test("goes on after a run whose turn failed", async () => {
    const replies = [always({ index: 0 }), { error: httpError(401) }, { text: "Back again." }];
    const { result, model, again } = await runSession(lab, {
      replies,
      tools: tools(),
      agent: { checkpointer: new langgraph.MemorySaver() },
      config,
    });
    expect(result).toMatchObject({ success: false, error: "HTTP 401" });
    expect(rolesOf(result.conversation)).toEqual(["human", "ai", "tool"]);
    const next = await again(ask(lab, "Go on."), config);
    expect(next).toMatchObject({ success: true, finalReport: { content: "Back again." } });
    expect(rolesOf(model.requests[2]?.messages)).toEqual(["human", "ai", "tool", "human"]);
  });

  test("an interrupt pauses the run, and a new run resumes it", async () => {
    const asking = spied(lab, "pay", { type: "object" }, () => langgraph.interrupt("May I?"));
    const checkpointer = new langgraph.MemorySaver();
    const calls = [call("a", "pay"), call("b", "read")];
    const { result, model, again } = await runSession(lab, {
      replies: [{ calls }, { calls: [report("Paid.")] }],
      tools: [asking.tool, ...tools()],
      agent: { checkpointer },
      options: { toolTimeout: 5_000, queues: { one: { concurrent: 1 } }, queueOf: { pay: "one" } },
      config,
    });
    expect(result).toMatchObject({
      success: false,
      error: "paused: the graph was interrupted and waits to be resumed",
      value: { __interrupt__: [{ value: "May I?" }] },
    });
    expect(result.finalReport).toBeUndefined();
    expect(result.accounting).toMatchObject([{ type: "llm" }, { command: "read" }]);
    const next = await again(new langgraph.Command({ resume: "Yes." }), config);
    expect(next).toMatchObject({ success: true, finalReport: { content: "Paid." } });
    expect(resultsOf(next.conversation)).toEqual(["Yes.", "a note", "ok"]);
    expect(next.accounting).toMatchObject([
      { command: "pay", status: "ok" },
      { type: "llm" },
      { command: "agent__final_report" },
    ]);
    expect(model.requests).toHaveLength(2);
  });

  test("an interrupt of an agent inside a tool reaches the graph around it", async () => {
    const inner = sessionModel(lab, [{ calls: [call("i1", "pay")] }, { text: "Paid inside." }]);
    const asking = spied(lab, "pay", { type: "object" }, () => langgraph.interrupt("May I?"));
    const nested = lab.session.agentSession({ targets: [{ model: inner.model }] });
    const worker = langchain.createAgent({
      model: inner.model,
      tools: [asking.tool],
      middleware: [nested.middleware],
    });
    const hand = spied(lab, "hand_over", { type: "object" }, async () => {
      const result = await nested.run(worker, ask(lab, "Pay."));
      return result.finalReport?.content;
    });
    const { result, again } = await runSession(lab, {
      replies: [{ calls: [call("c1", "hand_over")] }, { calls: [report("All paid.")] }],
      tools: [hand.tool],
      agent: { checkpointer: new langgraph.MemorySaver() },
      config,
    });
    expect(result.error).toMatch(/^paused: /);
    const next = await again(new langgraph.Command({ resume: "Yes." }), config);
    expect(resultsOf(next.conversation)).toEqual(["Paid inside.", "ok"]);
    expect(next).toMatchObject({ success: true, finalReport: { content: "All paid." } });
  });
});
