import {
  addItem,
  describeShop,
  openBudget,
  openShop,
  type ShopCall,
  type ShopHost,
  type ShopKit,
  type ShopTool,
  stage,
} from "@toolcontract/case-table/shop";
import { type Contract, createContract } from "@toolcontract/core";
import {
  type Guardrails,
  Outcome,
  createGuardrails,
  currentAttempt,
  slotStore,
} from "@toolcontract/guardrails";
import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { AgentMiddleware } from "langchain";
import { describe, expect, test } from "vitest";
import { textOfMessage } from "./messages.ts";
import { LABS } from "./testing/every-langchain.ts";
import type { Lab } from "./testing/langchain.ts";
import { contractOf, runAgent, toRan } from "./testing/run-agent.ts";
import { runSession } from "./testing/run-session.ts";
import { report } from "./testing/session-model.ts";
import { spied } from "./testing/tools.ts";

const kit: ShopKit<Contract, Guardrails> = {
  createContract,
  createGuardrails: ({ state, ...options }) =>
    createGuardrails({ ...options, store: slotStore(state) }),
  currentAttempt,
  Outcome,
};
const add = (...given: Parameters<typeof addItem>) => called(addItem(...given));
const turn = (...given: Parameters<typeof addItem>) => ({ calls: [add(...given)] });

function called({ id, name, arguments: args }: ShopCall) {
  return { id, name, args };
}

function toolsOf(lab: Lab, tools: readonly ShopTool[]) {
  return tools.map(({ name, inputSchema, run }) => spied(lab, name, { ...inputSchema }, run).tool);
}

/** A shop whose tools are those of a version. */
function openedOn(lab: Lab, run?: ShopTool["run"]) {
  const { tools, ...shop } = openShop(kit, run);
  return { ...shop, tools: toolsOf(lab, tools) };
}

function shopHost(lab: Lab, version: "v1" | "v2"): ShopHost<Contract> {
  return {
    async run({ contract, tools, turns, after, signal }) {
      const run = runAgent(lab, {
        turns: turns.map((calls) => ({ calls: calls.map(called) })),
        tools: toolsOf(lab, tools),
        options: { contract, escalate: "drop-tool" },
        agent: { version },
        ...(after && { messages: after.messages.slice(0, -1) as BaseMessage[] }),
        ...(signal && { config: { signal } }),
      });
      if (signal) await expect(run).rejects.toThrow();
      const { messages, results, last, script } = await run;
      return {
        messages,
        last,
        textOf: (id) => textOfMessage(results.find((one) => one.tool_call_id === id)!),
        offered: script.shown,
        shown: JSON.stringify(script.requests.map((request) => request.map(textOfMessage))),
      };
    },
  };
}

// LangChain 1.0 writes a tool's value into its message before any middleware sees it.
const WRAPPED = '{"status":"ok","value":{"added":"A1"}}';

const headersOf = (results: readonly ToolMessage[]) =>
  results.map((result) => textOfMessage(result).split("\n")[0]);

describe.each(LABS)("guardrails on langchain $version", (lab) => {
  const { adapter, langchain, langgraph, messages, prebuilt } = lab;

  describe.each(["v2", "v1"] as const)("createAgent %s", (version) => {
    describeShop(kit, shopHost(lab, version));

    test("an outcome is unwrapped: its value is the tool's reply, and a final failure its error", async () => {
      const { contract, tools, state } = openedOn(lab);
      const { results } = await runAgent(lab, {
        turns: [turn("call_1", "A1", 1), turn("call_2", "A1", 3)],
        tools,
        options: { contract },
        agent: { version },
      });
      expect(
        results.map((one) => [textOfMessage(one), one.status ?? "success", one.tool_call_id]),
      ).toEqual([
        [lab.line === "oldest" ? WRAPPED : '{"added":"A1"}', "success", "call_1"],
        [
          "Tool 'add_item' failed: the supplier is closed\nAll its state changes were undone.",
          "error",
          "call_2",
        ],
      ]);
      expect(state().cart).toEqual(["1 A1"]);
    });

    test("an interrupt inside a tool passes through: rolled back, not counted, one commit after the resume", async () => {
      const shop = openedOn(lab, (input) => {
        const added = stage(kit, input);
        langgraph.interrupt("May I?");
        return added;
      });
      const { contract, tools, runs, events } = shop;
      const script = lab.script([turn("call_1", "A1", 2)]);
      const agent = langchain.createAgent({
        model: script.model,
        tools,
        version,
        middleware: [contractOf(lab, { contract })],
        checkpointer: new langgraph.MemorySaver(),
      });
      const config = { configurable: { thread_id: "1" } };
      await agent.invoke({ messages: [new messages.HumanMessage("Add.")] }, config);
      expect(shop.state().cart).toEqual([]);
      expect(events.at(-1)).toMatchObject({ attempt_stage: "rolled_back", attempt_failures: [] });
      const state = await agent.invoke(new langgraph.Command({ resume: "Yes." }), config);
      expect(toRan(lab, state, script).results.map(textOfMessage)).toEqual(["added"]);
      expect(shop.state().cart).toEqual(["2 A1"]);
      expect(runs).toHaveLength(2);
      expect(contract.metrics()).toMatchObject({ rejected: 0, blocked: 0 });
    });

    test("without the option everything is as without it, and guardrails that ask nothing change nothing", async () => {
      const { tools } = openedOn(lab, () => "added");
      const seen = async (middleware: readonly unknown[]): Promise<unknown> => {
        const { results, script } = await runAgent(lab, {
          turns: [turn("call_1", "A1", 2)],
          tools,
          agent: { version, middleware },
        });
        const plain = results.map(({ content, name, status, artifact, additional_kwargs }) => {
          return { content, name, status, artifact: artifact as unknown, additional_kwargs };
        });
        return JSON.stringify([
          plain,
          script.requests.map((request) => request.map(textOfMessage)),
        ]);
      };
      const bare = await seen([contractOf(lab)]);
      expect(bare).toBe(await seen([]));
      const none = createGuardrails({ guardrails: [] });
      expect(await seen([contractOf(lab, { guardrails: none })])).toBe(bare);
    });
  });

  test("the run ends with the escalation of the lane, and its typed outcome is in the state", async () => {
    const { contract, tools } = openedOn(lab);
    const { last, state } = await runAgent(lab, {
      turns: [turn("call_1", "G1", 1)],
      tools,
      options: { contract },
    });
    expect(last).toContain("Tool 'add_item' guardrail failed after 1 attempt.");
    expect(adapter.escalationOf(state as never)).toMatchObject({
      lane: "guardrail",
      outcome: { error_type: "missing_credentials", metadata: { last_violation_type: "gift_key" } },
    });
  });

  test("a returned Command is withheld on a violation, and passed on once the call is allowed", async () => {
    const shop = openedOn(lab, (input, config) => {
      void stage(kit, input);
      const { toolCall } = config as { readonly toolCall: { readonly id: string } };
      const message = new messages.ToolMessage({ content: "moved", tool_call_id: toolCall.id });
      const { sku, qty } = input as { readonly sku: string; readonly qty: number };
      return new langgraph.Command({ update: { messages: [message], moved: [`${qty} ${sku}`] } });
    });
    const moved = langgraph.Annotation<string[]>({
      reducer: (all, more) => [...all, ...more],
      default: () => [],
    });
    const script = lab.script([turn("call_1", "A1", 9), turn("call_2", "A1", 2)]);
    const [tool] = adapter.wrapTools([shop.tools[0]!], { contract: shop.contract });
    const annotation = langgraph.Annotation.Root({ ...langgraph.MessagesAnnotation.spec, moved });
    const graph = new langgraph.StateGraph(annotation)
      .addNode("model", async (now) => ({ messages: [await script.model.invoke(now.messages)] }))
      .addNode("tools", new prebuilt.ToolNode([tool]))
      .addEdge(langgraph.START, "model")
      .addConditionalEdges("model", prebuilt.toolsCondition)
      .addEdge("tools", "model")
      .compile({ checkpointer: new langgraph.MemorySaver() });
    const config = { configurable: { thread_id: "1" } };
    const end = await graph.invoke({ messages: [new messages.HumanMessage("Move.")] }, config);
    expect(end.moved).toEqual(["2 A1"]);
    const kept = (await graph.getState(config)).values as { readonly moved: unknown };
    expect(kept.moved).toEqual(["2 A1"]);
    expect(shop.state().cart).toEqual(["2 A1"]);
  });

  // Older versions of ToolNode pass no state to a tool.
  test.runIf(lab.isRecent)(
    "what a tool changes in the state of a graph is not in its checkpoint after a violation",
    async () => {
      const shop = openedOn(lab, (input, config) => {
        const { state } = config as { readonly state: { readonly seen: string[] } };
        state.seen.push((input as { readonly sku: string }).sku);
        return stage(kit, input);
      });
      const tools = adapter.wrapTools(shop.tools, { contract: shop.contract });
      const script = lab.script([turn("call_1", "A1", 9), turn("call_2", "A1", 2)]);
      const annotation = langgraph.Annotation.Root({
        ...langgraph.MessagesAnnotation.spec,
        seen: langgraph.Annotation<string[]>(),
      });
      const graph = new langgraph.StateGraph(annotation)
        .addNode("model", async (now) => ({ messages: [await script.model.invoke(now.messages)] }))
        .addNode("tools", new prebuilt.ToolNode(tools))
        .addEdge(langgraph.START, "model")
        .addConditionalEdges("model", prebuilt.toolsCondition)
        .addEdge("tools", "model")
        .compile({ checkpointer: new langgraph.MemorySaver() });
      const config = { configurable: { thread_id: "1" } };
      const given = { messages: [new messages.HumanMessage("Add.")], seen: [] };
      const end = await graph.invoke(given, config);
      const kept = (await graph.getState(config)).values as { readonly seen: unknown };
      expect([end.seen, kept.seen]).toEqual([[], []]);
      expect(shop.state().cart).toEqual(["2 A1"]);
    },
  );

  test("an outcome of a wrapped tool is unwrapped, in a ToolNode and called directly", async () => {
    const { contract, tools, state } = openedOn(lab);
    const wrapped = adapter.wrapTools(tools, { contract });
    const call = (id: string, qty: number) =>
      ({ type: "tool_call", id, name: "add_item", args: { sku: "A1", qty } }) as const;
    expect(await wrapped[0]!.invoke(call("a", 1))).toMatchObject({
      content: '{"added":"A1"}',
      tool_call_id: "a",
      name: "add_item",
    });
    expect(await wrapped[0]!.invoke(call("b", 3))).toMatchObject({ status: "error" });
    expect(await wrapped[0]!.invoke({ sku: "A1", qty: 1 })).toEqual({ added: "A1" });
    expect(state().cart).toEqual(["1 A1", "1 A1"]);
  });

  test("a message of an error that a tool returns is a failure like one that it throws", async () => {
    const { contract, tools, state } = openedOn(lab, (input, config) => {
      void stage(kit, input);
      const { toolCall } = config as { readonly toolCall: { readonly id: string } };
      const content = "no such shelf";
      return new messages.ToolMessage({ content, status: "error", tool_call_id: toolCall.id });
    });
    const { results } = await runAgent(lab, {
      turns: [turn("call_1", "A1", 2)],
      tools,
      options: { contract },
    });
    expect(headersOf(results)).toEqual(["Outcome failed for tool 'add_item' (attempt 1/2):"]);
    expect(textOfMessage(results[0]!)).toContain("(GRD-005): no such shelf");
    expect(state().cart).toEqual([]);
  });

  describe("a commit guardrail whose tools have no effect", () => {
    const budget = (effects: Parameters<typeof openBudget>[1]) => {
      const { buy, ...rest } = openBudget(kit, effects);
      return { ...rest, buy: toolsOf(lab, [buy])[0]! };
    };
    const turns = openBudget(kit, { buy: "state" }).calls.map((call) => ({
      calls: [called(call)],
    }));
    const UNDECLARED =
      "guardrail 'budget' runs at commit for every tool, and 'buy' has no declared effect";
    const quiet = { logger: () => undefined };

    test("an agent does not start, and five calls of 80 spend nothing", async () => {
      const { guardrails, buy, runs, spent } = budget({ look: "none" });
      const look = spied(lab, "look", { type: "object" }).tool;
      const run = { turns, tools: [buy, look], options: { guardrails } };
      await expect(runAgent(lab, run)).rejects.toThrow(UNDECLARED);
      // It says so as often as it is asked.
      await expect(runAgent(lab, run)).rejects.toThrow(UNDECLARED);
      expect([runs, spent()]).toEqual([[], 0]);
    });

    test("wrapTool, wrapTools and a session throw when they get the tool", async () => {
      const { guardrails, buy } = budget({ look: "none" });
      const options = { ...quiet, guardrails };
      expect(() => adapter.wrapTool(buy, options)).toThrow(UNDECLARED);
      expect(() => adapter.wrapTools([buy], options)).toThrow(UNDECLARED);
      const { tool: look } = spied(lab, "look", { type: "object" });
      expect(() => adapter.wrapTools([look], options)).not.toThrow();
      const session = runSession(lab, {
        replies: [turns[0]!],
        tools: [buy, look],
        options: { guardrails },
      });
      await expect(session).rejects.toThrow(UNDECLARED);
    });

    test("a session's own tool for the report needs no effect", async () => {
      const { guardrails, buy, spent } = budget({ buy: "state" });
      const { result } = await runSession(lab, {
        replies: [...turns, { calls: [report("One bought, the others refused.")] }],
        tools: [buy],
        options: { guardrails, maxTurns: 8 },
      });
      expect(result).toMatchObject({
        success: true,
        finalReport: { content: "One bought, the others refused." },
      });
      expect(spent()).toBe(80);
    });

    test("a tool that appears later does not run", async () => {
      const { guardrails, buy, runs, spent } = budget({ look: "none" });
      const { tool: look } = spied(lab, "look", { type: "object" });
      let asked = 0;
      const later = {
        name: "later",
        wrapModelCall: async (request: { tools: unknown[] }, next: (one: object) => unknown) => {
          asked += 1;
          return next({ ...request, tools: asked === 1 ? [look] : [look, buy] });
        },
      };
      const given = { turns: [{ calls: [{ id: "a", name: "look", args: "{}" }] }, ...turns] };
      const run = runAgent(lab, {
        ...given,
        tools: [look, buy],
        agent: { middleware: [later, contractOf(lab, { guardrails })] },
      });
      await expect(run).rejects.toThrow(UNDECLARED);
      expect([runs, spent()]).toEqual([[], 0]);
    });

    test.skipIf(lab.line === "oldest")(
      "a name that the model invented is answered, with those that it was offered",
      async () => {
        const { guardrails, buy, runs } = budget({ buy: "state" });
        const { results, last } = await runAgent(lab, {
          turns: ["buuy", "zzz"].map((name) => ({ calls: [{ id: name, name, args: "{}" }] })),
          tools: [buy],
          options: { guardrails },
        });
        expect(results.map((one) => textOfMessage(one))).toEqual([
          expect.stringMatching(/\(VAL-012\).*[^]*Hint: use "buy"/),
          expect.stringMatching(/\(VAL-012\)/),
        ]);
        expect([last, runs]).toEqual(["Done.", []]);
      },
    );
  });

  // humanInTheLoopMiddleware has `when` since LangChain 1.5.
  test.runIf(lab.isRecent)(
    "with validCallsOnly nobody is asked to approve a call that a guardrail refuses by its arguments",
    async () => {
      const { contract, tools, state: committed } = openedOn(lab);
      const reviewed = langchain.humanInTheLoopMiddleware({
        interruptOn: {
          add_item: {
            allowedDecisions: ["approve"],
            when: adapter.validCallsOnly(tools),
          },
        },
      } as never) as unknown as AgentMiddleware<undefined, undefined>;
      const script = lab.script([
        turn("call_1", "A1", 60),
        turn("call_2", "ZZ", 2),
        turn("call_3", "A1", 2),
      ]);
      const agent = langchain.createAgent({
        model: script.model,
        tools,
        middleware: [reviewed, contractOf(lab, { contract })],
        checkpointer: new langgraph.MemorySaver(),
      });
      const config = { configurable: { thread_id: "1" } };
      let state = await agent.invoke({ messages: [new messages.HumanMessage("Add.")] }, config);
      const asked: unknown[] = [];
      for (let round = 0; round < 2; round += 1) {
        asked.push(
          (state as { readonly __interrupt__?: readonly { value: unknown }[] }).__interrupt__?.[0]
            ?.value,
        );
        const resume = { decisions: [{ type: "approve" }] };
        state = await agent.invoke(new langgraph.Command({ resume }), config);
      }
      expect(asked).toMatchObject([
        { actionRequests: [{ args: { sku: "ZZ" } }] },
        { actionRequests: [{ args: { sku: "A1", qty: 2 } }] },
      ]);
      const { results } = toRan(lab, state, script);
      expect(headersOf(results)).toEqual([
        "Guardrail failed for tool 'add_item' (attempt 1/3):",
        "Guardrail failed for tool 'add_item' (attempt 2/3):",
        "added",
      ]);
      expect(committed().cart).toEqual(["2 A1"]);
    },
  );
});
