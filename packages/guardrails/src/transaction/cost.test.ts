import { countCost } from "@toolcontract/case-table/cost";
import { expect, test } from "vitest";
import { createGuardrails, currentAttempt, slotStore } from "../index.ts";

/** What an attempt costs that changes one order among so many: the average of 20, the lowest of some, and none after `enough`. */
async function costOf(orders: number, enough: number): Promise<number> {
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
  let lowest = Number.POSITIVE_INFINITY;
  // The first attempts are compiled, and may collect the garbage of other tests.
  for (let round = 0; round < 12 && lowest >= enough; round += 1) {
    const cost = countCost();
    for (let index = 0; index < 20; index += 1) await pay();
    lowest = Math.min(lowest, cost() / 20);
  }
  return lowest;
}

test("an attempt on a slot of 100 KB costs a few milliseconds, as reading its JSON does", async () => {
  const units = 8;
  expect(await costOf(620, units)).toBeLessThan(units);
});
