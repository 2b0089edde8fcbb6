import { type ContractOptions, createContract } from "@toolcontract/core";
import { describe, expect, test, vi } from "vitest";
import { Outcome, createGuardrails, currentAttempt, slotStore } from "./index.ts";

const PAY = {
  name: "pay",
  inputSchema: { type: "object", properties: { amount: { type: "number" } } },
};

function observed(
  options: Partial<Parameters<typeof createGuardrails>[0]>,
  execute: (args: never) => unknown,
  more: ContractOptions = {},
) {
  const lines: { readonly fields: object; readonly message: string }[] = [];
  const guardrails = createGuardrails({ guardrails: [], ...options });
  const contract = createContract({
    mode: "observe",
    guardrails,
    logger: (fields, message) => lines.push({ fields, message }),
    ...more,
  });
  let serial = 0;
  const pay = async (amount: number) => {
    serial += 1;
    const call = { id: `call_${serial}`, name: "pay", arguments: { amount } };
    const place = { conversationId: "c", runId: "r", turnId: `t${serial}`, context: { user: "u" } };
    return contract.handle(call, { ...place, tools: [PAY], execute: execute as never });
  };
  const refusals = () =>
    lines.filter(({ message }) => message.includes("would have")).map(({ message }) => message);
  return { contract, guardrails, pay, refusals };
}

describe("guardrails of a contract that only observes", () => {
  test("what the arguments and the state forbid runs, once, and is counted once", async () => {
    const execute = vi.fn(() => "paid");
    const store = slotStore({ account: { left: 1 } });
    const { pay, refusals } = observed(
      {
        store,
        effects: { pay: "state" },
        guardrails: [
          {
            name: "amount",
            check: ({ args }: { args: { amount: number } }) => args.amount > 5 && "too much",
          },
          {
            name: "left",
            check: ({ state }: { state: { account: { left: number } } }) =>
              state.account.left < 2 && "too little left",
          },
        ],
      } as never,
      execute,
    );
    expect(await pay(9)).toMatchObject({ status: "executed", result: { content: "paid" } });
    expect(await pay(1)).toMatchObject({ status: "executed", result: { content: "paid" } });
    expect(execute).toHaveBeenCalledTimes(2);
    expect(refusals()).toEqual(Array.from({ length: 2 }, () => "Tool guardrail would have failed"));
  });

  test("a limit stops nothing", async () => {
    const { pay, refusals, guardrails } = observed(
      {
        limits: { budget: { max: 10, per: "day", scope: "user" } },
        spends: { pay: ({ args }: { args: { amount: number } }) => ({ budget: args.amount }) },
      } as never,
      () => "paid",
    );
    for (const amount of [8, 8]) {
      expect(await pay(amount)).toMatchObject({ status: "executed", result: { content: "paid" } });
    }
    expect(refusals()).toHaveLength(1);
    expect(
      await guardrails.usage("budget", { conversationId: "c", context: { user: "u" } }),
    ).toMatchObject({ spent: 8 });
  });

  test("what a commit guardrail forbids stays, and is not undone", async () => {
    const undo = vi.fn();
    const store = slotStore({ account: { left: 9 } });
    const { pay, refusals } = observed(
      {
        store,
        effects: { pay: "state" },
        guardrails: [{ name: "end", stage: "commit", check: () => "no" }],
      } as never,
      () => {
        const attempt = currentAttempt<{ account: { left: number } }>();
        attempt.onRollback(undo);
        attempt.state.account.left = 0;
        return "paid";
      },
    );
    expect(await pay(1)).toMatchObject({ status: "executed", result: { content: "paid" } });
    expect(store.state).toMatchObject({ account: { left: 0 } });
    expect(undo).not.toHaveBeenCalled();
    expect(refusals()).toEqual(["Tool guardrail would have failed"]);
  });

  test("a result is not withheld", async () => {
    const { pay, refusals } = observed(
      { guardrails: [{ name: "secret", stage: "output", check: () => "no" }] } as never,
      () => "paid",
    );
    expect(await pay(1)).toMatchObject({ result: { content: "paid", isError: false } });
    expect(refusals()).toHaveLength(1);
  });

  test("a tool that fails is neither closed nor counted as anything but what it is", async () => {
    const error = Object.assign(new Error("card refused"), { status: 422 });
    const { pay, refusals } = observed({ effects: { pay: "none" } } as never, () => {
      throw error;
    });
    for (let turn = 0; turn < 4; turn += 1) await expect(pay(1)).rejects.toBe(error);
    expect(refusals()).toHaveLength(4);
  });

  test("a tool's own outcome is the tool's", async () => {
    const { pay } = observed({ effects: { pay: "none" } } as never, () =>
      Outcome.error("sold_out", "no seats left", { retriable: true }),
    );
    expect(await pay(1)).toMatchObject({
      status: "executed",
      result: { content: expect.stringContaining("no seats left"), isError: true },
    });
  });

  test("nobody is asked", async () => {
    const { pay, refusals } = observed(
      { guardrails: [{ name: "ask", check: () => ({ ask: "may it?" }) }] },
      () => "paid",
    );
    expect(await pay(1)).toMatchObject({ status: "executed" });
    expect(refusals()).toEqual(["A person would have been asked about a tool call"]);
  });
});
