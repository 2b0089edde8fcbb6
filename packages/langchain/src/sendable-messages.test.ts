import type { BaseMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { textOfMessage } from "./messages.ts";
import { LABS } from "./testing/both-ends.ts";
import { contractOf, runAgent } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

const LOAD = z.object({ key: z.string() });
const GOOD = '{"key":"x"}';
const config = { configurable: { thread_id: "1" } };

const CALLS = [
  ["functions.load", GOOD, "c1"],
  ["load file", GOOD, "c1"],
  [`load_${"k".repeat(90)}`, GOOD, "c1"],
  ["load", '["x"]', "c1"],
  ["load", "null", "c1"],
  ["load", '{"key":', "c1"],
  ["load", GOOD, "functions.load:0"],
  ["load", GOOD, "i".repeat(60)],
] as const;

interface Call {
  readonly id?: string;
  readonly name: string;
  readonly args: unknown;
}

describe.each(LABS)("the history that langchain $version sends", (lab) => {
  const { messages: core, langchain, langgraph, adapter } = lab;

  /** What a provider finds in a list of messages: each call with its answer, which follow it at once. */
  function read(messages: readonly BaseMessage[] = []) {
    const calls: Call[] = [];
    const answers: { readonly id: string; readonly text: string }[] = [];
    for (const [at, message] of messages.entries()) {
      if (core.ToolMessage.isInstance(message)) {
        answers.push({ id: message.tool_call_id, text: textOfMessage(message) });
      }
      if (!core.AIMessage.isInstance(message)) continue;
      const made: readonly Call[] = message.tool_calls ?? [];
      calls.push(...made);
      const next = messages.slice(at + 1, at + 1 + made.length);
      const ids = next.map((one) => core.ToolMessage.isInstance(one) && one.tool_call_id);
      expect(new Set(ids)).toEqual(new Set(made.map(({ id }) => id)));
      const sent = message.additional_kwargs.tool_calls ?? [];
      expect(sent.map(({ id, function: { name } }) => [id, name])).toEqual(
        sent.length > 0 ? made.map(({ id, name }) => [id, name]) : [],
      );
    }
    for (const { id, name, args } of calls) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
      expect(Object.prototype.toString.call(args)).toBe("[object Object]");
    }
    return { calls, answers };
  }

  // The oldest version ends the run at a name that it does not know.
  test.each(CALLS.filter(([name]) => name === "load" || lab.line !== "oldest"))(
    "is one that every provider takes, after a call of %j with %j and the id %j",
    async (name, args, id) => {
      const { script, last } = await runAgent(lab, {
        turns: [{ calls: [{ id, name, args }] }],
        tools: [spied(lab, "load", LOAD).tool],
      });
      expect(last).toBe("Done.");
      expect(read(script.requests[1]).calls).toHaveLength(1);
    },
  );

  test("is repaired if it was stored before, in a graph of one's own too", async () => {
    const stored = [
      new core.HumanMessage("hello"),
      new core.AIMessage({
        content: [{ type: "tool_use", id: "a:0", name: "functions.load", input: [7] }],
        tool_calls: [{ id: "a:0", name: "functions.load", args: [7] as never }],
      }),
      new core.ToolMessage({
        tool_call_id: "a:0",
        name: "functions.load",
        content: "no such tool",
      }),
      new core.AIMessage({ content: "", tool_calls: [{ id: "b", name: "pay", args: {} }] }),
      new core.HumanMessage("again"),
    ];
    const kept = stored.map((one) => JSON.stringify("tool_calls" in one && one.tool_calls));
    const { script } = await runAgent(lab, {
      turns: [],
      tools: [spied(lab, "load", LOAD).tool],
      messages: stored,
    });
    for (const sent of [script.requests[0] ?? [], adapter.repairMessages(stored)]) {
      const { calls, answers } = read(sent);
      expect(calls.map(({ name, args }) => [name, args])).toEqual([
        ["functions_load", {}],
        ["pay", {}],
      ]);
      expect(answers[1]?.text).toContain("outcome of this call is unknown");
      const block = sent.find((one) => Array.isArray(one.content))?.content[0];
      expect(block).toMatchObject({ id: calls[0]?.id, name: "functions_load", input: {} });
    }
    expect(stored.map((one) => JSON.stringify("tool_calls" in one && one.tool_calls))).toEqual(
      kept,
    );
  });

  test("is the state's own list if nothing in it is wrong", async () => {
    const { tool } = spied(lab, "load", LOAD);
    const seen: boolean[] = [];
    const watching = langchain.createMiddleware({
      name: "watching",
      wrapModelCall: async (request, handler) => {
        seen.push((request.messages as unknown) === request.state.messages);
        return handler(request);
      },
    });
    for (const middleware of [[watching], [contractOf(lab), watching]]) {
      const turns = [{ calls: [{ id: "c1", name: "load", args: GOOD }] }];
      await runAgent(lab, { turns, tools: [tool], agent: { middleware } });
    }
    expect(seen.slice(2)).toEqual(seen.slice(0, 2));
    const whole = [new core.HumanMessage("hello"), new core.AIMessage("hi")];
    expect(adapter.repairMessages(whole)).toBe(whole);
  });

  test("has an answer to a call whose tool was aborted, which does not run again", async () => {
    const abort = new AbortController();
    const runs: number[] = [];
    const wait = lab.tools.tool(
      async () => {
        runs.push(1);
        abort.abort(new Error("left"));
        throw abort.signal.reason;
      },
      { name: "wait", description: "w", schema: z.object({}) },
    );
    const script = lab.script([{ calls: [{ id: "c1", name: "wait", args: "{}" }] }]);
    const agent = langchain.createAgent({
      model: script.model,
      tools: [wait],
      middleware: [contractOf(lab)],
      checkpointer: new langgraph.MemorySaver(),
    });
    const say = async (text: string, more: object = {}) =>
      agent.invoke({ messages: [new core.HumanMessage(text)] }, { ...config, ...more });
    await expect(say("Go.", { signal: abort.signal })).rejects.toThrow();
    expect((await say("Again.")).messages.at(-1)?.content).toBe("Done.");
    expect(read(script.requests.at(-1)).answers[0]?.text).toContain(
      "outcome of this call is unknown",
    );
    expect(runs).toEqual([1]);
  });
});

// humanInTheLoopMiddleware has `when` since LangChain 1.5.
test.each(LABS.filter(({ isRecent }) => isRecent))(
  "a person rejects one call beside an invalid one: the model reads both on langchain $version",
  async (lab) => {
    const { langchain, langgraph, messages: core } = lab;
    const { tool, runs } = spied(lab, "rent", z.object({ days: z.number() }));
    const when = lab.adapter.validCallsOnly([tool]);
    const interruptOn = { rent: { allowedDecisions: ["approve", "reject"], when } };
    const calls = [
      { id: "c1", name: "rent", args: '{"days":2}' },
      { id: "c2", name: "rent", args: '{"days":"two"}' },
    ];
    const script = lab.script([{ calls }]);
    const refused: unknown[] = [];
    const contract = contractOf(lab, { logger: (fields) => void refused.push(fields) });
    const asking: unknown = langchain.humanInTheLoopMiddleware({ interruptOn } as never);
    const agent = langchain.createAgent({
      model: script.model,
      tools: [tool],
      middleware: [contract, asking as typeof contract],
      checkpointer: new langgraph.MemorySaver(),
    });
    await agent.invoke({ messages: [new core.HumanMessage("Go.")] }, config);
    const resume = { decisions: [{ type: "reject" }] };
    await agent.invoke(new langgraph.Command({ resume }), config);
    await agent.invoke({ messages: [new core.HumanMessage("Again.")] }, config);
    const answersIn = (request: readonly BaseMessage[] = []) =>
      Object.fromEntries(
        request.flatMap((one) =>
          core.ToolMessage.isInstance(one) ? [[one.tool_call_id, textOfMessage(one)]] : [],
        ),
      );
    for (const request of script.requests.slice(1)) {
      const { c1, c2 } = answersIn(request);
      expect(c1).toMatch(/reject/i);
      expect(c2).toContain("/days (VAL-002)");
    }
    expect(script.requests).toHaveLength(3);
    expect(runs).toEqual([]);
    expect(refused).toHaveLength(1);
  },
);
