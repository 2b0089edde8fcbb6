import { createContract } from "@toolcontract/core";
import {
  type AttemptEvent,
  Outcome,
  createGuardrails,
  currentAttempt,
  slotStore,
} from "@toolcontract/guardrails";
import type { ModelMessage } from "ai";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { describeModes, describeVersions, steps, textOf } from "./testing/every-sdk.ts";
import type { Mode, Sdk } from "./testing/sdk.ts";

interface Shop {
  readonly cart: string[];
  readonly stock: Record<string, number>;
}
interface Item {
  readonly sku: string;
  readonly qty: number;
}

const quiet = { logger: () => undefined };
const add = (id: string, sku: string, qty: number, name = "add_item") => ({
  id,
  name,
  input: JSON.stringify({ sku, qty }),
});
const inputSchema = z.object({ sku: z.string(), qty: z.number().int() });

/** Stages what a call does, as a tool's author would. */
function stage({ sku, qty }: Item): Promise<unknown> | object | string {
  const { state, onRollback } = currentAttempt<Shop>();
  state.stock[sku] = (state.stock[sku] ?? 0) - qty;
  state.cart.push(`${qty} ${sku}`);
  onRollback(() => undefined);
  if (qty === 4) return Outcome.error("sold_out", "the supplier refused", { retriable: true });
  return "added";
}

function openShop({ ai }: Sdk, execute: (item: Item) => unknown = async (item) => stage(item)) {
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
    ...quiet,
    guardrails,
    onEscalation: ({ outcome }) => void outcomes.push(outcome),
  });
  const events: AttemptEvent[] = [];
  contract.on("attempt", (event) => events.push(event));
  const look = ai.tool({ inputSchema: z.object({}), execute: async () => "a shop" });
  const tools = { add_item: ai.tool({ inputSchema, execute }), look };
  return { store, guardrails, contract, events, outcomes, tools };
}

describeModes((sdk, mode) => {
  const { withContract } = sdk.adapter;

  test("a tool stages its state, a violation undoes it, and the corrected call commits", async () => {
    const { contract, tools, store, events } = openShop(sdk);
    const model = sdk.script([
      { calls: [{ id: "call_0", name: "add_item", input: "{}" }] },
      { calls: [add("call_1", "ZZ", 1)] },
      { calls: [add("call_2", "A1", 9)] },
      { calls: [add("call_3", "A1", 4)] },
      { calls: [add("call_4", "A1", 2)] },
      { text: "Done." },
    ]);
    const settings = withContract({ contract, tools, stopWhen: steps(8) });
    const { messages, text, chunks } = await sdk.run(mode, { model, settings });
    expect(text).toBe("Done.");
    const headers = [0, 1, 2, 3, 4].map((id) => textOf(messages, `call_${id}`).split("\n")[0]);
    expect(headers).toEqual([
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
    // Neither the model nor a browser sees anything of the diagnosis.
    const shown = JSON.stringify([messages, chunks, model.requests]);
    for (const word of ["known_sku", "sold_out", "attempt_failures", "validation_failure_type"]) {
      expect(shown).not.toContain(word);
    }
  });

  test("calls of one step have attempts of their own: one commits while the other is rolled back", async () => {
    const { contract, tools, store } = openShop(sdk, async (item) => {
      const { callId } = currentAttempt();
      await new Promise((resolve) => setImmediate(resolve));
      expect(currentAttempt().callId).toBe(callId);
      return stage(item);
    });
    const model = sdk.script([
      { calls: [add("call_1", "A1", 9), add("call_2", "A1", 2), add("call_3", "A1", 1)] },
      { text: "Done." },
    ]);
    const settings = withContract({ contract, tools, stopWhen: steps(3) });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(textOf(messages, "call_1")).toContain("All its state changes were undone.");
    expect([textOf(messages, "call_2"), textOf(messages, "call_3")]).toEqual(["added", "added"]);
    expect(store.state).toEqual({ cart: ["2 A1", "1 A1"], stock: { A1: 2 } });
  });

  test("a terminal guardrail: one attempt, the tool is not offered again, and the run still answers", async () => {
    const execute = vi.fn(stage);
    const { contract, tools, outcomes } = openShop(sdk, execute);
    const model = sdk.script([{ calls: [add("call_1", "G1", 1)] }, { text: "No key." }]);
    const settings = withContract({ contract, tools, stopWhen: steps(4) });
    const { text } = await sdk.run(mode, { model, settings });
    expect(text).toBe("No key.");
    expect(execute).not.toHaveBeenCalled();
    expect(model.requests.map((request) => request.tools?.map(({ name }) => name))).toEqual([
      ["add_item", "look"],
      ["look"],
    ]);
    expect(outcomes).toMatchObject([{ error_type: "missing_credentials", retriable: false }]);
  });

  test("a spent budget ends in a typed outcome, also with one good call in each step, and the tool stays closed", async () => {
    const { contract, tools, store, outcomes } = openShop(sdk);
    const bad = [60, 61, 62].map((qty, turn) => ({
      calls: [add(`good_${turn}`, "A1", 1), add(`bad_${turn}`, "A1", qty)],
    }));
    const again = { calls: [add("again", "A1", 1), { id: "look", name: "look", input: "{}" }] };
    const model = sdk.script([...bad, again, { text: "Sorry." }]);
    const settings = withContract({ contract, tools, stopWhen: steps(8) });
    const { messages, text } = await sdk.run(mode, { model, settings });
    expect(text).toBe("Sorry.");
    expect(outcomes).toEqual([
      {
        status: "error",
        error_type: "guardrail_retry_exhausted",
        error_message: "Recoverable guardrail retries exhausted for add_item",
        retriable: false,
        metadata: { guardrail_recovery_attempts: 2, last_violation_type: "order_limit" },
      },
    ]);
    expect(textOf(messages, "again")).toContain("(blocked after 3/3)");
    expect(store.state.cart).toEqual(["1 A1", "1 A1", "1 A1"]);
  });

  test("a streamed output is shown only after the commit", async () => {
    async function* run(item: Item): AsyncGenerator {
      yield "adding";
      yield stage(item);
    }
    const { contract, tools, store } = openShop(sdk, run);
    const model = sdk.script([
      { calls: [add("call_1", "A1", 9)] },
      { calls: [add("call_2", "A1", 4)] },
      { calls: [add("call_3", "A1", 2)] },
      { text: "Done." },
    ]);
    const settings = withContract({ contract, tools, stopWhen: steps(5) });
    const { messages, chunks } = await sdk.run(mode, { model, settings });
    expect(textOf(messages, "call_2")).toContain("the supplier refused");
    expect(textOf(messages, "call_3")).toBe("added");
    expect(JSON.stringify([messages, chunks])).not.toContain("adding");
    expect(store.state.cart).toEqual(["2 A1"]);
  });

  test("an aborted call is rolled back and not counted", async () => {
    const controller = new AbortController();
    const { contract, tools, store, events } = openShop(sdk, async (item) => {
      await stage(item);
      controller.abort(new Error("the user left"));
      throw controller.signal.reason;
    });
    const model = sdk.script([{ calls: [add("call_1", "A1", 2)] }]);
    const settings = withContract({ contract, tools, stopWhen: steps(3) });
    const { signal } = controller;
    await sdk.run(mode, { model, settings, abortSignal: signal }).catch(() => undefined);
    expect(store.state.cart).toEqual([]);
    expect(contract.metrics()).toMatchObject({ rejected: 0, blocked: 0 });
    expect(events.at(-1)).toMatchObject({
      attempt_stage: "rolled_back",
      rollback_applied: true,
      retry_feedback_injected: false,
      attempt_failures: [],
    });
  });

  test("without the option everything is as without it, and guardrails that ask nothing change nothing", async () => {
    const turns = [{ calls: [add("call_1", "A1", 2)] }, { text: "Done." }];
    const tools = { add_item: sdk.ai.tool({ inputSchema, execute: async () => "added" }) };
    const seen = async (settings: object): Promise<unknown> => {
      const model = sdk.script(turns);
      const { messages, chunks } = await sdk.run(mode, {
        model,
        settings: { tools, stopWhen: steps(3), ...settings },
      });
      const stable = chunks.map((chunk) => ({ ...chunk, messageId: "" }));
      return JSON.stringify([messages, stable, model.requests]);
    };
    const given = { ...quiet, tools };
    const bare = await seen(withContract(given));
    expect(bare).toBe(await seen({}));
    expect(
      await seen(withContract({ ...given, guardrails: createGuardrails({ guardrails: [] }) })),
    ).toBe(bare);
  });
});

describeVersions((sdk) => {
  const { withContract } = sdk.adapter;

  test("after a restart the attempts are counted from the messages", async () => {
    const first = openShop(sdk);
    const before = await sdk.run("generateText", {
      model: sdk.script([{ calls: [add("call_1", "A1", 9)] }, { calls: [add("call_2", "A1", 8)] }]),
      settings: withContract({ contract: first.contract, tools: first.tools, stopWhen: steps(2) }),
    });
    const second = openShop(sdk);
    const messages = JSON.parse(JSON.stringify(before.messages)) as ModelMessage[];
    const after = await sdk.run("generateText", {
      messages,
      model: sdk.script([{ calls: [add("call_3", "A1", 7)] }, { text: "Sorry." }]),
      settings: withContract({
        contract: second.contract,
        tools: second.tools,
        stopWhen: steps(2),
      }),
    });
    expect(textOf(after.messages, "call_3")).toContain(
      "Guardrail failed for tool 'add_item' (attempt 3/3):",
    );
    expect(second.events.at(-1)).toMatchObject({
      guardrail_retry_exhausted: true,
      outcome: { metadata: { guardrail_recovery_attempts: 2 } },
    });
  });

  test("a tool of the client gets no call that a guardrail refuses, by its arguments or by the state", async () => {
    const onInputAvailable = vi.fn();
    const { contract, tools } = openShop(sdk);
    const client = sdk.ai.tool({ inputSchema, onInputAvailable } as never) as never;
    const model = sdk.script([
      { calls: [add("call_1", "A1", 60)] },
      { calls: [add("call_2", "ZZ", 1)] },
      { calls: [add("call_3", "A1", 1)] },
    ]);
    const settings = withContract({
      contract,
      tools: { ...tools, add_item: client },
      stopWhen: steps(3),
    });
    const { messages } = await sdk.run("generateText", { model, settings });
    expect(textOf(messages, "call_1")).toContain("(GRD-001): above the limit");
    expect(textOf(messages, "call_2")).toContain("(GRD-001): unknown SKU");
    expect(onInputAvailable.mock.calls.map(([{ toolCallId }]) => toolCallId)).toEqual(["call_3"]);
  });

  test("`compensate` calls another tool of the set if the commit is refused", async () => {
    const paidBack = vi.fn(async () => "paid back");
    const guardrails = createGuardrails({
      effects: { pay: "compensable" },
      compensate: {
        pay: ({ args }) => ({ name: "pay_back", arguments: { sku: args.sku, qty: 0 } }),
      },
      guardrails: [{ name: "no", tools: ["pay"], stage: "commit", check: () => "refused" }],
    });
    const pay = sdk.ai.tool({ inputSchema, execute: async () => "paid" });
    const pay_back = sdk.ai.tool({ inputSchema, execute: paidBack });
    const settings = withContract({
      ...quiet,
      guardrails,
      tools: { pay, pay_back },
      stopWhen: steps(1),
    });
    const model = sdk.script([{ calls: [add("call_1", "A1", 2, "pay")] }]);
    const { messages } = await sdk.run("generateText", { model, settings });
    expect(textOf(messages, "call_1")).toContain("All its state changes were undone.");
    expect(paidBack).toHaveBeenCalledExactlyOnceWith({ sku: "A1", qty: 0 }, expect.anything());
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
      const execute = async () => {
        currentAttempt<{ spent: number }>().state.spent += 80;
        return "bought";
      };
      const tools = { buy: sdk.ai.tool({ inputSchema: z.object({}), execute }) };
      return { store, guardrails, tools };
    }
    const buy = (id: string, name = "buy") => ({ calls: [{ id, name, input: "{}" }] });
    const five = ["1", "2", "3", "4", "5"].map((id) => buy(id));

    test("withContract and a session throw when they get the tool", () => {
      const { guardrails, tools } = budget({ look: "none" });
      const { look } = openShop(sdk).tools;
      const options = { ...quiet, tools: { ...tools, look }, guardrails };
      const message =
        "createGuardrails: guardrail 'budget' runs at commit for every tool, and 'buy' has no declared effect, so it could not be undone. Declare effects: { buy: \"compensable\" }, name its `tools`, or check before it runs.";
      expect(() => withContract(options)).toThrow(message);
      const targets = [{ model: "openai/gpt-5" }] as const;
      expect(() => sdk.session.agentSession({ ...options, targets })).toThrow(message);
    });

    test("with the effect, five calls of 80 spend 80", async () => {
      const { store, guardrails, tools } = budget({ buy: "state" });
      const model = sdk.script([...five, { text: "Done." }]);
      const settings = withContract({ ...quiet, tools, guardrails, stopWhen: steps(8) });
      await sdk.run("generateText", { model, settings });
      expect(store.state.spent).toBe(80);
    });

    test("a name that the model invented is answered, also once the tool is dropped", async () => {
      const { guardrails, tools: own } = budget({ buy: "state", look: "none" });
      const tools = { ...own, look: openShop(sdk).tools.look };
      const spent = [...five.slice(0, 4), buy("5", "buuy"), { text: "Done." }];
      const model = sdk.script([buy("0", "buuy"), ...spent]);
      const settings = withContract({ ...quiet, tools, guardrails, stopWhen: steps(9) });
      const { messages } = await sdk.run("generateText", { model, settings });
      expect(textOf(messages, "0")).toMatch(/\(VAL-012\).*[^]*Hint: use "buy"/);
      expect(textOf(messages, "4")).toContain("(attempt 3/3)");
      expect(textOf(messages, "5")).toContain("(VAL-012)");
    });
  });

  test("a name that no tool has is an error at once", () => {
    const guardrails = createGuardrails({ guardrails: [], effects: { add_itme: "state" } });
    const { tools } = openShop(sdk);
    expect(() => withContract({ ...quiet, tools, guardrails })).toThrow(
      "createGuardrails: the host has no tool 'add_itme'. Did you mean 'add_item'?",
    );
  });
});

/** The conversation after its last call was approved. */
function approve(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const { approvalId } = (messages.at(-1)!.content as { approvalId: string }[]).find(
    (part) => "approvalId" in part,
  )!;
  const response = { type: "tool-approval-response", approvalId, approved: true } as const;
  return [...messages, { role: "tool", content: [response] }];
}

async function asking(
  sdk: Sdk,
  mode: Mode,
  shop: ReturnType<typeof openShop>,
  turns: readonly ReturnType<typeof add>[],
) {
  const { contract, tools } = shop;
  const add_item = { ...tools.add_item, needsApproval: true } as never;
  const settings = sdk.adapter.withContract({
    contract,
    tools: { ...tools, add_item },
    stopWhen: steps(turns.length + 1),
  });
  const model = sdk.script(turns.map((call) => ({ calls: [call] })));
  const { messages } = await sdk.run(mode, { model, settings });
  return { messages, settings };
}

describeModes(
  (sdk, mode) => {
    test("nobody is asked to approve a call that a guardrail refuses by its arguments", async () => {
      const execute = vi.fn(stage);
      const shop = openShop(sdk, execute);
      const calls = [add("call_1", "A1", 60), add("call_2", "A1", 2)];
      const { messages } = await asking(sdk, mode, shop, calls);
      expect(textOf(messages, "call_1")).toContain("(GRD-001): above the limit");
      expect(JSON.stringify(messages).match(/tool-approval-request/g)).toHaveLength(1);
      expect(execute).not.toHaveBeenCalled();
    });

    test("a guardrail on the state is checked after the approval, on the state as it is then", async () => {
      const execute = vi.fn(stage);
      const shop = openShop(sdk, execute);
      const { messages, settings } = await asking(sdk, mode, shop, [add("call_1", "B2", 2)]);
      expect(JSON.stringify(messages)).toContain("tool-approval-request");
      const model = sdk.script([{ text: "Unknown." }]);
      const refused = await sdk.run(mode, { model, messages: approve(messages), settings });
      expect(textOf(refused.messages, "call_1")).toContain("(GRD-001): unknown SKU");
      expect(execute).not.toHaveBeenCalled();
      await shop.guardrails.run({
        tool: "add_item",
        generate: () => ({ sku: "A1", qty: 0 }),
        execute: (_, { state }) => {
          state.stock["B2"] = 2;
        },
      });
      const allowed = await asking(sdk, mode, shop, [add("call_2", "B2", 2)]);
      const done = await sdk.run(mode, {
        model: sdk.script([{ text: "Done." }]),
        messages: approve(allowed.messages),
        settings: allowed.settings,
      });
      expect(textOf(done.messages, "call_2")).toBe("added");
      expect(shop.store.state.stock["B2"]).toBe(0);
    });
  },
  { 5: "approvals are new in version 6" },
);
