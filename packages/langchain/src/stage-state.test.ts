import type { ExecutionStage } from "@toolcontract/core/stage";
import { describe, expect, test } from "vitest";
import { withOwnState } from "./isolated-state.ts";
import { textOfMessage } from "./messages.ts";
import { LABS } from "./testing/both-ends.ts";
import type { Lab } from "./testing/langchain.ts";
import { contractOf } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

const SCHEMA = { type: "object", properties: { sku: { type: "string" } } } as const;
const add = (sku: string, id: string) => ({
  calls: [{ id, name: "add", args: `{"sku":"${sku}"}` }],
});

interface Cart {
  readonly cart: { readonly items: string[] };
}

/** A tool that changes the graph's state in place. */
function adding(lab: Lab) {
  const { tool } = spied(lab, "add", SCHEMA, (input, config) => {
    const { state } = config as { readonly state?: Cart };
    state?.cart.items.push((input as { readonly sku: string }).sku);
    return `${state?.cart.items.join()}`;
  });
  return tool;
}

/** Refuses each call after it ran. */
const refusing: ExecutionStage = {
  name: "shop",
  lanes: { outcome: 3 },
  async around({ run }) {
    await run();
    return { action: "retry", lane: "outcome", errors: [{ message: "refused" }] };
  },
};

/** A graph whose tools change its state, and what it and its checkpoint hold in the end. */
async function runGraph(lab: Lab, options: object) {
  const { adapter, langgraph, prebuilt, messages } = lab;
  const script = lab.script([add("a", "1"), add("b", "2")]);
  const state = langgraph.Annotation.Root({
    ...langgraph.MessagesAnnotation.spec,
    cart: langgraph.Annotation<{ items: string[] }>(),
  });
  const tools = adapter.wrapTools([adding(lab)], { logger: () => undefined, ...options });
  const graph = new langgraph.StateGraph(state)
    .addNode("model", async (now) => ({ messages: [await script.model.invoke(now.messages)] }))
    .addNode("tools", new prebuilt.ToolNode(tools))
    .addEdge(langgraph.START, "model")
    .addConditionalEdges("model", prebuilt.toolsCondition)
    .addEdge("tools", "model")
    .compile({ checkpointer: new langgraph.MemorySaver() });
  const config = { configurable: { thread_id: "1" } };
  const given = { messages: [new messages.HumanMessage("Add.")], cart: { items: [] } };
  const end = await graph.invoke(given, config);
  const kept = (await graph.getState(config)).values as Cart;
  return { ...end, kept: kept.cart.items };
}

describe.each(LABS)("the state of a graph under a stage, langchain $version", (lab) => {
  // Older versions of ToolNode pass no state to a tool.
  test.runIf(lab.isRecent)(
    "a refused call leaves the state of the graph and its checkpoint as they were",
    async () => {
      const plain = await runGraph(lab, {});
      expect([plain.cart.items, plain.kept]).toEqual([
        ["a", "b"],
        ["a", "b"],
      ]);
      const staged = await runGraph(lab, { guardrails: refusing });
      expect([staged.cart.items, staged.kept]).toEqual([[], []]);
    },
  );

  test.runIf(lab.isRecent)("a call that is repeated starts from the same state", async () => {
    const again: ExecutionStage = {
      name: "again",
      lanes: { outcome: 3 },
      around: async ({ run }) => (await run(), { action: "return", value: await run() }),
    };
    const { messages, cart } = await runGraph(lab, { guardrails: again });
    const texts = messages.filter((one) => one.getType() === "tool").map(textOfMessage);
    expect([texts, cart.items]).toEqual([["a", "b"], []]);
  });

  // Version 1.0 runs its own tool, whatever tool a middleware passes on.
  test.runIf(lab.line !== "oldest")(
    "createAgent in version v1 passes a tool a copy too",
    async () => {
      const { langchain, langgraph, messages } = lab;
      const run = async (options: object): Promise<Cart["cart"]> => {
        const { z } = await import("zod");
        const cart = {
          name: "cart",
          stateSchema: z.object({ cart: z.object({ items: z.array(z.string()) }) }),
        };
        const agent = langchain.createAgent({
          model: lab.script([add("a", "1"), add("b", "2")]).model,
          tools: [adding(lab)],
          middleware: [contractOf(lab, options), cart],
          checkpointer: new langgraph.MemorySaver(),
          version: "v1",
        });
        const config = { configurable: { thread_id: "1" } };
        const given = { messages: [new messages.HumanMessage("Add.")], cart: { items: [] } };
        const end: unknown = await agent.invoke(given as never, config);
        return (end as Cart).cart;
      };
      expect(await run({})).toEqual({ items: ["a", "b"] });
      expect(await run({ guardrails: refusing })).toEqual({ items: [] });
    },
  );
});

describe("the copy of a state", () => {
  class Money {
    amount = 1;
  }

  test("is as deep as plain data goes; the messages and class instances are shared", () => {
    const money = new Money();
    const messages = [new Money()];
    const shared = { left: 1 };
    const state = {
      messages,
      money,
      list: [shared, { at: new Date(0) }],
      shared,
      set: new Set([shared]),
      map: new Map([["one", shared]]),
      call: () => 1,
      nothing: null,
      bare: Object.assign(Object.create(null) as object, { left: 2 }),
    };
    const { state: copy, tags } = withOwnState({ state, tags: ["x"] });
    expect([copy, tags]).toEqual([state, ["x"]]);
    expect(copy.messages).toBe(messages);
    expect([copy.money, copy.call]).toEqual([money, state.call]);
    expect(copy.money).toBe(money);
    expect(copy.list[0]).not.toBe(shared);
    expect([copy.shared, [...copy.set][0], copy.map.get("one")]).toEqual(
      Array.from({ length: 3 }, () => copy.list[0]),
    );
    expect(copy.list[0]).toBe(copy.shared);
  });

  test("ends although the state contains itself, and keeps a field named __proto__", () => {
    const state = JSON.parse('{"a":{"__proto__":{"b":1}}}') as Record<string, unknown>;
    state["self"] = state["a"];
    (state["a"] as Record<string, unknown>)["up"] = state["a"];
    const { state: copy } = withOwnState({ state });
    expect(Object.keys(copy["a"] as object)).toEqual(["__proto__", "up"]);
    expect((copy["a"] as Record<string, unknown>)["up"]).toBe(copy["a"]);
    expect(copy["self"]).toBe(copy["a"]);
  });

  test.each([[undefined], [{}], [{ state: [1] }], [{ state: "x" }], [{ state: null }]])(
    "is not made of %j",
    (config) => {
      expect(withOwnState<unknown>(config)).toBe(config);
    },
  );
});
