import { expect, test } from "vitest";
import { slotStore } from "../index.ts";
import { endOf, ownLoop } from "../testing/index.ts";

const paid = (): string => "paid";
const later = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a state change that takes its time is waited for, so that it counts", async () => {
  const store = slotStore({ spent: 0 });
  const { call } = ownLoop({
    store,
    effects: { pay: "state" },
    guardrails: [
      { name: "budget", stage: "commit", check: ({ state }) => state.spent > 100 && "too much" },
    ],
    stateChanges: {
      async pay({ state, args }) {
        await later();
        state.spent += args.amount;
      },
    },
  });
  expect(endOf(await call("pay", paid, { amount: 80 }))).toBe("paid");
  expect(store.state.spent).toBe(80);
  expect(endOf(await call("pay", paid, { amount: 80 }))).toBe("rejected guardrail 1/3");
  expect(store.state.spent).toBe(80);
});

test("a state change that fails late undoes the call, and is not an unhandled rejection", async () => {
  const store = slotStore({ spent: 0 });
  const { call } = ownLoop({
    store,
    effects: { pay: "state" },
    guardrails: [],
    stateChanges: {
      async pay({ state }) {
        state.spent += 80;
        await later();
        throw new Error("no");
      },
    },
  });
  expect(endOf(await call("pay", paid))).toBe("blocked outcome 1/2 state_not_committed");
  expect(store.state.spent).toBe(0);
});
