import {
  addItem,
  describeShop,
  openBudget,
  openShop,
  type Shop,
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
import type { ModelMessage, ToolSet } from "ai";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeModes, describeVersions } from "./testing/every-sdk.ts";
import type { Mode, Sdk } from "./testing/sdk.ts";
import { bad } from "./testing/travel.ts";

const quiet = { logger: () => undefined };
const kit: ShopKit<Contract, Guardrails> = {
  createContract,
  createGuardrails: ({ state, ...options }) =>
    createGuardrails({ ...options, store: slotStore(state) }),
  currentAttempt,
  Outcome,
};
const add = (...given: Parameters<typeof addItem>) => called(addItem(...given));

function called({ id, name, arguments: input }: ShopCall) {
  return { id, name, input };
}

function toolsOf({ ai }: Sdk, tools: readonly ShopTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, inputSchema, run: execute }) => [
      name,
      ai.tool({ inputSchema: ai.jsonSchema(inputSchema), execute }),
    ]),
  );
}

function shopHost(sdk: Sdk, mode: Mode): ShopHost<Contract> {
  return {
    async run({ contract, tools, turns, after, signal }) {
      const calls = turns.map((turn) => ({ calls: turn.map(called) }));
      const model = sdk.script([...calls, { text: "Done." }]);
      const settings = sdk.adapter.withContract({
        contract,
        tools: toolsOf(sdk, tools),
        stopWhen: steps(turns.length + 2),
      });
      const earlier = JSON.stringify(after?.messages.slice(0, -1) ?? []);
      const { messages, text, chunks } = await sdk.run(mode, {
        model,
        settings,
        ...(after && { messages: JSON.parse(earlier) as ModelMessage[] }),
        ...(signal && { abortSignal: signal }),
      });
      return {
        messages,
        textOf: (id) => textOf(messages, id),
        last: text,
        offered: model.requests.map((request) => request.tools?.map(({ name }) => name) ?? []),
        shown: JSON.stringify([messages, chunks, model.requests]),
      };
    },
  };
}

describeModes((sdk, mode) => {
  const { withContract } = sdk.adapter;

  describeShop(kit, shopHost(sdk, mode));

  test("a streamed output is shown only after the commit", async () => {
    const { contract, tools, state } = openShop(kit, async function* run(args): AsyncGenerator {
      yield "adding";
      yield stage(kit, args);
    });
    const model = sdk.script([
      { calls: [add("call_1", "A1", 9)] },
      { calls: [add("call_2", "A1", 4)] },
      { calls: [add("call_3", "A1", 2)] },
      { text: "Done." },
    ]);
    const guarded = { contract, tools: toolsOf(sdk, tools) };
    const settings = withContract({ ...guarded, stopWhen: steps(5) });
    const { messages, chunks } = await sdk.run(mode, { model, settings });
    expect(textOf(messages, "call_2")).toContain("the supplier refused");
    expect(textOf(messages, "call_3")).toBe("added");
    expect(JSON.stringify([messages, chunks])).not.toContain("adding");
    expect(state().cart).toEqual(["2 A1"]);
  });

  test("without the option everything is as without it, and guardrails that ask nothing change nothing", async () => {
    const turns = [{ calls: [add("call_1", "A1", 2)] }, { text: "Done." }];
    const tools = toolsOf(sdk, openShop(kit, () => "added").tools);
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

  test("a tool of the client gets no call that a guardrail refuses, by its arguments or by the state", async () => {
    const onInputAvailable = vi.fn();
    const { contract, tools: own } = openShop(kit);
    const tools = toolsOf(sdk, own);
    const { inputSchema } = tools["add_item"]!;
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
    expect(textOf(messages, "call_1")).toContain("(GRD-001): above the order limit");
    expect(textOf(messages, "call_2")).toContain("(GRD-001): unknown SKU");
    expect(onInputAvailable.mock.calls.map(([{ toolCallId }]) => toolCallId)).toEqual(["call_3"]);
  });

  describe("a commit guardrail whose tools have no effect", () => {
    const { add_note } = toolsOf(sdk, openShop(kit).tools);
    const budget = (effects: Parameters<typeof openBudget>[1]) => {
      const { guardrails, buy, calls } = openBudget(kit, effects);
      const turns = calls.map((call) => ({ calls: [called(call)] }));
      return { guardrails, tools: { ...toolsOf(sdk, [buy]), add_note: add_note! }, turns };
    };

    test("withContract and a session throw when they get the tool", () => {
      const { guardrails, tools } = budget({ add_note: "none" });
      const options = { ...quiet, tools, guardrails };
      const message =
        "createGuardrails: guardrail 'budget' runs at commit for every tool, and 'buy' has no declared effect, so it could not be undone. Declare effects: { buy: \"compensable\" }, name its `tools`, or check before it runs.";
      expect(() => withContract(options)).toThrow(message);
      const targets = [{ model: "openai/gpt-5" }] as const;
      expect(() => sdk.session.agentSession({ ...options, targets })).toThrow(message);
    });

    test("a name that the model invented is answered, also once the tool is dropped", async () => {
      const { guardrails, tools, turns } = budget({ buy: "state", add_note: "none" });
      const invented = (id: string, name: string) => ({ calls: [{ id, name, input: "{}" }] });
      const spent = [...turns.slice(0, 4), invented("last", "search_web"), { text: "Done." }];
      const model = sdk.script([invented("first", "buuy"), ...spent]);
      const settings = withContract({ ...quiet, tools, guardrails, stopWhen: steps(9) });
      const { messages } = await sdk.run("generateText", { model, settings });
      expect(textOf(messages, "first")).toMatch(/\(VAL-012\).*[^]*Hint: use "buy"/);
      expect(textOf(messages, "call_4")).toContain("(attempt 3/3)");
      expect(textOf(messages, "last")).toContain("(VAL-012)");
    });
  });

  test("a name that no tool has is an error at once", () => {
    const guardrails = createGuardrails({ guardrails: [], effects: { add_itme: "state" } });
    const tools = toolsOf(sdk, openShop(kit).tools);
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
  shop: Shop<Contract, Guardrails>,
  turns: readonly ReturnType<typeof add>[],
) {
  const { contract } = shop;
  const tools = toolsOf(sdk, shop.tools);
  const add_item = { ...tools["add_item"], needsApproval: true } as never;
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
      const shop = openShop(kit);
      const calls = [add("call_1", "A1", 60), add("call_2", "A1", 2)];
      const { messages } = await asking(sdk, mode, shop, calls);
      expect(textOf(messages, "call_1")).toContain("(GRD-001): above the order limit");
      expect(JSON.stringify(messages).match(/tool-approval-request/g)).toHaveLength(1);
      expect(shop.runs).toEqual([]);
    });

    test("an approval that comes too late is refused with the hint, and nothing runs", async () => {
      let isOpen = true;
      const check = (): unknown =>
        !isOpen && { message: "the market is closed", hint: "try again at 9" };
      const guardrails = createGuardrails({
        effects: { pay: "irreversible" },
        guardrails: [{ name: "hours", check: check as () => null }],
      });
      const execute = vi.fn(async () => "paid");
      const pay = sdk.ai.tool({
        inputSchema: sdk.ai.jsonSchema({ type: "object" }),
        needsApproval: true,
        execute,
      });
      const settings = sdk.adapter.withContract({
        tools: { pay },
        guardrails,
        logger: false,
        stopWhen: steps(2),
      });
      const asked = sdk.script([{ calls: [bad("call_1", "pay", "{}")] }]);
      const { messages } = await sdk.run(mode, { model: asked, settings });
      isOpen = false;
      const model = sdk.script([{ text: "Closed." }]);
      await sdk.run(mode, { model, messages: approve(messages), settings });
      const text = textOf(model.requests[0]!.prompt, "call_1");
      expect(text).toContain("(GRD-001): the market is closed\n  Hint: try again at 9");
      expect(execute).not.toHaveBeenCalled();
    });

    test("a guardrail on the state is checked after the approval, on the state as it is then", async () => {
      const shop = openShop(kit);
      const { messages, settings } = await asking(sdk, mode, shop, [add("call_1", "B2", 2)]);
      expect(JSON.stringify(messages)).toContain("tool-approval-request");
      const model = sdk.script([{ text: "Unknown." }]);
      const refused = await sdk.run(mode, { model, messages: approve(messages), settings });
      expect(textOf(refused.messages, "call_1")).toContain("(GRD-001): unknown SKU");
      expect(shop.runs).toEqual([]);
      await shop.guardrails.run({
        tool: "add_item",
        generate: () => ({ sku: "A1", qty: 0 }),
        execute: (_, { state }) => {
          (state as { stock: Record<string, number> }).stock["B2"] = 2;
        },
      });
      const allowed = await asking(sdk, mode, shop, [add("call_2", "B2", 2)]);
      const done = await sdk.run(mode, {
        model: sdk.script([{ text: "Done." }]),
        messages: approve(allowed.messages),
        settings: allowed.settings,
      });
      expect(textOf(done.messages, "call_2")).toBe("added");
      expect(shop.state().stock["B2"]).toBe(0);
    });
  },
  { 5: "approvals are new in version 6" },
);

describeModes((sdk, mode) => {
  test("what a tool threw is the cause of the error that the application gets, and the model does not read it", async () => {
    const thrown = Object.assign(new Error("connect ECONNREFUSED db:5432"), {
      code: "ECONNREFUSED",
    });
    const guardrails = createGuardrails({ guardrails: [{ name: "yes", check: () => false }] });
    const save = sdk.ai.tool({
      inputSchema: z.object({}),
      execute: async () => Promise.reject<string>(thrown),
    });
    const model = sdk.script([{ calls: [{ id: "a", name: "save", input: "{}" }] }, { text: "ok" }]);
    const settings = sdk.adapter.withContract({
      ...quiet,
      tools: { save },
      guardrails,
      stopWhen: steps(2),
    });
    const { steps: ran, messages } = await sdk.run(mode, { model, settings });
    const part = ran[0]?.content.find(({ type }) => type === "tool-error");
    expect((part as { readonly error: Error }).error.cause).toBe(thrown);
    expect(JSON.stringify(messages)).not.toContain('"code"');
  });
});
