import type { BaseMessage } from "@langchain/core/messages";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { LABS } from "./testing/every-langchain.ts";
import { attemptOf } from "./testing/read-messages.ts";
import { toMessage } from "./testing/scripted-model.ts";
import { BAD_ORDER, GOOD_ORDER, ORDER_SCHEMA, spied } from "./testing/tools.ts";

const call = (args: string, id: string, name = "create_order") => ({ id, name, args });
const native = (args: string, id = "a") => ({
  ...call("", id),
  args: JSON.parse(args) as object,
  type: "tool_call" as const,
});
const quiet = { logger: () => undefined };

describe.each(LABS)("tools of @langchain/core beside langchain $version", (lab) => {
  const { adapter, langgraph, prebuilt, messages, tools, langchain, isRecent } = lab;

  test("a direct call is answered with a message; plain arguments throw as before", async () => {
    const { tool, runs } = spied(lab);
    const wrapped = adapter.wrapTool(tool, quiet);
    const answer: unknown = await wrapped.invoke(native(BAD_ORDER));
    expect(messages.ToolMessage.isInstance(answer)).toBe(true);
    expect(answer).toMatchObject({ status: "error", tool_call_id: "a", name: "create_order" });
    const thrown: unknown = await wrapped
      .invoke(JSON.parse(BAD_ORDER) as object)
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(tools.ToolInputParsingException);
    expect(String(thrown)).toContain("/items/0/quantity (VAL-002)");
    expect(JSON.stringify(thrown)).not.toContain("sk-secret-123");
    expect(runs).toEqual([]);
    expect(await wrapped.invoke(native(GOOD_ORDER))).toMatchObject({ content: "done" });
    expect(await wrapped.invoke(JSON.parse(GOOD_ORDER) as object)).toBe("done");
    expect(runs).toHaveLength(2);
  });

  test.each<[string, unknown, unknown]>([
    ["a string", "done", expect.stringMatching(/^done\n\n[^]*\/gift \(VAL-005 info\)/)],
    [
      "blocks",
      [{ type: "text", text: "done" }],
      [
        { type: "text", text: "done" },
        { type: "text", text: expect.stringContaining("/gift (VAL-005 info)") },
      ],
    ],
  ])("a note on a call follows the result, which is %s", async (_, result, content) => {
    const { tool } = spied(lab, "create_order", ORDER_SCHEMA, () => result);
    const wrapped = adapter.wrapTool(tool, { ...quiet, reportAdvisories: true });
    const args = JSON.stringify({ ...(JSON.parse(GOOD_ORDER) as object), gift: true });
    expect(await wrapped.invoke(native(args))).toMatchObject({ content });
  });

  test("a call that code runs with a tool of another name is validated by that tool", async () => {
    const { tool, runs } = spied(lab);
    const wrapped = adapter.wrapTool(tool, quiet);
    const renamed = (args: string) => ({ ...native(args), name: "orders_create_order" });
    expect(await wrapped.invoke(renamed(GOOD_ORDER))).toMatchObject({ content: "done" });
    expect(await wrapped.invoke(renamed(BAD_ORDER))).toMatchObject({ status: "error" });
    expect(runs).toHaveLength(1);
  });

  test("it stays a tool of the same type", async () => {
    const { tool } = spied(lab);
    const wrapped = adapter.wrapTool(tool, quiet);
    expect(wrapped).toBeInstanceOf(tools.StructuredTool);
    expect(wrapped).toBeInstanceOf(tools.DynamicStructuredTool);
    expect(tools.isStructuredTool(wrapped as never)).toBe(true);
    expect(tools.isLangChainTool(wrapped)).toBe(true);
    expect(convertToOpenAITool(wrapped as never)).toEqual(convertToOpenAITool(tool as never));
    const bound = wrapped as unknown as { withConfig(config: object): typeof wrapped };
    expect(await bound.withConfig({ tags: ["x"] }).invoke(native(BAD_ORDER))).toMatchObject({
      status: "error",
    });
    const many = wrapped as unknown as {
      batch(inputs: readonly object[]): Promise<readonly BaseMessage[]>;
    };
    const batched = await many.batch([native(BAD_ORDER), native(GOOD_ORDER, "b")]);
    expect(batched.map((message) => attemptOf(message))).toEqual(["1/3", undefined]);
  });

  test("getters that read private members run on the tool itself", async () => {
    class Keyed {
      readonly #key: string = "order";
      readonly description = "Orders.";
      readonly schema = ORDER_SCHEMA;
      get name(): string {
        return `create_${this.#key}`;
      }
      async invoke(): Promise<string> {
        return this.#key;
      }
    }
    const wrapped = adapter.wrapTool(new Keyed() as never, quiet) as unknown as {
      readonly name: string;
      invoke(input: unknown): Promise<unknown>;
    };
    expect(wrapped.name).toBe("create_order");
    expect(await wrapped.invoke(JSON.parse(GOOD_ORDER))).toBe("order");
    await expect(wrapped.invoke(JSON.parse(BAD_ORDER))).rejects.toThrow("create_order");
  });

  test("private fields and artifacts survive", async () => {
    class Counter extends tools.StructuredTool {
      override name = "count";
      override description = "Counts.";
      override schema = z.object({ by: z.number() });
      override responseFormat = "content_and_artifact" as const;
      #total = 0;
      protected override async _call({ by }: { by: number }): Promise<[string, { total: number }]> {
        this.#total += by;
        return [`${this.#total}`, { total: this.#total }];
      }
    }
    const wrapped = adapter.wrapTool(new Counter(), quiet);
    const count = { ...native('{"by":2}'), name: "count" };
    expect(await wrapped.invoke(count)).toMatchObject({ content: "2", artifact: { total: 2 } });
    const old = wrapped as unknown as { call(input: object): Promise<unknown> };
    expect(await old.call({ by: 3 })).toBe("5");
  });

  test("a bare string passes through", async () => {
    const made = new tools.DynamicTool({
      name: "say",
      description: "Says.",
      func: async (input) => `Said ${input}`,
    });
    expect(await adapter.wrapTool(made, quiet).invoke("hi")).toBe("Said hi");
  });

  test("a tool's error is rethrown as the same object", async () => {
    const error = new Error("DB down");
    const { tool } = spied(lab, "look", { type: "object" }, () => {
      throw error;
    });
    const wrapped = adapter.wrapTool(tool, quiet);
    await expect(wrapped.invoke({ ...native("{}"), name: "look" })).rejects.toBe(error);
  });

  test("without state, attempts are counted by thread, and reset by success", async () => {
    const wrapped = adapter.wrapTool(spied(lab).tool, quiet);
    const ask = async (args: string, thread_id: string): Promise<string | undefined> =>
      attemptOf(await wrapped.invoke(native(args), { configurable: { thread_id } }));
    expect(await ask(BAD_ORDER, "1")).toBe("1/3");
    expect(await ask(BAD_ORDER, "1")).toBe("2/3");
    expect(await ask(BAD_ORDER, "2")).toBe("1/3");
    expect(await ask(GOOD_ORDER, "1")).toBeUndefined();
    expect(await ask(BAD_ORDER, "1")).toBe("1/3");
  });

  test("without state and thread, every call is a first attempt", async () => {
    const wrapped = adapter.wrapTool(spied(lab).tool, quiet);
    for (const id of ["a", "b", "c", "d"]) {
      expect(attemptOf(await wrapped.invoke(native(BAD_ORDER, id)))).toBe("1/3");
    }
  });

  test("arguments passed by code are validated as they are, whatever the model's last output was", async () => {
    const { tool, runs } = spied(lab);
    const cut = new messages.AIMessage({
      content: "I order",
      response_metadata: { finish_reason: "length" },
    });
    const config = { state: { messages: [new messages.HumanMessage("Go."), cut] } };
    const wrapped = adapter.wrapTool(tool, quiet);
    await wrapped.invoke(JSON.parse(GOOD_ORDER) as object, config as never);
    expect(runs).toHaveLength(1);
  });

  test("a promoted call never runs with the empty arguments it shows, even without state", async () => {
    const { tool, runs } = spied(lab, "look", { type: "object" });
    const message = toMessage(lab, { calls: [call('{"depth": 1', "a", "look")] });
    const [promoted] = adapter.promoteInvalidToolCalls(message).tool_calls ?? [];
    const answer = await adapter.wrapTool(tool, quiet).invoke({ ...promoted!, type: "tool_call" });
    expect((answer as BaseMessage).content).toContain("VAL-011");
    expect(runs).toEqual([]);
  });

  test("a promoted call never runs with the empty arguments it shows, whatever the tool's contract repairs", async () => {
    const { tool, runs } = spied(lab, "look", { type: "object" });
    const message = toMessage(lab, { calls: [call('{"depth": [1]', "a", "look")] });
    // Promoted by the default contract, which does not close open brackets.
    const [promoted] = adapter.promoteInvalidToolCalls(message).tool_calls ?? [];
    await adapter
      .wrapTool(tool, { ...quiet, closeDangling: true })
      .invoke({ ...promoted!, type: "tool_call" });
    expect(runs).toEqual([{ depth: [1] }]);
  });

  test("createReactAgent would end on any answer of a returnDirect tool; an invalid call can be repeated", async () => {
    const { tool, runs } = spied(lab);
    tool.returnDirect = true;
    const turns = [{ calls: [call(BAD_ORDER, "a")] }, { calls: [call(GOOD_ORDER, "b")] }];
    const script = lab.script(turns);
    const given = { messages: [new messages.HumanMessage("Order.")] };
    const agent = prebuilt.createReactAgent({
      llm: script.model,
      tools: adapter.wrapTools([tool], quiet),
    });
    await agent.invoke(given as never);
    expect(runs).toHaveLength(1);
    expect(script.requests).toHaveLength(2);
  });

  test.each([
    ["nothing", () => adapter.wrapTool(undefined as never)],
    ["a provider's own tool", () => adapter.wrapTool({ name: "search", type: "web" } as never)],
    ["an object of tools", () => adapter.wrapTools({} as never)],
    ["an array with a hole", () => adapter.wrapTools([undefined] as never)],
    ["no tools to validate", () => adapter.validCallsOnly(undefined as never)],
  ])("%s is rejected at once, saying what to pass", (_, wrap) => {
    expect(wrap).toThrow(/^(wrapTools?|validCallsOnly): pass /);
  });

  test("a graph with a ToolNode: counted, answered, escalated", async () => {
    const [wrapped] = adapter.wrapTools([spied(lab).tool], quiet);
    const script = lab.script(
      ["{", BAD_ORDER, BAD_ORDER, BAD_ORDER].map((args, index) => ({
        calls: [call(args, `call_${index}`)],
      })),
    );
    const graph = new langgraph.StateGraph(langgraph.MessagesAnnotation)
      .addNode("model", async (state) => {
        const message = await script.model.invoke(state.messages);
        return { messages: [adapter.promoteInvalidToolCalls(message)] };
      })
      .addNode("tools", new prebuilt.ToolNode([wrapped]))
      .addEdge(langgraph.START, "model")
      .addConditionalEdges("model", prebuilt.toolsCondition)
      .addConditionalEdges("tools", (state) =>
        adapter.escalationOf(state) ? langgraph.END : "model",
      )
      .compile({ checkpointer: new langgraph.MemorySaver() });
    const given = { messages: [new messages.HumanMessage("Order.")] };
    const state = await graph.invoke(given, { configurable: { thread_id: "1" } });
    expect(script.requests).toHaveLength(3);
    expect(adapter.escalationOf(state)).toMatchObject({ attempts: 3, toolName: "create_order" });
  });

  test("createReactAgent and createAgent accept them", async () => {
    const turns = [{ calls: [call(BAD_ORDER, "a")] }, { calls: [call(GOOD_ORDER, "b")] }];
    const given = { messages: [new messages.HumanMessage("Order.")] };
    const { tool, runs } = spied(lab);
    const wrapped = adapter.wrapTools([tool], quiet);
    const react = prebuilt.createReactAgent({ llm: lab.script(turns).model, tools: wrapped });
    const agent = langchain.createAgent({ model: lab.script(turns).model, tools: wrapped });
    for (const one of [react, agent]) {
      const state = (await one.invoke(given as never)) as { readonly messages: BaseMessage[] };
      expect(state.messages.map((message) => attemptOf(message))).toEqual([
        undefined,
        undefined,
        "1/3",
        undefined,
        undefined,
        undefined,
      ]);
    }
    expect(runs).toHaveLength(2);
  });

  test.runIf(isRecent)("a runnable as a tool", async () => {
    const { RunnableLambda } = await import("@langchain/core/runnables");
    const runnable = RunnableLambda.from(({ n }: { n: number }) => `${n + 1}`);
    const asTool = runnable.asTool({ name: "next", schema: z.object({ n: z.number() }) });
    const wrapped = adapter.wrapTool(asTool as never, quiet) as typeof asTool;
    const next = { id: "a", name: "next", type: "tool_call" as const };
    expect(await wrapped.invoke({ ...next, args: { n: 1 } } as never)).toBe("2");
    const answer: unknown = await wrapped.invoke({ ...next, args: { n: "x" } } as never);
    expect(attemptOf(answer)).toBe("1/3");
  });
});
