import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { createContract } from "../contract/index.ts";

const CALLS = Array.from({ length: 12 }, (_, index) => ({
  id: `call_${index}`,
  name: "pay",
  arguments: index % 2 === 0 ? '{"amount":5}' : "{}",
}));
const pay = { name: "pay", inputSchema: { required: ["amount"] } };
const slow = { ...pay, rules: [async () => new Promise<[]>((done) => setTimeout(done, 1, []))] };
const unknown = { name: "refund" };

// Node 20 warns of a leak when a signal has eleven listeners, and a framework has some of its own.
test.each([
  ["a JSON Schema", pay, 0],
  ["an asynchronous rule", slow, 1],
  ["no such tool", unknown, 0],
])(
  "parallel calls of a tool with %s put at most one listener on their signal",
  async (_, tool, most) => {
    const { signal } = new AbortController();
    const counts: number[] = [];
    const add = signal.addEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      add(...given);
      counts.push(getEventListeners(signal, "abort").length);
    };
    const contract = createContract({ logger: false, maxAttempts: 100 });
    const context = { tools: [tool], conversationId: "c", signal, execute: () => "paid" };
    await contract.handleTurn(CALLS, context);
    expect(Math.max(0, ...counts)).toBe(most);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  },
);

test("an abort ends every call that waits, with the signal's reason", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const never = { ...pay, rules: [async () => new Promise<[]>(() => undefined)] };
  const contract = createContract({ logger: false });
  const context = { tools: [never], conversationId: "c", signal };
  const admitted = CALLS.filter(({ arguments: text }) => text !== "{}").map((call) =>
    contract.admit(call, context),
  );
  const reason = new Error("the user left");
  setTimeout(() => controller.abort(reason), 1);
  const settled = await Promise.allSettled(admitted);
  expect(settled).toEqual(admitted.map(() => ({ status: "rejected", reason })));
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a check that cancels its own call is not waited for", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const reason = new Error("the user left");
  const stops = async (): Promise<[]> => {
    controller.abort(reason);
    return new Promise<[]>(() => undefined);
  };
  const contract = createContract({ logger: false });
  const context = { tools: [{ ...pay, rules: [stops] }], conversationId: "c", signal };
  await expect(contract.admit({ ...CALLS[0]! }, context)).rejects.toBe(reason);
});
