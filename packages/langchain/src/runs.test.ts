import type { StructuredToolInterface } from "@langchain/core/tools";
import { type Contract, createContract } from "@toolcontract/core";
import { createGuardrails, currentAttempt } from "@toolcontract/guardrails";
import { describe, expect, test } from "vitest";
import { LABS } from "./testing/every-langchain.ts";
import type { Lab } from "./testing/langchain.ts";
import { contractOf } from "./testing/run-agent.ts";
import { toMessage, type Turn } from "./testing/scripted-model.ts";
import { spied } from "./testing/tools.ts";

const SCHEMA = { type: "object", properties: { amount: { type: "integer" } } } as const;
const pay = (id = "call_1") => ({ id, name: "pay", args: '{"amount":10}' });
const PAYS: Turn = { calls: [pay()] };

const timeout = (): never => {
  throw Object.assign(new Error("HTTP 504"), { status: 504 });
};
const unauthorized = (): never => {
  throw Object.assign(new Error("HTTP 401"), { status: 401 });
};
const paid = (): string => "paid";

/** A process with one tool under one contract; the ends of its calls in order. */
function bank(lab: Lab, ...ends: readonly (() => unknown)[]) {
  const degraded: object[] = [];
  const contract = createContract({
    guardrails: createGuardrails({ guardrails: [], effects: { pay: "idempotent" } }),
    logger: (fields, message) => {
      if (message === "Tool contract degraded") degraded.push(fields);
    },
  });
  const keys: (string | undefined)[] = [];
  const { tool } = spied(lab, "pay", SCHEMA, () => {
    const end = ends[keys.push(currentAttempt().idempotencyKey) - 1] ?? paid;
    return end();
  });
  return { contract, keys, tool, degraded };
}

/** An agent whose model takes the turns. */
function agentOf(
  lab: Lab,
  contract: Contract,
  tools: readonly StructuredToolInterface[],
  turns: readonly Turn[],
  more: object = {},
) {
  const { model } = lab.script(turns);
  const middleware = [contractOf(lab, { contract })];
  return lab.langchain.createAgent({ model, tools: [...tools], middleware, ...more });
}

describe.each(LABS)("runs on langchain $version", (lab) => {
  const { langgraph, messages, adapter } = lab;
  const hello = () => ({ messages: [new messages.HumanMessage("Pay Bob.")] });

  test("runs of one thread share a key and a closed tool, other threads do not", async () => {
    const { contract, keys, tool } = bank(lab, timeout, paid, paid, unauthorized);
    const on = async (thread_id: string) => {
      const agent = agentOf(lab, contract, [tool], [PAYS]);
      await agent.invoke(hello(), { configurable: { thread_id } });
    };
    await on("ann");
    await on("bob");
    await on("ann");
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBe(keys[0]);
    await on("ann");
    expect(keys).toHaveLength(4);
    await on("ann");
    expect(keys).toHaveLength(4);
    await on("bob");
    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(4);
  });

  test("a call that an interrupt repeats has its key", async () => {
    const { contract, keys, tool } = bank(
      lab,
      () => langgraph.interrupt("Sure?"),
      () => langgraph.interrupt("Sure?"),
    );
    const checkpointer = new langgraph.MemorySaver();
    const agent = agentOf(lab, contract, [tool], [PAYS], { checkpointer });
    const config = { configurable: { thread_id: "ann" } };
    await agent.invoke(hello(), config);
    await agent.invoke(new langgraph.Command({ resume: "yes" }), config);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBeDefined();
    expect(keys[1]).toBe(keys[0]);
  });

  test.each(["v1", "v2"] as const)(
    "agents in tools have keys of their own, in one call and in several (%s)",
    async (version) => {
      const { contract, keys, tool, degraded } = bank(lab);
      const inner = async (): Promise<unknown> =>
        agentOf(lab, contract, [tool], [PAYS]).invoke(hello());
      const { tool: hire } = spied(lab, "hire", { type: "object" }, async () => {
        await inner();
        await Promise.all([inner(), inner()]);
        return "hired";
      });
      const calls = [1, 2].map((id) => ({ id: `hire_${id}`, name: "hire", args: "{}" }));
      await agentOf(lab, contract, [hire, tool], [{ calls: [...calls, pay()] }], {
        version,
      }).invoke(hello());
      expect(keys).toHaveLength(7);
      expect(keys).not.toContain(undefined);
      expect(new Set(keys).size).toBe(7);
      expect(degraded).toEqual([]);
    },
  );

  test("a batch of the same input, and one message of a model for all users", async () => {
    const { contract, keys, tool } = bank(lab);
    const message = toMessage(lab, PAYS);
    const { START, MessagesAnnotation, StateGraph } = langgraph;
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("model", () => ({ messages: [message] }))
      .addNode("tools", new lab.prebuilt.ToolNode(adapter.wrapTools([tool], { contract })))
      .addEdge(START, "model")
      .addEdge("model", "tools")
      .compile();
    const input = hello();
    await graph.batch([input, input, input]);
    await graph.invoke(input);
    expect(new Set(keys).size).toBe(4);
  });

  test("outside of a graph no run is known: no key, nothing is closed, and the log says so once", async () => {
    const { contract, keys, tool, degraded } = bank(lab, timeout, unauthorized, paid);
    const [wrapped] = adapter.wrapTools([tool], { contract });
    for (const id of ["call_1", "call_1", "call_1"]) {
      const call = { type: "tool_call", id, name: "pay", args: { amount: 10 } } as const;
      await wrapped.invoke(call).catch(() => undefined);
    }
    expect(keys).toEqual([undefined, undefined, undefined]);
    expect(degraded).toEqual([
      expect.objectContaining({ level: "warn", stage: "run", error_class: "UnknownRun" }),
    ]);
  });

  test("a node that names another thread for a call has the key of that thread", async () => {
    const { contract, keys, tool } = bank(lab, timeout, paid);
    const [wrapped] = adapter.wrapTools([tool], { contract });
    const onBob = { configurable: { thread_id: "bob" } };
    const { START, MessagesAnnotation, StateGraph } = langgraph;
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("model", () => ({ messages: [toMessage(lab, PAYS)] }))
      .addNode("tools", async (state: { messages: readonly unknown[] }) => {
        const { tool_calls } = state.messages.at(-1) as { tool_calls: object[] };
        for (const call of tool_calls) {
          await wrapped
            .invoke({ ...call, type: "tool_call" } as never, onBob)
            .catch(() => undefined);
        }
        return { messages: [] };
      })
      .addEdge(START, "model")
      .addEdge("model", "tools")
      .compile();
    await graph.invoke(hello(), { configurable: { thread_id: "ann" } });
    await agentOf(lab, contract, [tool], [PAYS]).invoke(hello(), onBob);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBeDefined();
    expect(keys[1]).toBe(keys[0]);
  });

  test("a queue that runs a call in the context of another run shares nothing with it", async () => {
    const { contract, keys, tool } = bank(lab, timeout, paid, paid);
    const [wrapped] = adapter.wrapTools([tool], { contract });
    const invoke = async (call: object): Promise<unknown> =>
      wrapped.invoke({ ...call, type: "tool_call" } as never).catch(() => undefined);
    const queue: (() => Promise<unknown>)[] = [];
    const { START, MessagesAnnotation, StateGraph } = langgraph;
    const graphOf = (node: (call: object) => Promise<unknown>) =>
      new StateGraph(MessagesAnnotation)
        .addNode("model", () => ({ messages: [toMessage(lab, PAYS)] }))
        .addNode("tools", async (state: { messages: readonly unknown[] }) => {
          const { tool_calls } = state.messages.at(-1) as { tool_calls: object[] };
          for (const call of tool_calls) await node(call);
          return { messages: [] };
        })
        .addEdge(START, "model")
        .addEdge("model", "tools")
        .compile();
    const bob = graphOf(
      async (call) => new Promise((resolve) => queue.push(async () => resolve(await invoke(call)))),
    );
    const done = bob.invoke(hello());
    await expect.poll(() => queue.length).toBe(1);
    await graphOf(async (call) => {
      await invoke(call);
      await queue.pop()?.();
      await invoke(call);
    }).invoke(hello());
    await done;
    expect(keys).toHaveLength(3);
    expect(keys[0]).toBeDefined();
    expect(keys[2]).toBe(keys[0]);
    expect(keys[1]).toBeUndefined();
  });

  test("what undoes a call is the tool of its own run, also if calls of two users have one id", async () => {
    const contract = createContract({
      logger: () => undefined,
      guardrails: createGuardrails({
        effects: { pay: "compensable" },
        compensate: { pay: ({ args }) => ({ name: "refund", arguments: args }) },
        guardrails: [{ name: "never", stage: "commit", tools: ["pay"], check: () => "too much" }],
      }),
    });
    const middleware = [contractOf(lab, { contract })];
    const refunded: string[] = [];
    const entered: (() => void)[] = [];
    const both = async (): Promise<void> =>
      new Promise((resolve) => {
        entered.push(resolve);
        if (entered.length === 2) for (const go of entered) go();
      });
    const run = async (user: string): Promise<unknown> => {
      const tools = [
        spied(lab, "pay", SCHEMA, async () => (await both(), "paid")).tool,
        spied(lab, "refund", SCHEMA, () => (refunded.push(user), "refunded")).tool,
      ];
      const { model } = lab.script([PAYS]);
      return lab.langchain.createAgent({ model, tools, middleware }).invoke(hello());
    };
    await Promise.all([run("ann"), run("bob")]);
    expect(refunded.toSorted()).toEqual(["ann", "bob"]);
  });
});
