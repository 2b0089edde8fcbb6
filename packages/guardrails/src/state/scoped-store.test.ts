import { ToolContractError } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { type StateScope, createGuardrails, currentAttempt, slotStore } from "../index.ts";
import { endOf, gate, ownLoop } from "../testing/index.ts";

interface Budget {
  spent: number;
}

const pay = (): string => {
  currentAttempt<Budget>().state.spent += 80;
  return "paid";
};

/** A budget of 100 for each of a scope. */
function open(scope: StateScope) {
  const store = slotStore<Budget>({ spent: 0 }, { scope });
  const loop = ownLoop<Budget>({
    store,
    effects: { pay: "state" },
    guardrails: [
      { name: "budget", check: ({ state: { spent } }) => spent + 80 > 100 && "too much" },
    ],
  });
  const paidBy = async (user: string, conversationId = "c", execute: () => unknown = pay) =>
    endOf(await loop.call("pay", execute, {}, { conversationId, context: { user, tenant: user } }));
  return { ...loop, store, paidBy };
}

test("without a scope, all users share one state", async () => {
  const { call } = ownLoop<Budget>({
    store: slotStore<Budget>({ spent: 0 }),
    effects: { pay: "state" },
    guardrails: [
      { name: "budget", check: ({ state: { spent } }) => spent + 80 > 100 && "too much" },
    ],
  });
  const at = (user: string) => ({ conversationId: user, context: { user } });
  expect(endOf(await call("pay", pay, {}, at("a")))).toBe("paid");
  expect(endOf(await call("pay", pay, {}, at("b")))).toBe("rejected guardrail 1/3");
});

describe.each<readonly [string, StateScope, readonly string[]]>([
  ["each user", "user", ["paid", "paid", "rejected guardrail 1/3"]],
  ["each tenant", "tenant", ["paid", "paid", "rejected guardrail 1/3"]],
  ["each conversation", "conversation", ["paid", "rejected guardrail 1/3", "paid"]],
  [
    "whoever the context names",
    ({ user }) => (user === "a" ? "first" : "second"),
    ["paid", "paid", "rejected guardrail 1/3"],
  ],
])("a state of %s", (_, scope, ends) => {
  test("is seen by guardrails and tools of the same alone", async () => {
    const { paidBy } = open(scope);
    const calls = [
      ["a", "one"],
      ["b", "one"],
      ["a", "two"],
    ] as const;
    const got: string[] = [];
    for (const [user, conversation] of calls) got.push(await paidBy(user, conversation));
    expect(got).toEqual(ends);
  });
});

test("the state of a user is looked at by name", async () => {
  const { store, paidBy } = open("user");
  await paidBy("a");
  expect(store.of({ context: { user: "a" } }).state).toEqual({ spent: 80 });
  expect(store.of({ context: { user: "b" } }).state).toEqual({ spent: 0 });
});

test("locks are the user's, too: nobody waits for the tool of another one", async () => {
  const { paidBy } = open("user");
  const hung = gate();
  const slow = paidBy("a", "one", async () => (await hung.promise, "late"));
  expect(await paidBy("b", "two")).toBe("paid");
  hung.open();
  expect(await slow).toBe("late");
});

test("a call inside a call of the same user joins it", async () => {
  const { call, store } = open("user");
  const at = { context: { user: "a" } };
  await call(
    "pay",
    async () => {
      currentAttempt<Budget>().state.spent = 1;
      expect(endOf(await call("pay", pay, {}, at))).toBe("paid");
    },
    {},
    at,
  );
  expect(store.of(at).state).toEqual({ spent: 81 });
});

test.each<readonly [string, () => unknown, RegExp]>([
  [
    "a scope that is none",
    () => slotStore({ a: 1 }, { scope: "global" as never }),
    /option 'scope' must be one of/,
  ],
  [
    "the state of nobody",
    () => slotStore({ a: 1 }, { scope: "user" }).state,
    /Say whose: store.of/,
  ],
  ["an attempt of nobody", () => slotStore({ a: 1 }, { scope: "user" }).begin(), /Say whose/],
  [
    "a user without a name",
    () => slotStore({ a: 1 }, { scope: "user" }).of({}),
    /the call has none/,
  ],
  [
    "a tenant without a name",
    () => slotStore({ a: 1 }, { scope: "tenant" }).of({ context: { user: "u-17" } }),
    /belongs to a tenant, and the call has none/,
  ],
  [
    "a conversation that is not known",
    () =>
      slotStore({ a: 1 }, { scope: "conversation" }).of({
        knowsConversation: false,
        knowsRun: false,
      }),
    /in none that is known/,
  ],
  [
    "a function that names nobody",
    () => slotStore({ a: 1 }, { scope: () => "" }).of({}),
    /named nobody/,
  ],
])("%s is an error that says what to do", (_, act, words) => {
  expect(act).toThrow(ToolContractError);
  expect(act).toThrow(words);
});

test("a call without a user is refused before anything runs", async () => {
  const { call } = open("user");
  let runs = 0;
  const answer = await call("pay", () => (runs += 1));
  expect([answer.status, runs]).toEqual(["blocked", 0]);
});

test("locks name the slots of a scoped store", () => {
  const store = slotStore({ spent: 0 }, { scope: "user" });
  expect(() => createGuardrails({ store, guardrails: [], locks: { pay: ["spnet"] } })).toThrow(
    /which is not a slot of the store/,
  );
});
