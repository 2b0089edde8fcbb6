import { type CallContext, createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { createGuardrails, currentAttempt } from "../index.ts";
import { gate, idle } from "../testing/index.ts";

const tool = { name: "pay", inputSchema: { type: "object" } } as const;

/** A process that pays; each has guardrails of its own. */
function open() {
  const lines: string[] = [];
  const guardrails = createGuardrails({ guardrails: [], effects: { pay: "idempotent" } });
  const contract = createContract({ guardrails, logger: (_, line) => void lines.push(line) });
  return {
    lines,
    pay: async (
      id: string,
      context: Partial<CallContext> = {},
      run: (key: string | undefined) => unknown = (key) => key,
    ): Promise<unknown> => {
      const call = { id, name: "pay", arguments: { amount: 5 } };
      const place = { tool, conversationId: "t", ...context };
      const execute = (): unknown => run(currentAttempt().idempotencyKey);
      const handled = await contract.handle(call, { ...place, execute });
      return handled.status === "executed" ? handled.output : handled.status;
    },
  };
}

const SAID = "Nothing tells the calls of a tool apart in other processes";

describe("the same payment in another process", () => {
  test.each(["call_0", "call_1", "", "0", "functions.pay:0", "call_12345678", "call_transferred"])(
    "has another key if its id is %o, and that is said once",
    async (id) => {
      const [one, two] = [open(), open()];
      expect(await one.pay(id)).not.toBe(await two.pay(id));
      await one.pay(id, { turnId: "2" });
      expect(one.lines.filter((line) => line.startsWith(SAID))).toHaveLength(1);
    },
  );

  test.each<[string, Partial<CallContext>?]>([
    ["call_KVxQ2c9dT0aY8sLmN4bEwZ1h"],
    ["toolu_01A09q90qw90lq917835lq9"],
    ["D681PevKs"],
    ["chatcmpl-tool-5f2c1d3e4b5a69788796a5b4c3d2e1f0"],
    ["6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b"],
    ["call_0", { runId: "r" }],
  ])("has the same key if its id is %o in %o", async (id, context = {}) => {
    const [one, two] = [open(), open()];
    expect(await one.pay(id, context)).toBe(await two.pay(id, context));
    expect(one.lines.filter((line) => line.startsWith(SAID))).toEqual([]);
  });
});

describe("agents that pay in one conversation", () => {
  test("have keys of their own", async () => {
    const { pay } = open();
    const id = "call_KVxQ2c9dT0aY8sLmN4bEwZ1h";
    const [own, other] = [await pay(id, { agent: "a" }), await pay(id, { agent: "b" })];
    expect(own).not.toBe(other);
    expect(await open().pay(id, { agent: "a" })).toBe(own);
  });

  test("never take over the key of a payment that is under way", async () => {
    const { pay } = open();
    const { promise, open: finish } = gate();
    const first = pay("call_a", { turnId: "1" }, async (key) => promise.then(() => key));
    await idle();
    const second = await pay("call_b", { turnId: "2" });
    finish();
    expect(await first).not.toBe(second);
  });
});
