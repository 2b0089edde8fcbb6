import { createContract } from "@toolcontract/core";
import {
  type AttemptEvent,
  Outcome,
  createGuardrails,
  currentAttempt,
  slotStore,
} from "@toolcontract/guardrails";
import type { AgentMiddleware } from "langchain";
import { describe, expect, test } from "vitest";
import { textOf } from "./messages.ts";
import { LABS } from "./testing/every-langchain.ts";
import type { Lab } from "./testing/langchain.ts";
import { contractOf, runAgent, toRan } from "./testing/run-agent.ts";
import { runSession } from "./testing/run-session.ts";
import { report } from "./testing/session-model.ts";
import { spied } from "./testing/tools.ts";

interface Shop {
  readonly cart: string[];
  readonly stock: Record<string, number>;
}
interface Item {
  readonly sku: string;
  readonly qty: number;
}

const SCHEMA = {
  type: "object",
  properties: { sku: { type: "string" }, qty: { type: "integer" } },
  required: ["sku", "qty"],
} as const;
const add = (id: string, sku: string, qty: number) => ({
  id,
  name: "add_item",
  args: JSON.stringify({ sku, qty }),
});
const turn = (...args: Parameters<typeof add>) => ({ calls: [add(...args)] });

/** Stages what a call does, as a tool's author would. */
function stage(input: unknown): unknown {
  const { sku, qty } = input as Item;
  const { state } = currentAttempt<Shop>();
  state.stock[sku] = (state.stock[sku] ?? 0) - qty;
  state.cart.push(`${qty} ${sku}`);
  if (qty === 4) return Outcome.error("sold_out", "the supplier refused", { retriable: true });
  if (qty === 3) return Outcome.error("closed", "the supplier is closed");
  return qty === 1 ? Outcome.ok({ added: sku }) : "added";
}

function openShop(lab: Lab, run: (input: unknown, config: unknown) => unknown = stage) {
  const store = slotStore<Shop>({ cart: [], stock: { A1: 5 } });
  const guardrails = createGuardrails({
    store,
    effects: { add_item: "state", look: "none" },
    guardrails: [
      {
        name: "order_limit",
        tools: ["add_item"],
        check: ({ args }) => args.qty > 50 && { message: "above the limit", fieldPath: "/qty" },
      },
      {
        name: "known_sku",
        tools: ["add_item"],
        check: ({ args, state }) => !(args.sku in state.stock) && "unknown SKU",
      },
      {
        name: "stock_not_negative",
        stage: "commit",
        check: ({ state }) => Object.values(state.stock).some((left) => left < 0) && "too many",
      },
      {
        name: "shop_key",
        tools: ["add_item"],
        class: "terminal_guardrail",
        reason: "missing_credentials",
        check: ({ args }) => args.sku === "G1" && "SHOP_KEY is not configured",
      },
    ],
  });
  const outcomes: unknown[] = [];
  const contract = createContract({
    logger: () => undefined,
    guardrails,
    onEscalation: ({ outcome }) => void outcomes.push(outcome),
  });
  const events: AttemptEvent[] = [];
  contract.on("attempt", (event) => events.push(event));
  const { tool, runs } = spied(lab, "add_item", SCHEMA, run);
  const look = spied(lab, "look", { type: "object", properties: {} }, () => "a shop").tool;
  return { store, guardrails, contract, events, outcomes, runs, tools: [tool, look] };
}

// LangChain 1.0 writes a tool's value into its message before any middleware sees it.
const WRAPPED = '{"status":"ok","value":{"added":"A1"}}';

const headersOf = (results: readonly Parameters<typeof textOf>[0][]) =>
  results.map((result) => textOf(result).split("\n")[0]);

describe.each(LABS)("guardrails on langchain $version", (lab) => {
  const { adapter, langchain, langgraph, messages, prebuilt } = lab;

  describe.each(["v2", "v1"] as const)("createAgent %s", (version) => {
    test("a tool stages its state, a violation undoes it, and the corrected call commits", async () => {
      const { contract, tools, store, events } = openShop(lab);
      const { results, last, script } = await runAgent(lab, {
        turns: [
          { calls: [{ id: "call_0", name: "add_item", args: "{}" }] },
          turn("call_1", "ZZ", 1),
          turn("call_2", "A1", 9),
          turn("call_3", "A1", 4),
          turn("call_4", "A1", 2),
        ],
        tools,
        options: { contract },
        agent: { version },
      });
      expect(last).toBe("Done.");
      expect(headersOf(results)).toEqual([
        "Validation failed for tool 'add_item' (attempt 1/3):",
        "Guardrail failed for tool 'add_item' (attempt 1/3):",
        "Guardrail failed for tool 'add_item' (attempt 2/3):",
        "Outcome failed for tool 'add_item' (attempt 1/2):",
        "added",
      ]);
      expect(store.state).toEqual({ cart: ["2 A1"], stock: { A1: 3 } });
      const failures = events.at(-1)?.attempt_failures ?? [];
      expect(failures.map((one) => `${one.stage}:${one.error_class}`)).toEqual([
        "validation:known_sku",
        "validation:stock_not_negative",
        "outcome_policy:sold_out",
      ]);
      const shown = JSON.stringify(script.requests.map((request) => request.map(textOf)));
      for (const word of ["known_sku", "sold_out", "attempt_failures"]) {
        expect(shown).not.toContain(word);
      }
    });

    test("an outcome is unwrapped: its value is the tool's reply, and a final failure its error", async () => {
      const { contract, tools, store } = openShop(lab);
      const { results } = await runAgent(lab, {
        turns: [turn("call_1", "A1", 1), turn("call_2", "A1", 3)],
        tools,
        options: { contract },
        agent: { version },
      });
      expect(
        results.map((one) => [textOf(one), one.status ?? "success", one.tool_call_id]),
      ).toEqual([
        [lab.version === "1.0.6" ? WRAPPED : '{"added":"A1"}', "success", "call_1"],
        [
          "Tool 'add_item' failed: the supplier is closed\nAll its state changes were undone.",
          "error",
          "call_2",
        ],
      ]);
      expect(store.state.cart).toEqual(["1 A1"]);
    });

    test("calls of one turn have attempts of their own: one commits while the other is rolled back", async () => {
      const { contract, tools, store } = openShop(lab, async (input) => {
        const { callId } = currentAttempt();
        await new Promise((resolve) => setImmediate(resolve));
        expect(currentAttempt().callId).toBe(callId);
        return stage(input);
      });
      const calls = [add("call_1", "A1", 9), add("call_2", "A1", 2), add("call_3", "A1", 2)];
      const { results } = await runAgent(lab, {
        turns: [{ calls }],
        tools,
        options: { contract },
        agent: { version },
      });
      const texts = new Map(results.map((one) => [one.tool_call_id, textOf(one)]));
      expect(texts.get("call_1")).toContain("All its state changes were undone.");
      expect([texts.get("call_2"), texts.get("call_3")]).toEqual(["added", "added"]);
      expect(store.state).toEqual({ cart: ["2 A1", "2 A1"], stock: { A1: 1 } });
    });

    test("an interrupt inside a tool passes through: rolled back, not counted, one commit after the resume", async () => {
      const shop = openShop(lab, (input) => {
        const added = stage(input);
        langgraph.interrupt("May I?");
        return added;
      });
      const { contract, tools, store, runs, events } = shop;
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
      expect(store.state.cart).toEqual([]);
      expect(events.at(-1)).toMatchObject({ attempt_stage: "rolled_back", attempt_failures: [] });
      const state = await agent.invoke(new langgraph.Command({ resume: "Yes." }), config);
      expect(toRan(lab, state, script).results.map(textOf)).toEqual(["added"]);
      expect(store.state.cart).toEqual(["2 A1"]);
      expect(runs).toHaveLength(2);
      expect(contract.metrics()).toMatchObject({ rejected: 0, blocked: 0 });
    });

    test("without the option everything is as without it, and guardrails that ask nothing change nothing", async () => {
      const { tool } = spied(lab, "add_item", SCHEMA, () => "added");
      const seen = async (middleware: readonly unknown[]): Promise<unknown> => {
        const { results, script } = await runAgent(lab, {
          turns: [turn("call_1", "A1", 2)],
          tools: [tool],
          agent: { version, middleware },
        });
        const plain = results.map(({ content, name, status, artifact, additional_kwargs }) => {
          return { content, name, status, artifact: artifact as unknown, additional_kwargs };
        });
        return JSON.stringify([plain, script.requests.map((request) => request.map(textOf))]);
      };
      const bare = await seen([contractOf(lab)]);
      expect(bare).toBe(await seen([]));
      const none = createGuardrails({ guardrails: [] });
      expect(await seen([contractOf(lab, { guardrails: none })])).toBe(bare);
    });
  });

  test("a terminal guardrail: one attempt, the tool is not offered again, and the run still answers", async () => {
    const { contract, tools, runs, outcomes } = openShop(lab);
    const { script, last } = await runAgent(lab, {
      turns: [turn("call_1", "G1", 1), { text: "No key." }],
      tools,
      options: { contract, escalate: "drop-tool" },
    });
    expect([last, runs]).toEqual(["No key.", []]);
    expect(script.shown).toEqual([["add_item", "look"], ["look"]]);
    expect(outcomes).toMatchObject([{ error_type: "missing_credentials", retriable: false }]);
  });

  test("the run ends with the escalation of the lane, and its typed outcome is in the state", async () => {
    const { contract, tools } = openShop(lab);
    const { last, state } = await runAgent(lab, {
      turns: [turn("call_1", "G1", 1)],
      tools,
      options: { contract },
    });
    expect(last).toContain("Tool 'add_item' guardrail failed after 1 attempt.");
    expect(adapter.escalationOf(state as never)).toMatchObject({
      lane: "guardrail",
      outcome: { error_type: "missing_credentials", metadata: { last_violation_type: "shop_key" } },
    });
  });

  test("a spent budget ends in a typed outcome, also with one good call in each turn, and the tool stays closed", async () => {
    const { contract, tools, store, outcomes } = openShop(lab);
    const bad = [60, 61, 62].map((qty, index) => ({
      calls: [add(`good_${index}`, "A1", 1), add(`bad_${index}`, "A1", qty)],
    }));
    const { results, last } = await runAgent(lab, {
      turns: [...bad, { calls: [add("again", "A1", 1), { id: "look", name: "look", args: "{}" }] }],
      tools,
      options: { contract, escalate: "drop-tool" },
    });
    expect(last).toBe("Done.");
    expect(outcomes).toMatchObject([
      {
        error_type: "guardrail_retry_exhausted",
        metadata: { guardrail_recovery_attempts: 2, last_violation_type: "order_limit" },
      },
    ]);
    expect(textOf(results.find((one) => one.tool_call_id === "again")!)).toContain(
      "(blocked after 3/3)",
    );
    expect(store.state.cart).toEqual(["1 A1", "1 A1", "1 A1"]);
  });

  test("a returned Command is withheld on a violation, and passed on once the call is allowed", async () => {
    const shop = openShop(lab, (input, config) => {
      void stage(input);
      const { toolCall } = config as { readonly toolCall: { readonly id: string } };
      const message = new messages.ToolMessage({ content: "moved", tool_call_id: toolCall.id });
      const { sku, qty } = input as Item;
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
    expect(shop.store.state.cart).toEqual(["2 A1"]);
  });

  // Older versions of ToolNode pass no state to a tool.
  test.runIf(lab.version === "1.5.14")(
    "what a tool changes in the state of a graph is not in its checkpoint after a violation",
    async () => {
      const shop = openShop(lab, (input, config) => {
        const { state } = config as { readonly state: { readonly seen: string[] } };
        state.seen.push((input as Item).sku);
        return stage(input);
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
      expect(shop.store.state.cart).toEqual(["2 A1"]);
    },
  );

  test("an outcome of a wrapped tool is unwrapped, in a ToolNode and called directly", async () => {
    const { contract, tools, store } = openShop(lab);
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
    expect(store.state.cart).toEqual(["1 A1", "1 A1"]);
  });

  test("a message of an error that a tool returns is a failure like one that it throws", async () => {
    const { contract, tools, store } = openShop(lab, (input, config) => {
      void stage(input);
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
    expect(textOf(results[0]!)).toContain("(GRD-005): no such shelf");
    expect(store.state.cart).toEqual([]);
  });

  test("an aborted call is rolled back and not counted", async () => {
    const controller = new AbortController();
    const { contract, tools, store, events } = openShop(lab, (input) => {
      void stage(input);
      controller.abort(new Error("the user left"));
      throw controller.signal.reason;
    });
    const run = runAgent(lab, {
      turns: [turn("call_1", "A1", 2)],
      tools,
      options: { contract },
      config: { signal: controller.signal },
    });
    await expect(run).rejects.toThrow();
    await expect.poll(() => events.at(-1)?.attempt_stage).toBe("rolled_back");
    expect(store.state.cart).toEqual([]);
    expect(contract.metrics()).toMatchObject({ rejected: 0, blocked: 0 });
    expect(events.at(-1)).toMatchObject({ rollback_applied: true, attempt_failures: [] });
  });

  test("after a restart the attempts are counted from the messages", async () => {
    const first = openShop(lab);
    const before = await runAgent(lab, {
      turns: [turn("call_1", "A1", 9), turn("call_2", "A1", 8), { text: "Wait." }],
      tools: first.tools,
      options: { contract: first.contract },
    });
    const second = openShop(lab);
    const { results } = await runAgent(lab, {
      turns: [turn("call_3", "A1", 7)],
      tools: second.tools,
      options: { contract: second.contract, escalate: "drop-tool" },
      messages: before.messages.slice(0, -1),
    });
    expect(headersOf(results).at(-1)).toBe("Guardrail failed for tool 'add_item' (attempt 3/3):");
    expect(second.outcomes).toMatchObject([{ metadata: { guardrail_recovery_attempts: 2 } }]);
  });

  test("`compensate` calls another tool of the agent if the commit is refused", async () => {
    const guardrails = createGuardrails({
      effects: { add_item: "compensable" },
      compensate: {
        add_item: ({ args }) => ({ name: "take_back", arguments: args as Record<string, unknown> }),
      },
      guardrails: [{ name: "no", tools: ["add_item"], stage: "commit", check: () => "refused" }],
    });
    const { tool } = spied(lab, "add_item", SCHEMA, () => "added");
    const { tool: back, runs } = spied(lab, "take_back", SCHEMA, () => "taken back");
    const { results } = await runAgent(lab, {
      turns: [turn("call_1", "A1", 2)],
      tools: [tool, back],
      options: { guardrails },
    });
    expect(textOf(results[0]!)).toContain("All its state changes were undone.");
    expect(runs).toEqual([{ sku: "A1", qty: 2 }]);
  });

  describe("a commit guardrail whose tools have no effect", () => {
    /** The budget of the README, and a tool that spends 80 of its 100. */
    function budget(effects: Record<string, "state" | "none">) {
      const store = slotStore({ spent: 0 });
      const guardrails = createGuardrails({
        store,
        effects,
        guardrails: [
          {
            name: "budget",
            stage: "commit",
            check: ({ state }) => state.spent > 100 && { message: "over the budget of 100" },
          },
        ],
      });
      const { tool: buy, runs } = spied(lab, "buy", { type: "object" }, () => {
        currentAttempt<{ spent: number }>().state.spent += 80;
        return "bought";
      });
      return { store, guardrails, buy, runs };
    }
    const calls = [1, 2, 3, 4, 5].map((id) => ({ id: `call_${id}`, name: "buy", args: "{}" }));
    const turns = calls.map((call) => ({ calls: [call] }));
    const UNDECLARED =
      "guardrail 'budget' runs at commit for every tool, and 'buy' has no declared effect";
    const quiet = { logger: () => undefined };

    test("an agent does not start, and five calls of 80 spend nothing", async () => {
      const { store, guardrails, buy, runs } = budget({ look: "none" });
      const look = spied(lab, "look", { type: "object" }).tool;
      const run = { turns, tools: [buy, look], options: { guardrails } };
      await expect(runAgent(lab, run)).rejects.toThrow(UNDECLARED);
      // It says so as often as it is asked.
      await expect(runAgent(lab, run)).rejects.toThrow(UNDECLARED);
      expect([runs, store.state.spent]).toEqual([[], 0]);
    });

    test("with the effect, five calls of 80 spend 80", async () => {
      const { store, guardrails, buy } = budget({ buy: "state" });
      await runAgent(lab, { turns, tools: [buy], options: { guardrails } });
      expect(store.state.spent).toBe(80);
    });

    test("wrapTool, wrapTools and a session throw when they get the tool", async () => {
      const { guardrails, buy } = budget({ look: "none" });
      const options = { ...quiet, guardrails };
      expect(() => adapter.wrapTool(buy, options)).toThrow(UNDECLARED);
      expect(() => adapter.wrapTools([buy], options)).toThrow(UNDECLARED);
      const { tool: look } = spied(lab, "look", { type: "object" });
      expect(() => adapter.wrapTools([look], options)).not.toThrow();
      const session = runSession(lab, {
        replies: [{ calls: [calls[0]!] }],
        tools: [buy, look],
        options: { guardrails },
      });
      await expect(session).rejects.toThrow(UNDECLARED);
    });

    test("a session's own tool for the report needs no effect", async () => {
      const { store, guardrails, buy } = budget({ buy: "state" });
      const { result } = await runSession(lab, {
        replies: [...turns, { calls: [report("Furnished.")] }],
        tools: [buy],
        options: { guardrails, maxTurns: 8 },
      });
      expect(result).toMatchObject({ success: true, finalReport: { content: "Furnished." } });
      expect(store.state.spent).toBe(80);
    });

    test("a tool that appears later does not run", async () => {
      const { store, guardrails, buy, runs } = budget({ look: "none" });
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
      expect([runs, store.state.spent]).toEqual([[], 0]);
    });

    test.skipIf(lab.version === "1.0.6")(
      "a name that the model invented is answered, with those that it was offered",
      async () => {
        const { guardrails, buy, runs } = budget({ buy: "state" });
        const { results, last } = await runAgent(lab, {
          turns: ["buuy", "zzz"].map((name) => ({ calls: [{ id: name, name, args: "{}" }] })),
          tools: [buy],
          options: { guardrails },
        });
        expect(results.map((one) => textOf(one))).toEqual([
          expect.stringMatching(/\(VAL-012\).*[^]*Hint: use "buy"/),
          expect.stringMatching(/\(VAL-012\)/),
        ]);
        expect([last, runs]).toEqual(["Done.", []]);
      },
    );
  });

  // humanInTheLoopMiddleware has `when` since LangChain 1.5.
  test.runIf(lab.version === "1.5.14")(
    "with validCallsOnly nobody is asked to approve a call that a guardrail refuses by its arguments",
    async () => {
      const { contract, tools, store } = openShop(lab);
      const reviewed = langchain.humanInTheLoopMiddleware({
        interruptOn: {
          add_item: {
            allowedDecisions: ["approve"],
            when: adapter.validCallsOnly(tools, { contract }),
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
      expect(store.state.cart).toEqual(["2 A1"]);
    },
  );
});
