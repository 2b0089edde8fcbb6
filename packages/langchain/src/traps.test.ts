import { describe, expect, test } from "vitest";
import { textOfMessage } from "./messages.ts";
import { LABS } from "./testing/both-ends.ts";
import { attemptsOf } from "./testing/read-messages.ts";
import { contractOf, runAgent, toRan } from "./testing/run-agent.ts";
import { BAD_ORDER, GOOD_ORDER, spied } from "./testing/tools.ts";

const call = (args: string, id: string, name = "create_order") => ({ id, name, args });
const order = (args: string, id: string) => ({ calls: [call(args, id)] });

describe.each(LABS)("traps of langchain $version", (lab) => {
  const { langgraph, langchain, messages } = lab;

  test("a Command to END from wrapToolCall would not stop the model; the run ends without asking it", async () => {
    const { tool } = spied(lab);
    const { script, messages: left } = await runAgent(lab, {
      turns: [order(BAD_ORDER, "a")],
      tools: [tool],
      options: { maxAttempts: 1 },
    });
    expect(script.requests).toHaveLength(1);
    expect(left.map((message) => message.getType())).toEqual(["human", "ai", "tool", "ai"]);
  });

  test("a counter in the state would break on parallel calls; invalid ones share one number, valid ones run", async () => {
    const { tool, runs } = spied(lab);
    const calls = [call(BAD_ORDER, "a"), call(GOOD_ORDER, "b"), call(BAD_ORDER, "c")];
    const again = calls.map((one) => ({ ...one, id: `${one.id}2` }));
    const run = { turns: [{ calls }, { calls: again }], tools: [tool] };
    const { results } = await runAgent(lab, run);
    expect(attemptsOf(results)).toEqual(["1/3", undefined, "1/3", "2/3", undefined, "2/3"]);
    expect(runs).toHaveLength(2);
  });

  test("hooks that re-emit the whole state do not double the count", async () => {
    const { tool } = spied(lab);
    const echo = { name: "echo", afterModel: (state: object) => ({ ...state }) };
    const { results } = await runAgent(lab, {
      turns: [order(BAD_ORDER, "a"), order(BAD_ORDER, "b")],
      tools: [tool],
      agent: { middleware: [contractOf(lab), echo] },
    });
    expect(attemptsOf(results)).toEqual(["1/3", "2/3"]);
  });

  test("a swallowed interrupt would break every approval; it passes and resumes", async () => {
    const asking = spied(lab, "pay", { type: "object" }, () => langgraph.interrupt("May I?"));
    const other = spied(lab, "look", { type: "object" });
    const script = lab.script([
      { calls: [call("{}", "a", "pay"), call("{}", "b", "look"), call("[1]", "c", "look")] },
    ]);
    const agent = langchain.createAgent({
      model: script.model,
      tools: [asking.tool, other.tool],
      middleware: [contractOf(lab)],
      checkpointer: new langgraph.MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };
    await agent.invoke({ messages: [new messages.HumanMessage("Pay.")] }, config);
    expect(script.requests).toHaveLength(1);
    const state = await agent.invoke(new langgraph.Command({ resume: "Yes." }), config);
    const { results } = toRan(lab, state, script);
    expect(results.map((message) => textOfMessage(message).slice(0, 17))).toEqual([
      "Yes.",
      "done",
      "Validation failed",
    ]);
    expect(other.runs).toHaveLength(1);
  });

  test("a Command returned by a tool passes through", async () => {
    const command = spied(lab, "go", { type: "object" }, (_, config) => {
      const { toolCall } = config as { readonly toolCall: { readonly id: string } };
      const message = new messages.ToolMessage({ content: "gone", tool_call_id: toolCall.id });
      return new langgraph.Command({ update: { messages: [message] } });
    });
    const { results, last } = await runAgent(lab, {
      turns: [{ calls: [call("{}", "a", "go")] }],
      tools: [command.tool],
    });
    expect([results[0]?.content, last]).toEqual(["gone", "Done."]);
  });

  test("a Command to the parent graph passes through", async () => {
    const toParent = spied(lab, "hand_over", { type: "object" }, () => {
      return new langgraph.Command({ goto: "other", graph: langgraph.Command.PARENT });
    });
    const script = lab.script([{ calls: [call("{}", "a", "hand_over")] }]);
    const agent = langchain.createAgent({
      model: script.model,
      tools: [toParent.tool],
      middleware: [contractOf(lab)],
    });
    const graph = new langgraph.StateGraph(langgraph.MessagesAnnotation)
      .addNode("agent", async (state) => agent.invoke(state as never) as never, { ends: ["other"] })
      .addNode("other", () => ({ messages: [new messages.AIMessage("The other one.")] }))
      .addEdge(langgraph.START, "agent")
      .compile();
    const state = await graph.invoke({ messages: [new messages.HumanMessage("Go.")] });
    expect(state.messages.at(-1)?.content).toBe("The other one.");
  });

  test("a cancelled run rejects and counts nothing", async () => {
    const controller = new AbortController();
    const { tool } = spied(lab, "wait", { type: "object" }, async () => {
      controller.abort(new Error("Enough."));
      throw new Error("stopped");
    });
    const { signal } = controller;
    const run = runAgent(lab, {
      turns: [{ calls: [call("{}", "a", "wait")] }],
      tools: [tool],
      config: { signal },
    });
    await expect(run).rejects.toThrow(/Enough|abort/i);
  });

  test("a tool may throw something other than an Error, and is answered all the same", async () => {
    for (const thrown of [undefined, null, "busy", { toString: () => "odd", constructor: null }]) {
      const { tool } = spied(lab, "look", { type: "object" }, () => {
        throw thrown as unknown as Error;
      });
      const run = { turns: [{ calls: [call("{}", "a", "look")] }], tools: [tool] };
      const { results } = await runAgent(lab, run);
      expect(results[0]?.content).toBe(`${String(thrown)}\n Please fix your mistakes.`);
    }
  });

  test("throwing from wrapToolCall would leave a call unanswered; escalate throw answers it first", async () => {
    const { tool } = spied(lab);
    const checkpointer = new langgraph.MemorySaver();
    const script = lab.script([order(BAD_ORDER, "a")]);
    const agent = langchain.createAgent({
      model: script.model,
      tools: [tool],
      checkpointer,
      middleware: [contractOf(lab, { maxAttempts: 1, escalate: "throw" })],
    });
    const config = { configurable: { thread_id: "1" } };
    const given = { messages: [new messages.HumanMessage("Order.")] };
    const thrown: unknown = await agent.invoke(given, config).catch((error: unknown) => error);
    const escalation = { toolName: "create_order", attempts: 1, toolCall: { id: "a" } };
    const direct = { name: "EscalationError" };
    expect((thrown as { readonly cause?: unknown }).cause ?? thrown).toMatchObject({
      ...direct,
      escalation,
    });
    const next = await agent.invoke({ messages: [new messages.HumanMessage("Go on.")] }, config);
    const types = toRan(lab, next, script).messages.map((message) => message.getType());
    expect(types).toEqual(["human", "ai", "tool", "human", "ai"]);
  });
});
