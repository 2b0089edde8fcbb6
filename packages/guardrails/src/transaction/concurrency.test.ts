import { expect, test } from "vitest";
import { Outcome, currentAttempt, slotStore } from "../index.ts";
import { endOf, idle, ownLoop } from "../testing/index.ts";

interface Counters {
  x: number;
  y: number;
}

const counters = () => slotStore<Counters>({ x: 0, y: 0 });
const state = (): Counters => currentAttempt<Counters>().state;

test("two calls that use the same slots in different order both finish", async () => {
  const store = counters();
  const effects = { a: "state", b: "state" } as const;
  const locks = { a: ["x", "y"], b: ["y", "x"] };
  const { turn } = ownLoop({ store, guardrails: [], effects, locks });
  const add = (first: keyof Counters, second: keyof Counters) => async (): Promise<void> => {
    state()[first] += 1;
    await idle();
    state()[second] += 1;
  };
  const answers = await turn([
    ["a", add("x", "y")],
    ["b", add("y", "x")],
  ]);
  expect(answers.map(({ status }) => status)).toEqual(["executed", "executed"]);
  expect(store.state).toEqual({ x: 2, y: 2 });
});

test.each([
  { locks: undefined, together: 1 },
  { locks: { add: ["x"] }, together: 1 },
  { locks: { add: [] }, together: 3 },
])("calls of $locks run one at a time only if they share a slot", async ({ locks, together }) => {
  const { turn } = ownLoop({
    store: counters(),
    guardrails: [],
    effects: { add: "state" },
    ...(locks && { locks }),
  });
  let running = 0;
  let most = 0;
  const add = async (): Promise<void> => {
    most = Math.max(most, (running += 1));
    await idle();
    running -= 1;
  };
  await turn([
    ["add", add],
    ["add", add],
    ["add", add],
  ]);
  expect(most).toBe(together);
});

test("a call that breaks a rule drops its own changes and leaves those of its siblings", async () => {
  const store = slotStore({ stock: { A1: 5 }, log: [] as string[] });
  const { turn } = ownLoop({
    store,
    effects: { take: "state" },
    guardrails: [
      {
        name: "stock_not_negative",
        stage: "commit",
        check: ({ state: { stock } }) => stock.A1 < 0 && "order exceeds stock",
      },
    ],
  });
  const take = async ({ qty }: { readonly qty: number }): Promise<string> => {
    const { state: shop } = currentAttempt<{ stock: { A1: number }; log: string[] }>();
    shop.stock.A1 -= qty;
    shop.log.push(`took ${qty}`);
    await idle();
    return "taken";
  };
  const answers = await turn([
    ["take", take, { qty: 2 }],
    ["take", take, { qty: 9 }],
    ["take", take, { qty: 1 }],
  ]);
  expect(answers.map(endOf)).toEqual(["taken", "rejected guardrail 1/3", "taken"]);
  expect(store.state).toEqual({ stock: { A1: 2 }, log: ["took 2", "took 1"] });
});

test("two conversations at once count for themselves and lose no change", async () => {
  const store = counters();
  const { call } = ownLoop({ store, guardrails: [], effects: { add: "state" } });
  const fail = (): unknown => {
    state().x += 100;
    return Outcome.error("sold_out", "sold out", { retriable: true });
  };
  const add = (): void => void (state().x += 1);
  const at = (conversationId: string) => ({ conversationId });
  const answers = await Promise.all([
    call("add", fail, {}, at("one")),
    call("add", fail, {}, at("two")),
    call("add", add, {}, at("three")),
  ]);
  expect(answers.map(endOf)).toEqual(["rejected outcome 1/2", "rejected outcome 1/2", ""]);
  expect(store.state.x).toBe(1);
});

test("a tool of which nothing is known loses no change of another call, and runs once", async () => {
  const store = counters();
  const { turn, lines } = ownLoop({ store, guardrails: [] });
  let runs = 0;
  const add = async (): Promise<void> => {
    runs += 1;
    state().x += 1;
    await idle();
  };
  const answers = await turn([
    ["add", add],
    ["add", add],
  ]);
  expect(answers.map(endOf).toSorted()).toEqual(["", "blocked outcome 1/2 state_not_committed"]);
  expect({ runs, x: store.state.x }).toEqual({ runs: 2, x: 1 });
  expect(lines.map(({ fields }) => fields)).toContainEqual(
    expect.objectContaining({
      tool_name: "add",
      fix: "declare the effect or the locks of the tool",
    }),
  );
});
