import { experimental_codeModeTool as codeModeTool } from "@ai-sdk/code-mode";
import { createContract } from "@toolcontract/core";
import { createGuardrails, currentAttempt, slotStore } from "@toolcontract/guardrails";
import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { steps } from "./testing/describe-on.ts";
import { describeModes, describeVersions } from "./testing/every-sdk.ts";
import type { Mode, Sdk } from "./testing/sdk.ts";

const inputSchema = z.object({ amount: z.int() });
const pay = (id = "call_1", input = '{"amount":10}') => ({ id, name: "pay", input });
const PAYS = { calls: [pay()] };
const HELLO: readonly ModelMessage[] = [{ role: "user", content: "Pay Bob." }];

const failsWith = (status: number) => (): never => {
  throw Object.assign(new Error(`HTTP ${status}`), { status });
};
const [timeout, unauthorized] = [failsWith(504), failsWith(401)];
const paid = (): string => "paid";

/** A process with one tool under one contract; the ends of its calls in order. */
function bank(sdk: Sdk, ends: readonly (() => unknown)[] = [], more: object = {}) {
  const degraded: object[] = [];
  const contract = createContract({
    guardrails: createGuardrails({ guardrails: [], effects: { pay: "idempotent" } }),
    logger: (fields, message) => {
      if (message === "Tool contract degraded") degraded.push(fields);
    },
  });
  const keys: (string | undefined)[] = [];
  const execute = async (): Promise<unknown> => {
    const end = ends[keys.push(currentAttempt().idempotencyKey) - 1] ?? paid;
    return end();
  };
  const tools = { pay: sdk.ai.tool({ inputSchema, execute, ...more }) };
  const settings = sdk.adapter.withContract({ contract, tools, stopWhen: steps(4) });
  return { contract, keys, tools, settings, degraded };
}

/** The messages that approve the call that they end with. */
function approved(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const parts = (messages.at(-1)?.content ?? []) as readonly { readonly approvalId?: string }[];
  const content = parts.flatMap(({ approvalId }) =>
    approvalId === undefined
      ? []
      : [{ type: "tool-approval-response", approvalId, approved: true } as const],
  );
  return [...messages, { role: "tool", content }];
}

describeModes(
  (sdk, mode) => {
    const ask = async (
      settings: object,
      messages: readonly ModelMessage[] = HELLO,
    ): Promise<readonly ModelMessage[]> => {
      const asked = await sdk.run(mode, { model: sdk.script([PAYS]), messages, settings });
      return approved(asked.messages);
    };
    const go = async (settings: object, messages: readonly ModelMessage[]) =>
      sdk.run(mode, { model: sdk.script([{ text: "Done." }]), messages, settings });

    test("two users approve equal calls: each has a key of their own", async () => {
      const { settings, keys, degraded } = bank(sdk, [], { needsApproval: true });
      const asked = await Promise.all([ask(settings), ask(settings)]);
      await Promise.all(asked.map(async (messages) => go(settings, messages)));
      expect(keys).toHaveLength(2);
      expect(keys).not.toContain(undefined);
      expect(new Set(keys).size).toBe(2);
      expect(degraded).toEqual([]);
    });

    test("a 401 of an approved call closes the tool for that user alone", async () => {
      const { settings, keys } = bank(sdk, [unauthorized], { needsApproval: true });
      const [ann, bob] = [await ask(settings), await ask(settings)];
      await go(settings, ann);
      await go(settings, bob);
      expect(keys).toHaveLength(2);
      await go(settings, ann);
      expect(keys).toHaveLength(2);
    });

    test.each([
      ["one after the other", false],
      ["at once", true],
    ])("one approval that is sent three times pays once, %s", async (_, atOnce) => {
      const { settings, keys } = bank(sdk, [], { needsApproval: true });
      const messages = await ask(settings);
      const sent = [messages, messages, structuredClone(messages)];
      if (atOnce) await Promise.all(sent.map(async (one) => go(settings, one)));
      else for (const one of sent) await go(settings, one);
      expect(keys).toEqual([expect.any(String)]);
    });

    test("an approved call that timed out keeps its key when it is repeated and approved again", async () => {
      const { settings, keys } = bank(sdk, [timeout, paid, paid], { needsApproval: true });
      const again = await ask(settings, await ask(settings));
      expect(keys).toHaveLength(1);
      const { messages } = await go(settings, again);
      expect(keys).toHaveLength(2);
      expect(keys[1]).toBe(keys[0]);
      // The next message of the user begins another run.
      await go(settings, await ask(settings, [...messages, ...HELLO]));
      expect(keys).toHaveLength(3);
      expect(keys[2]).not.toBe(keys[0]);
    });

    test("equal calls that are approved together have keys of their own, and neither runs when both are sent again", async () => {
      const { settings, keys } = bank(sdk, [paid, timeout], { needsApproval: true });
      const model = sdk.script([{ calls: [pay("call_1"), pay("call_2")] }]);
      const { messages } = await sdk.run(mode, { model, messages: HELLO, settings });
      await go(settings, approved(messages));
      await go(settings, approved(messages));
      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(2);
    });
  },
  { 5: "approvals are new in version 6" },
);

describeModes((sdk, mode) => {
  const go = async (settings: object, turns = [PAYS], messages = HELLO) =>
    sdk.run(mode, { model: sdk.script(turns), messages, settings }).catch(() => undefined);

  test("a run inside a tool has keys of its own", async () => {
    const { settings, contract, tools, keys, degraded } = bank(sdk);
    const hire = sdk.ai.tool({
      inputSchema: z.object({}),
      execute: async () => {
        await go(settings);
        await Promise.all([go(settings), go(settings)]);
        return "hired";
      },
    });
    const all = { ...tools, hire };
    const outer = sdk.adapter.withContract({ contract, tools: all, stopWhen: steps(4) });
    const calls = [1, 2].map((id) => ({ id: `hire_${id}`, name: "hire", input: "{}" }));
    await go(outer, [{ calls: [...calls, pay()] }]);
    expect(keys).toHaveLength(7);
    expect(keys).not.toContain(undefined);
    expect(new Set(keys).size).toBe(7);
    expect(degraded).toEqual([]);
  });

  test("runs of one conversation share a key and a closed tool, others do not", async () => {
    const { contract, tools, keys } = bank(sdk, [timeout, paid, paid, unauthorized]);
    const on = async (conversationId: string) =>
      go(sdk.adapter.withContract({ contract, tools, conversationId, stopWhen: steps(1) }));
    for (const one of ["ann", "bob", "ann"]) await on(one);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBe(keys[0]);
    for (const one of ["ann", "ann", "bob"]) await on(one);
    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(4);
  });

  test.each([
    ["runs without a name have a limit each", {}, [10, 10]],
    ["runs of one conversation share its limit", { conversationId: "ann" }, [10]],
  ])("%s", async (_, named, expected) => {
    const spent: number[] = [];
    const guardrails = createGuardrails({
      guardrails: [],
      effects: { pay: "irreversible" },
      limits: { budget: { max: 10, scope: "conversation" } },
      spends: { pay: ({ args }) => ({ budget: args.amount }) },
    });
    const execute = async ({ amount }: { readonly amount: number }) => void spent.push(amount);
    const tools = { pay: sdk.ai.tool({ inputSchema, execute }) };
    const contract = createContract({ guardrails, logger: () => undefined });
    const settings = sdk.adapter.withContract({ contract, tools, ...named, stopWhen: steps(2) });
    await go(settings, [PAYS, PAYS]);
    await go(settings);
    expect(spent).toEqual(expected);
  });

  test("a run whose steps are not seen: no key, nothing is closed, and the log says so once", async () => {
    const { settings, keys, degraded } = bank(sdk, [timeout, unauthorized]);
    const { prepareStep: _, ...unseen } = settings;
    await go(unseen, [PAYS, PAYS, PAYS]);
    await go(unseen);
    expect(keys).toEqual([undefined, undefined, undefined, undefined]);
    expect(degraded).toEqual([
      expect.objectContaining({ level: "warn", stage: "run", error_class: "UnknownRun" }),
    ]);
  });

  test("a step that sends messages of the application's own is still of its run", async () => {
    const { contract, tools, keys, degraded } = bank(sdk, [timeout, timeout, paid, paid]);
    const messages = [...HELLO];
    const prepareStep = (): { messages: ModelMessage[] } => ({ messages });
    const settings = sdk.adapter.withContract({ contract, tools, prepareStep, stopWhen: steps(2) });
    await Promise.all([go(settings, [PAYS, PAYS]), go(settings, [PAYS, PAYS])]);
    expect(keys).toHaveLength(4);
    expect(keys).not.toContain(undefined);
    expect(new Set(keys).size).toBe(2);
    expect(degraded).toEqual([]);
  });
});

describe.each<[string, (messages: readonly ModelMessage[]) => ModelMessage[]]>([
  ["the same list", (messages) => messages as ModelMessage[]],
  ["a structured clone of it", (messages) => structuredClone(messages) as ModelMessage[]],
])("users who send %s", (_, sent) => {
  describeVersions((sdk) => {
    test.each<Mode>(["generateText", "streamText"])("in %s", async (mode) => {
      const { settings, keys } = bank(sdk, [timeout, timeout]);
      const messages = [...HELLO];
      const run = async (): Promise<void> => {
        const { model } = sdk.script([PAYS, PAYS, { text: "Done." }]);
        const call = { ...settings, model, messages: sent(messages) };
        if (mode === "generateText") await sdk.ai.generateText(call);
        else await sdk.ai.streamText(call).text;
      };
      await Promise.all([run(), run()]);
      expect(keys).toHaveLength(4);
      expect(keys).not.toContain(undefined);
      expect(new Set(keys).size).toBe(2);
    });
  });
});

describeVersions((sdk) => {
  test("a repaired call of one user is not what guardrails see of another's with the same id", async () => {
    let open = (): void => undefined;
    const held = new Promise<void>((resolve) => (open = resolve));
    const store = slotStore({ spent: 0 });
    const contract = createContract({
      logger: () => undefined,
      guardrails: createGuardrails({
        store,
        effects: { pay: "state" },
        guardrails: [
          {
            name: "limit",
            stage: "commit",
            check: ({ args }) => args.amount > 100 && "above the limit",
          },
        ],
      }),
    });
    const execute = async ({ amount }: { readonly amount: number }): Promise<string> => {
      currentAttempt<{ spent: number }>().state.spent += amount;
      return "paid";
    };
    const onInputAvailable = async ({ input }: { readonly input: { readonly amount: number } }) =>
      input.amount === 10 ? held : undefined;
    const tools = { pay: sdk.ai.tool({ inputSchema, execute, onInputAvailable }) };
    const settings = sdk.adapter.withContract({ contract, tools, stopWhen: steps(1) });
    const go = async (input: string) =>
      sdk.run("generateText", { model: sdk.script([{ calls: [pay("call_1", input)] }]), settings });
    const ann = go("{amount: 10}");
    await expect.poll(() => contract.metrics().calls).toBe(1);
    await go('{"amount":999}');
    expect(store.state.spent).toBe(0);
    open();
    await ann;
    expect(store.state.spent).toBe(10);
  });
});

const NO_CODE_MODE = "code mode is a package for version 7";

describeModes(
  (sdk, mode) => {
    test("tools that code calls have the keys of the run", async () => {
      const { contract, tools, keys, degraded } = bank(sdk, [paid, timeout]);
      const settings = {
        ...sdk.adapter.withContract({
          contract,
          tools: { ...tools, code: codeModeTool() },
          stopWhen: steps(2),
        }),
        experimental_toolCallers: { pay: ["code"] },
      };
      const js = "await tools.pay({ amount: 10 }); return tools.pay({ amount: 10 });";
      const calls = [{ id: "call_1", name: "code", input: JSON.stringify({ js }) }];
      const go = async () => sdk.run(mode, { model: sdk.script([{ calls }, { calls }]), settings });
      await go();
      await go();
      expect(keys).toHaveLength(6);
      expect(keys).not.toContain(undefined);
      expect(new Set(keys).size).toBe(6);
      expect(degraded).toEqual([]);
    });
  },
  { 6: NO_CODE_MODE, 5: NO_CODE_MODE },
);
