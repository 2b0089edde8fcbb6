import { expect, test } from "vitest";
import { Outcome, currentAttempt, slotStore } from "../index.ts";
import { endOf, gate, idle, ownLoop } from "../testing/index.ts";

interface Budget {
  spent: number;
  other: number;
}

const budget = () => slotStore<Budget>({ spent: 0, other: 0 });
const state = (): Budget => currentAttempt<Budget>().state;
const pay = (slot: keyof Budget) => async (): Promise<string> => {
  await idle();
  state()[slot] += 80;
  return "paid";
};

test("a tool of which nothing is declared waits if a guardrail looks at the state", async () => {
  const store = budget();
  const { turn } = ownLoop({
    store,
    guardrails: [{ name: "budget", check: ({ state: { spent } }) => spent + 80 > 100 && "no" }],
  });
  const answers = await turn([
    ["pay", pay("spent")],
    ["pay", pay("spent")],
  ]);
  expect(answers.map(endOf)).toEqual(["paid", "rejected guardrail 1/3"]);
  expect(store.state.spent).toBe(80);
});

test("a tool of which nothing is declared waits if a guardrail names it", async () => {
  const store = budget();
  let [inside, most] = [0, 0];
  const { turn } = ownLoop({
    store,
    guardrails: [{ name: "named", tools: ["pay"], check: () => null }],
  });
  const execute = async (): Promise<string> => {
    inside += 1;
    most = Math.max(most, inside);
    await pay("spent")();
    inside -= 1;
    return "paid";
  };
  const answers = await turn([
    ["pay", execute],
    ["pay", execute],
  ]);
  expect(answers.map(endOf)).toEqual(["paid", "paid"]);
  expect([store.state.spent, most]).toEqual([160, 1]);
});

test.each<readonly [string, (view: Budget) => unknown]>([
  ["a value", (view) => view.spent],
  ["its members", (view) => Object.entries(view)],
  ["a descriptor", (view) => Object.getOwnPropertyDescriptor(view, "spent")],
  ["a copy", (view) => ({ ...view })],
])("a guardrail may look at %s, and the tool waits", async (_, look) => {
  const store = budget();
  const seen: unknown[] = [];
  const { turn } = ownLoop({
    store,
    guardrails: [
      {
        name: "look",
        check({ state: view }) {
          seen.push(look(view));
          return null;
        },
      },
    ],
  });
  const calls = [
    ["pay", pay("spent")],
    ["pay", pay("spent")],
  ] as const;
  expect((await turn(calls)).map(endOf)).toEqual(["paid", "paid"]);
  expect(JSON.stringify(seen.at(-1))).toContain("80");
});

test("what a guardrail reads is locked with what the tool writes", async () => {
  const store = budget();
  const { turn } = ownLoop({
    store,
    effects: { left: "state", right: "state" },
    locks: { left: ["spent"], right: ["other"] },
    guardrails: [
      { name: "sum", check: ({ state: { spent, other } }) => spent + other + 80 > 100 && "no" },
    ],
  });
  const answers = await turn([
    ["left", pay("spent")],
    ["right", pay("other")],
  ]);
  expect(answers.map(endOf).toSorted()).toEqual(["paid", "rejected guardrail 1/3"]);
  expect(store.state.spent + store.state.other).toBe(80);
});

test("what a commit guardrail reads stays true until the commit", async () => {
  const store = budget();
  const { turn } = ownLoop({
    store,
    effects: { left: "state", right: "state" },
    locks: { left: ["spent"], right: ["other"] },
    guardrails: [
      {
        name: "sum",
        stage: "commit",
        check: async ({ state: { spent, other } }) => {
          const isTooMuch = spent + other > 100;
          await idle();
          return isTooMuch && "no";
        },
      },
    ],
  });
  const both = [
    ["left", pay("spent")],
    ["right", pay("other")],
  ] as const;
  // Nobody knows yet what the guardrail reads: who commits second is undone.
  const first = await turn(both);
  expect(first.map(endOf).toSorted()).toEqual(["blocked outcome 1/2 state_not_committed", "paid"]);
  expect(store.state.spent + store.state.other).toBe(80);
  // From now on it is locked.
  const second = await turn(both, { conversationId: "thread-8" });
  expect(second.map(endOf)).toEqual(["rejected guardrail 1/3", "rejected guardrail 1/3"]);
});

test("a guardrail that reads only what is locked is asked once", async () => {
  let asked = 0;
  const { call } = ownLoop({
    store: budget(),
    effects: { pay: "state" },
    locks: { pay: ["spent"] },
    guardrails: [
      {
        name: "g",
        needs: "state",
        check: ({ state: { spent } }) => ((asked += 1), spent > 900 && "no"),
      },
    ],
  });
  await call("pay", pay("spent"));
  expect(asked).toBe(1);
});

test("what undoes an effect may call a tool that waits for the same slots", async () => {
  const store = budget();
  const { call } = ownLoop({
    store,
    guardrails: [],
    effects: { pay: "compensable", refund: "state" },
  });
  const refund = async (): Promise<unknown> =>
    call("refund", () => void (state().spent -= 1), {}, { id: "refund_1" });
  const answer = await call("pay", () => {
    currentAttempt().onRollback(refund, "payment");
    return Outcome.error("bounced", "it bounced", { retriable: true });
  });
  expect(endOf(answer)).toBe("rejected outcome 1/2");
  expect(answer.result.content).toContain("All its state changes were undone");
  expect(store.state.spent).toBe(-1);
});

test("a tool that got its locks as it called another one gives them back before it is undone", async () => {
  const store = budget();
  const { call, events } = ownLoop({
    store,
    guardrails: [],
    effects: { note: "state", refund: "state" },
    timeLimits: { effect: 500 },
  });
  const refund = async (): Promise<unknown> => call("refund", () => void (state().spent -= 1));
  // Nothing is declared of it, so it runs without locks until it calls another tool.
  await call("pay", async () => {
    await call("note", () => void (state().other += 1));
    currentAttempt().onRollback(refund, "payment");
    return Outcome.error("bounced", "it bounced");
  });
  expect(store.state).toMatchObject({ spent: -1, other: 0 });
  expect(events.at(-1)?.compensation_failures).toBeUndefined();
});

test("locks are released before compensations run", async () => {
  const { call } = ownLoop({ store: budget(), guardrails: [], effects: { pay: "compensable" } });
  const undone = gate();
  const failing = call("pay", () => {
    currentAttempt().onRollback(async () => undone.promise);
    return Outcome.error("bounced", "it bounced", { retriable: true });
  });
  const other = await call("pay", () => "paid", {}, { conversationId: "thread-8" });
  expect(endOf(other)).toBe("paid");
  undone.open();
  expect(endOf(await failing)).toBe("rejected outcome 1/2");
});
