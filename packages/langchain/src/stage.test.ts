import { createContract } from "@toolcontract/core";
import type { ExecutionStage, StagedCall, StageFailure } from "@toolcontract/core/stage";
import { describe, expect, test } from "vitest";
import { textOfMessage } from "./messages.ts";
import { LABS } from "./testing/every-langchain.ts";
import { contractOf, runAgent, toRan } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

const pay = (amount: number, id: string) => ({
  calls: [{ id, name: "pay", args: `{"amount":${amount}}` }],
});
const SCHEMA = { type: "object", properties: { amount: { type: "number" } } } as const;

/** Refuses what came of a call with an amount above 10. */
function stageOf(seen: unknown[] = []): ExecutionStage {
  return {
    name: "limits",
    lanes: { guardrail: 2 },
    async around({ args, run }: StagedCall) {
      const value = await run();
      seen.push(value);
      const isLarge = (args as { readonly amount: number }).amount > 10;
      const errors = [{ message: "too much", fieldPath: "/amount" }];
      return isLarge
        ? { action: "retry", lane: "guardrail", errors, undone: "all" }
        : { action: "return", value };
    },
  };
}

/** Says of every call that its tool failed. */
const failing = (failure: Partial<StageFailure>): ExecutionStage => ({
  name: "watch",
  lanes: { outcome: 2 },
  around: async ({ run }) => ({ action: "fail", value: await run(), ...failure }),
});

describe.each(LABS)("a stage on langchain $version", (lab) => {
  const { langgraph, langchain, messages } = lab;

  test.each([
    ["that unrelated users may share", {}, false],
    ["that the application named", { conversationId: "chat-7" }, undefined],
  ])("hears of a conversation %s", async (_, named, knows) => {
    const seen: StagedCall[] = [];
    const stage: ExecutionStage = {
      name: "watch",
      lanes: {},
      async around(staged) {
        seen.push(staged);
        return { action: "return", value: await staged.run() };
      },
    };
    await runAgent(lab, {
      turns: [pay(5, "a")],
      tools: [spied(lab, "pay", SCHEMA, () => "paid").tool],
      options: { guardrails: stage, ...named },
    });
    expect(seen.map(({ knowsConversation }) => knowsConversation)).toEqual([knows]);
  });

  test("sees the tool's own reply, and the model reads its refusal instead", async () => {
    const seen: unknown[] = [];
    const { tool, runs } = spied(lab, "pay", SCHEMA, () => "paid");
    const { results, last } = await runAgent(lab, {
      turns: [pay(50, "a"), pay(5, "b")],
      tools: [tool],
      options: { guardrails: stageOf(seen) },
    });
    expect(runs).toHaveLength(2);
    expect(seen.map((reply) => textOfMessage(reply as never))).toEqual(["paid", "paid"]);
    expect(textOfMessage(results[0]!)).toContain("Guardrail failed for tool 'pay' (attempt 1/2):");
    expect(textOfMessage(results[0]!)).toContain("All its state changes were undone.");
    expect([textOfMessage(results[1]!), last]).toEqual(["paid", "Done."]);
  });

  test("a returned Command is withheld if the stage refuses it, and passed on if not", async () => {
    const { tool } = spied(lab, "pay", SCHEMA, (_, config) => {
      const { toolCall } = config as { readonly toolCall: { readonly id: string } };
      const message = new messages.ToolMessage({ content: "moved", tool_call_id: toolCall.id });
      return new langgraph.Command({ update: { messages: [message] } });
    });
    const { results } = await runAgent(lab, {
      turns: [pay(50, "a"), pay(5, "b")],
      tools: [tool],
      options: { guardrails: stageOf() },
    });
    expect(results.map((message) => textOfMessage(message).split(" ")[0])).toEqual([
      "Guardrail",
      "moved",
    ]);
  });

  test("a tool that failed, as the stage says, is an error message; its Command is withheld", async () => {
    const { tool } = spied(lab, "pay", SCHEMA, (_, config) => {
      const { toolCall } = config as { readonly toolCall?: { readonly id: string } };
      const id = toolCall?.id ?? "";
      const message = new messages.ToolMessage({ content: "moved", tool_call_id: id });
      return new langgraph.Command({ update: { messages: [message] } });
    });
    const guardrails = failing({ message: "the bank is offline", undone: "all" });
    const text = "Tool 'pay' failed: the bank is offline\nAll its state changes were undone.";
    const { results } = await runAgent(lab, {
      turns: [pay(5, "a")],
      tools: [tool],
      options: { guardrails },
    });
    expect(results.map((one) => [textOfMessage(one), one.status, one.name])).toEqual([
      [text, "error", "pay"],
    ]);
    const [wrapped] = lab.adapter.wrapTools([tool], { guardrails, logger: () => undefined });
    const call = { type: "tool_call", id: "b", name: "pay", args: { amount: 5 } } as const;
    expect(await wrapped.invoke(call)).toMatchObject({ content: text, status: "error" });
    await expect(wrapped.invoke({ amount: 5 })).rejects.toThrow(text);
  });

  test("a tool that failed without a message replies as it did, as an error", async () => {
    const { tool } = spied(lab, "pay", SCHEMA, () => "no money");
    const { results } = await runAgent(lab, {
      turns: [pay(5, "a")],
      tools: [tool],
      options: { guardrails: failing({}) },
    });
    expect(results.map((one) => [textOfMessage(one), one.status])).toEqual([["no money", "error"]]);
  });

  test("a run that is repeated runs the tool again", async () => {
    let busy = true;
    const { tool, runs } = spied(lab, "pay", SCHEMA, () => {
      if (!busy) return "paid";
      busy = false;
      throw new Error("busy");
    });
    const guardrails: ExecutionStage = {
      name: "again",
      lanes: { outcome: 2 },
      around: async ({ run }) => ({
        action: "return",
        value: await Promise.resolve(run()).catch(run),
      }),
    };
    const run = { turns: [pay(5, "a")], tools: [tool], options: { guardrails } };
    expect((await runAgent(lab, run)).results.map(textOfMessage)).toEqual(["paid"]);
    expect(runs).toEqual([{ amount: 5 }, { amount: 5 }]);
  });

  test("a stage may call another tool, beside the contract", async () => {
    const { tool: payBack, runs } = spied(lab, "pay_back", SCHEMA, () => "paid back");
    const { tool } = spied(lab, "pay", SCHEMA, () => "paid");
    const seen: unknown[] = [];
    const guardrails: ExecutionStage = {
      name: "undo",
      lanes: { outcome: 2 },
      async around({ run, callTool, args }) {
        const value = await run();
        seen.push(await callTool?.("pay_back", args as Record<string, unknown>));
        seen.push(await callTool?.("rob", {}).catch((error: unknown) => String(error)));
        return { action: "return", value };
      },
    };
    const contract = createContract({ guardrails, logger: () => undefined });
    const tools = [tool, payBack];
    await runAgent(lab, { turns: [pay(5, "a")], tools, options: { contract } });
    const [wrapped] = lab.adapter.wrapTools(tools, { contract });
    const call = { type: "tool_call", id: "b", name: "pay", args: { amount: 6 } } as const;
    await wrapped?.invoke(call);
    await wrapped?.invoke({ amount: 7 });
    const missing = expect.stringContaining("callTool: no tool 'rob' that runs here");
    expect(seen).toEqual([
      expect.objectContaining({ content: "paid back", tool_call_id: "a:pay_back" }),
      missing,
      expect.objectContaining({ content: "paid back", tool_call_id: "b:pay_back" }),
      missing,
      "paid back",
      missing,
    ]);
    expect(runs).toEqual([{ amount: 5 }, { amount: 6 }, { amount: 7 }]);
    expect(contract.metrics()).toMatchObject({ calls: 3 });
  });

  test("an interrupt passes through the stage uncounted, and the resumed call runs once more", async () => {
    const { tool, runs } = spied(lab, "pay", SCHEMA, () => langgraph.interrupt("May I?"));
    const contract = createContract({ guardrails: stageOf(), logger: () => undefined });
    const script = lab.script([pay(5, "a")]);
    const agent = langchain.createAgent({
      model: script.model,
      tools: [tool],
      middleware: [contractOf(lab, { contract })],
      checkpointer: new langgraph.MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };
    await agent.invoke({ messages: [new messages.HumanMessage("Pay.")] }, config);
    const state = await agent.invoke(new langgraph.Command({ resume: "Yes." }), config);
    expect(toRan(lab, state, script).results.map(textOfMessage)).toEqual(["Yes."]);
    expect(runs).toHaveLength(2);
    expect(contract.metrics()).toMatchObject({ rejected: 0, blocked: 0 });
  });

  test("a tool's error reaches the stage as it was thrown, and the model as LangChain writes it", async () => {
    const failure = new Error("no money");
    const caught: unknown[] = [];
    const guardrails: ExecutionStage = {
      name: "watch",
      lanes: { outcome: 2 },
      async around({ run }) {
        try {
          return { action: "return", value: await run() };
        } catch (error) {
          caught.push(error);
          return { action: "throw", error };
        }
      },
    };
    const { tool } = spied(lab, "pay", SCHEMA, () => {
      throw failure;
    });
    const run = { turns: [pay(5, "a")], tools: [tool] };
    const plain = await runAgent(lab, run);
    const { results } = await runAgent(lab, { ...run, options: { guardrails } });
    expect(caught).toEqual([failure]);
    expect(textOfMessage(results[0]!)).toBe(textOfMessage(plain.results[0]!));
  });

  test("a stage that fails ends the run instead of letting the call through or telling the model", async () => {
    const mistake = new TypeError("a mistake in the stage");
    const guardrails: ExecutionStage = {
      name: "broken",
      lanes: { guardrail: 2 },
      around() {
        throw mistake;
      },
    };
    const { tool, runs } = spied(lab, "pay", SCHEMA);
    const run = { turns: [pay(5, "a")], tools: [tool], options: { guardrails } };
    await expect(runAgent(lab, run)).rejects.toThrow("a mistake in the stage");
    expect(runs).toHaveLength(0);
  });

  // LangChain 1.0 throws before any middleware runs.
  test.skipIf(lab.line === "oldest")(
    "a tool that other middleware supplies is judged too",
    async () => {
      const { tool } = spied(lab, "pay", SCHEMA, () => "paid");
      const supply = {
        name: "supply",
        wrapToolCall: async (request: object, handler: (request: never) => Promise<never>) =>
          handler({ ...request, tool } as never),
      };
      const seen: unknown[] = [];
      const { results } = await runAgent(lab, {
        turns: [pay(50, "a")],
        tools: [spied(lab, "look", SCHEMA).tool],
        agent: {
          middleware: [contractOf(lab, { guardrails: stageOf(seen) }), supply],
        },
      });
      expect(textOfMessage(results[0]!)).toContain("Guardrail failed for tool 'pay'");
      expect(seen).toHaveLength(1);
    },
  );

  test("a closed tool is not offered again, and the names of the tools are checked at the first turn", async () => {
    const names: (readonly string[])[] = [];
    const guardrails: ExecutionStage = {
      name: "closed",
      lanes: { guardrail: 2 },
      checkTools: (known) => void names.push(known),
      around: () => ({ action: "stop", lane: "guardrail", errors: [{ message: "closed" }] }),
    };
    const { tool } = spied(lab, "pay", SCHEMA);
    const { script } = await runAgent(lab, {
      turns: [pay(5, "a"), { text: "Sorry." }],
      tools: [tool, spied(lab, "look", SCHEMA).tool],
      options: { guardrails, escalate: "drop-tool" },
    });
    expect(names).toEqual([["pay", "look"]]);
    expect(script.shown).toEqual([["pay", "look"], ["look"]]);
  });
});
