import { countCost } from "@toolcontract/conformance/cost";
import { expect, test } from "vitest";
import { createGuardrails, currentAttempt, slotStore } from "../index.ts";

/** What 20 attempts cost on average, each of which changes one order among so many. */
async function costOf(orders: number): Promise<number> {
  const order = (id: number) => ({
    id,
    sku: `sku-${id}`,
    note: "x".repeat(100),
    lines: [{ qty: 1, price: 5 }],
  });
  const store = slotStore({ orders: Array.from({ length: orders }, (_, id) => order(id)) });
  const guardrails = createGuardrails({ store, guardrails: [], effects: { pay: "state" } });
  const execute = (): void => {
    const { state } = currentAttempt<{ orders: { id: number }[] }>();
    const [first] = state.orders;
    if (first) first.id += 1;
  };
  const pay = async () => guardrails.run({ tool: "pay", generate: () => 0, execute });
  for (let index = 0; index < 20; index += 1) await pay();
  const cost = countCost();
  for (let index = 0; index < 20; index += 1) await pay();
  return cost() / 20;
}

test("an attempt on a slot of 100 KB costs a few milliseconds, as reading its JSON does", async () => {
  const orders = 620;
  expect(await costOf(orders)).toBeLessThan(5);
});
