import type { BaseMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { LABS } from "../testing/every-langchain.ts";
import { httpError, report, sessionModel } from "../testing/session-model.ts";
import { spied } from "../testing/tools.ts";

const call = (id: string, name: string, args: object = {}) => ({
  id,
  name,
  args: JSON.stringify(args),
});

describe.each(LABS)("a session on langchain $version", (lab) => {
  const { langchain, messages: core } = lab;
  const question = (): { messages: BaseMessage[] } => ({
    messages: [new core.HumanMessage("What is in my notes?")],
  });
  const roles = (conversation: readonly BaseMessage[]) => conversation.map((one) => one.getType());

  test("a run with a tool and a report", async () => {
    const { tool } = spied(lab, "read", { type: "object" }, () => "two notes");
    const a = sessionModel(lab, [
      { calls: [call("c1", "read")], usage: [100, 10] },
      { calls: [report("Two notes.")], usage: [120, 10, 80] },
    ]);
    const session = lab.session.agentSession({ targets: [{ model: a.model }], maxTurns: 8 });
    const agent = langchain.createAgent({
      model: a.model,
      tools: [tool],
      systemPrompt: "Be brief.",
      middleware: [session.middleware],
    });
    const result = await session.run(agent, question());
    expect(result.error).toBeUndefined();
    expect(result).toMatchObject({
      success: true,
      finalReport: { status: "success", format: "markdown", content: "Two notes." },
    });
    expect(roles(result.conversation)).toEqual(["system", "human", "ai", "tool", "ai", "tool"]);
    expect(result.accounting).toMatchObject([
      { type: "llm", provider: "scripted", model: "scripted-model", status: "ok" },
      { type: "tool", mcpServer: "local", command: "read", status: "ok", charactersOut: 9 },
      {
        type: "llm",
        status: "ok",
        tokens: { inputTokens: 120, outputTokens: 10, cachedTokens: 80 },
      },
      { type: "tool", command: "agent__final_report", status: "ok" },
    ]);
    expect(a.requests.map(({ tools }) => tools)).toEqual([
      ["read", "agent__final_report"],
      ["read", "agent__final_report"],
    ]);
  });

  test("a model that always calls a tool gets its turns and no more", async () => {
    const { tool, runs } = spied(lab, "read", { type: "object" }, () => "a note");
    const a = sessionModel(lab, ({ index }) => ({ calls: [call(`c${index}`, "read")] }));
    const session = lab.session.agentSession({ targets: [{ model: a.model }], maxTurns: 3 });
    const agent = langchain.createAgent({
      model: a.model,
      tools: [tool],
      middleware: [session.middleware],
    });
    const result = await session.run(agent, question());
    expect(a.requests).toHaveLength(3);
    expect(a.requests[2]?.tools).toEqual(["agent__final_report"]);
    expect(runs).toHaveLength(2);
    expect(result.error).toBeUndefined();
    expect(result).toMatchObject({
      success: false,
      finalReport: { status: "failure", metadata: { reason: "max_turns_exhausted" } },
    });
    expect(roles(result.conversation)).toEqual(["human", "ai", "tool", "ai", "tool", "ai", "tool"]);
    expect(result.conversation.at(-1)?.content).toBe(
      "(tool failed: this is the last turn; only agent__final_report can be called)",
    );
  });

  test("providers take turns, and a fatal error ends the run at once", async () => {
    const { tool } = spied(lab, "read", { type: "object" });
    const a = sessionModel(lab, [{ error: httpError(429) }, { error: httpError(429) }], "pa");
    const b = sessionModel(lab, [{ error: httpError(500) }, { text: "done" }], "pb");
    const sleeps: number[] = [];
    const session = lab.session.agentSession({
      targets: [{ model: a.model }, { model: b.model }],
      maxRetries: 4,
      clock: () => 0,
      sleep: async (ms) => {
        sleeps.push(ms);
      },
    });
    const agent = langchain.createAgent({
      model: a.model,
      tools: [tool],
      middleware: [session.middleware],
    });
    const result = await session.run(agent, question());
    expect(
      result.accounting.map((entry) => entry.type === "llm" && `${entry.provider}:${entry.status}`),
    ).toEqual(["pa:failed", "pb:failed", "pa:failed", "pb:ok"]);
    expect(sleeps).toEqual([1000]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });

    const c = sessionModel(lab, [{ error: httpError(401, "401 bad key") }]);
    const fatal = lab.session.agentSession({ targets: [{ model: c.model }, { model: b.model }] });
    const other = langchain.createAgent({
      model: c.model,
      tools: [tool],
      middleware: [fatal.middleware],
    });
    const failed = await fatal.run(other, question());
    expect(failed).toMatchObject({ success: false, error: "401 bad key" });
    expect(failed.finalReport).toBeUndefined();
    expect(failed.accounting).toHaveLength(1);
    expect(roles(failed.conversation)).toEqual(["human"]);
  });

  test("calls over the cap are answered, and slow tools are given up", async () => {
    const { tool } = spied(lab, "read", { type: "object", required: ["path"] }, () => "read it");
    const slow = spied(lab, "slow", { type: "object" }, () => new Promise(() => undefined));
    const a = sessionModel(lab, [
      {
        calls: [
          call("c1", "read", { path: "a" }),
          call("c2", "slow"),
          call("c3", "read", { path: "b" }),
          call("c4", "read", { nothing: "b" }),
        ],
      },
      { calls: [report("Some.")] },
    ]);
    const session = lab.session.agentSession({
      targets: [{ model: a.model }],
      maxToolCallsPerTurn: 2,
      toolTimeout: (name) => (name === "slow" ? 50 : undefined),
    });
    const agent = langchain.createAgent({
      model: a.model,
      tools: [tool, slow.tool],
      middleware: [session.middleware],
    });
    const result = await session.run(agent, question());
    expect(result.success).toBe(true);
    const results = (a.requests[1]?.messages ?? []).filter((one) => one.getType() === "tool");
    expect(results.map(({ content }) => content)).toEqual([
      "read it",
      "(tool failed: timeout)",
      "(tool failed: too many tool calls in one turn; limit is 2)",
      "(tool failed: too many tool calls in one turn; limit is 2)",
    ]);
    expect(result.accounting).toMatchObject([
      { type: "llm" },
      { command: "read", status: "ok" },
      { command: "slow", status: "failed", error: "timeout" },
      { type: "llm" },
      { command: "agent__final_report" },
    ]);
  });
});
