import type { Handled } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { type Effect, Outcome, createGuardrails, currentAttempt } from "../index.ts";
import { endOf, loopOf, ownLoop } from "../testing/index.ts";
import { createSequences, giveKey } from "./sequences.ts";

const NO_MORE = (): unknown => Outcome.error("sold_out", "sold out", { retriable: true });
const timeout = (): never => {
  throw Object.assign(new Error("HTTP 504"), { status: 504 });
};

/** Where a call is made, besides its turn. */
interface Where {
  readonly conversationId?: string;
  readonly runId?: string;
  readonly knowsRun?: boolean;
}

/** A tool whose keys are collected; one without an effect runs again if the same call comes again. */
function bank(effect: Effect = "idempotent") {
  const { contract, call, turn, lines } = ownLoop({
    guardrails: [],
    effects: { pay: effect },
  });
  const keys: (string | undefined)[] = [];
  const seeKey = (): void => void keys.push(currentAttempt().idempotencyKey);
  const fail = (): unknown => (seeKey(), NO_MORE());
  const pay = (): string => (seeKey(), "paid");
  return { contract, call, turn, lines, keys, seeKey, fail, pay };
}

test("the same for the same arguments, another for others, other calls and other threads", async () => {
  const { call, turn, keys, fail, pay } = bank();
  const a = { sum: 5, to: { name: "A", tags: ["x"] } };
  const sameInOtherOrder = { to: { tags: ["x"], name: "A" }, sum: 5 };
  await call("pay", fail, a);
  await call("pay", pay, sameInOtherOrder);
  expect(keys[1]).toBe(keys[0]);
  await call("pay", pay, a);
  await call("pay", pay, { ...a, sum: 6 });
  await call("pay", pay, a, { conversationId: "thread-8" });
  await call("pay", pay, a, { runId: "run-2" });
  await turn([
    ["pay", pay, a],
    ["pay", pay, a],
  ]);
  expect(new Set(keys).size).toBe(keys.length - 1);
});

test("ids that hundreds of turns repeat: another key each time, the same once more in its turn", async () => {
  const { call, keys, pay } = bank("none");
  const TURNS = 250;
  for (let turn = 0; turn < TURNS; turn += 1) {
    await call("pay", pay, { sum: 5 }, { id: "c1", turnId: `t${turn}` });
  }
  expect(new Set(keys).size).toBe(TURNS);
  await call("pay", pay, { sum: 5 }, { id: "c1", turnId: `t${TURNS - 2}` });
  expect(keys.at(-1)).toBe(keys.at(-3));
});

test("without turns, a repeated call has the key of the failed one", async () => {
  const { contract, keys, fail } = bank();
  const tool = { name: "pay", inputSchema: { type: "object" } } as const;
  for (const id of ["call_1", "call_2"]) {
    const call = { id, name: "pay", arguments: { sum: 5 } };
    await contract.handle(call, { tool, conversationId: "thread-7", execute: fail });
  }
  expect(keys[1]).toBe(keys[0]);
});

/** A call: its turn, its id, whether it is paid or fails, and a letter for the key that it must have. */
interface Call {
  readonly turnId: string;
  readonly id: string;
  readonly end: "paid" | "fails";
  readonly key: string;
}

describe("equal calls of one tool", () => {
  test.each<readonly [string, readonly Call[]]>([
    [
      "the second of two fails: its repetition has its key, not that of the one that was paid",
      [
        { turnId: "t1", id: "c1", end: "paid", key: "a" },
        { turnId: "t1", id: "c2", end: "fails", key: "b" },
        { turnId: "t2", id: "c3", end: "paid", key: "b" },
      ],
    ],
    [
      "the first of two fails: its repetition has its key, although the other was paid after it",
      [
        { turnId: "t1", id: "c1", end: "fails", key: "a" },
        { turnId: "t1", id: "c2", end: "paid", key: "b" },
        { turnId: "t2", id: "c3", end: "paid", key: "a" },
      ],
    ],
    [
      "both fail, and are repeated in two turns",
      [
        { turnId: "t1", id: "c1", end: "fails", key: "a" },
        { turnId: "t1", id: "c2", end: "fails", key: "b" },
        { turnId: "t2", id: "c3", end: "fails", key: "a" },
        { turnId: "t3", id: "c4", end: "paid", key: "a" },
      ],
    ],
    [
      "one more than failed is a new one",
      [
        { turnId: "t1", id: "c1", end: "paid", key: "a" },
        { turnId: "t1", id: "c2", end: "fails", key: "b" },
        { turnId: "t2", id: "c3", end: "paid", key: "b" },
        { turnId: "t2", id: "c4", end: "paid", key: "c" },
      ],
    ],
    [
      "after one that was paid, another one",
      [
        { turnId: "t1", id: "c1", end: "paid", key: "a" },
        { turnId: "t2", id: "c2", end: "paid", key: "b" },
      ],
    ],
    [
      "ids that every turn repeats",
      [
        { turnId: "t1", id: "c1", end: "paid", key: "a" },
        { turnId: "t2", id: "c1", end: "paid", key: "b" },
        { turnId: "t3", id: "c1", end: "fails", key: "c" },
        { turnId: "t4", id: "c1", end: "paid", key: "c" },
        { turnId: "t5", id: "c1", end: "paid", key: "d" },
      ],
    ],
    [
      "no ids",
      [
        { turnId: "t1", id: "", end: "paid", key: "a" },
        { turnId: "t1", id: "", end: "fails", key: "b" },
        { turnId: "t2", id: "", end: "paid", key: "b" },
        { turnId: "t3", id: "", end: "paid", key: "c" },
      ],
    ],
    [
      "a call that is made once more in its turn, as after an interrupt",
      [
        { turnId: "t1", id: "c1", end: "fails", key: "a" },
        { turnId: "t1", id: "c1", end: "paid", key: "a" },
        { turnId: "t1", id: "c1", end: "paid", key: "a" },
        { turnId: "t2", id: "c2", end: "paid", key: "b" },
        { turnId: "t1", id: "c1", end: "paid", key: "a" },
      ],
    ],
  ])("%s", async (_, calls) => {
    const { call, keys, pay, seeKey } = bank("none");
    const fail = (): never => (seeKey(), timeout());
    for (const { end, ...place } of calls) {
      await call("pay", end === "paid" ? pay : fail, { sum: 5 }, place).catch(() => undefined);
    }
    const letters = calls.map(({ key }) => key);
    const named = new Map(letters.map((letter, index) => [keys[index], letter]));
    expect(keys.map((key) => named.get(key))).toEqual(letters);
    expect(named.size).toBe(new Set(letters).size);
  });

  test("at once in one turn: each has its own", async () => {
    const { turn, keys, pay } = bank();
    const slow = async (): Promise<string> => {
      await new Promise((resolve) => setImmediate(resolve));
      return pay();
    };
    await turn([
      ["pay", slow, { sum: 5 }],
      ["pay", slow, { sum: 5 }],
    ]);
    expect(new Set(keys).size).toBe(2);
  });
});

describe("a run that the host cannot tell from others", () => {
  const UNKNOWN: Where = { knowsRun: false };

  test("has no key, and the log says so once", async () => {
    const { call, keys, fail, pay, lines, contract } = bank();
    const degraded: object[] = [];
    contract.on("contract-degraded", (event) => degraded.push(event));
    for (const end of [fail, pay, pay]) await call("pay", end, { sum: 5 }, UNKNOWN);
    expect(keys).toEqual([undefined, undefined, undefined]);
    expect(degraded).toEqual([{ stage: "run", errorClass: "UnknownRun" }]);
    const said = lines.filter(({ message }) => message === "Tool contract degraded");
    expect(said.map(({ fields }) => fields)).toEqual([
      { level: "warn", stage: "run", error_class: "UnknownRun" },
    ]);
  });

  test.each([
    [401, "blocked outcome 1/2 missing_credentials"],
    [402, "paid"],
    [403, "paid"],
    [501, "blocked outcome 1/2 unsupported_capability"],
  ])("a %i closes nothing, and in a known run: %s", async (status, ownRun) => {
    const { guardrails, call } = ownLoop({ guardrails: [], effects: { pay: "idempotent" } });
    const refuse = (): never => {
      throw Object.assign(new Error(`HTTP ${status}`), { status });
    };
    const attempts = { failed: 0, history: [], complete: true, blocked: false };
    const other = loopOf(guardrails);
    for (const where of [
      { ...UNKNOWN, attempts },
      { attempts, runId: "a" },
    ]) {
      await call("pay", refuse, {}, where).catch(() => undefined);
    }
    const paid = async (where: object): Promise<Handled> =>
      other.call("pay", () => "paid", {}, { attempts, ...where });
    expect(endOf(await paid(UNKNOWN))).toBe("paid");
    expect(endOf(await paid({ runId: "b" }))).toBe("paid");
    expect(endOf(await paid({}))).toBe("paid");
    expect(endOf(await paid({ runId: "a" }))).toBe(ownRun);
  });
});

test.each<[string, Where, Where]>([
  ["another run", { runId: "a" }, { runId: "b" }],
  ["a run that is not known", { knowsRun: false }, { knowsRun: false }],
])("the events of a call show no failure of %s", async (_, first, second) => {
  const { call, events } = ownLoop({ guardrails: [], effects: { pay: "idempotent" } });
  await call("pay", NO_MORE, {}, first);
  await call("pay", timeout, {}, first).catch(() => undefined);
  await call("pay", () => "paid", {}, second);
  expect(events.at(-1)).toMatchObject({ attempt_stage: "executed", attempt_failures: [] });
});

test("guardrails that two contracts share keep their runs apart", async () => {
  const guardrails = createGuardrails({ guardrails: [], effects: { pay: "idempotent" } });
  const keys: (string | undefined)[] = [];
  const pay = (): unknown => (keys.push(currentAttempt().idempotencyKey), NO_MORE());
  const place = { id: "call_1", turnId: "t1" };
  await loopOf(guardrails).call("pay", pay, {}, { ...place, runId: "a" });
  await loopOf(guardrails).call("pay", pay, {}, { ...place, runId: "b" });
  expect(new Set(keys).size).toBe(2);
});

test("a tool that a failure has closed is opened again for one user's run, and for no other", async () => {
  const { call, guardrails } = ownLoop({ guardrails: [], effects: { pay: "idempotent" } });
  const unauthorised = (): never => {
    throw Object.assign(new Error("HTTP 401"), { status: 401 });
  };
  const at = (conversationId: string) => ({ conversationId, runId: "r" });
  const paid = async (user: string, turn: string): Promise<string> =>
    endOf(await call("pay", () => "paid", {}, { ...at(user), turnId: turn }));
  for (const user of ["a", "b"]) {
    await call("pay", unauthorised, {}, at(user)).catch(() => undefined);
    expect(await paid(user, "t2")).toBe("blocked outcome 1/2 missing_credentials");
  }
  expect(await paid("c", "t2")).toBe("paid");
  expect(await guardrails.reopen("pay", at("a"))).toBe(true);
  expect(await guardrails.reopen("pay", at("a"))).toBe(false);
  expect(await paid("a", "t3")).toBe("paid");
  expect(await paid("b", "t3")).toBe("blocked outcome 1/2 missing_credentials");
});

test.each<readonly [string, unknown, unknown, boolean]>([
  ["the same big number", { sum: 5n }, { sum: 5n }, true],
  ["another big number", { sum: 5n }, { sum: 6n }, false],
  ["null is not what is left out", { to: null }, {}, false],
  ["a list keeps its order", { to: ["a", "b"] }, { to: ["b", "a"] }, false],
  ["a list is not an object", { to: ["a"] }, { to: { 0: "a" } }, false],
  ["members in another order", { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }, true],
  ["no arguments", undefined, undefined, true],
  ["no arguments are not none", undefined, {}, false],
])("arguments of equal calls: %s", (_, one, other, isEqual) => {
  const keyOf = (args: unknown): string | undefined => {
    const identity = { tool: "pay", callId: "c", turnId: "t", conversationId: "a", runId: "r" };
    return giveKey(createSequences().of(identity), identity, args)?.key;
  };
  expect(keyOf(one) === keyOf(other)).toBe(isEqual);
});
