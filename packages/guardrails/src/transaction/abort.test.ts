import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Attempt, type GuardrailsOptions, currentAttempt, slotStore } from "../index.ts";
import { gate, idle, ownLoop } from "../testing/index.ts";

const LEFT = new Error("the user left");
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});
afterEach(async () => {
  await idle();
  process.off("unhandledRejection", note);
  if (unhandled.length > 0) throw new Error("a rejection was not handled", { cause: unhandled });
});

interface State {
  items: string[];
}

/** What happens at each step of an attempt of the tool `add`, unless a test says otherwise. */
interface Steps {
  readonly before: () => unknown;
  readonly tool: () => unknown;
  readonly after: () => unknown;
  readonly undo: () => unknown;
  readonly outbox: () => unknown;
}

function open(steps: Partial<Steps>, options: Partial<GuardrailsOptions<State>> = {}) {
  const log: string[] = [];
  const store = slotStore<State>({ items: [] });
  const loop = ownLoop<State>({
    store,
    effects: { add: "compensable", hold: "state" },
    guardrails: [
      { name: "before", needs: "state", tools: ["add"], check: () => steps.before?.() as never },
      { name: "after", stage: "commit", tools: ["add"], check: () => steps.after?.() as never },
    ],
    ...options,
  });
  const add = async (): Promise<unknown> => {
    const attempt = currentAttempt<State>();
    attempt.state.items.push("x");
    attempt.onRollback(async () => {
      await steps.undo?.();
      log.push("undo");
    });
    attempt.onCommit(async () => {
      await steps.outbox?.();
      log.push("effect");
    });
    return steps.tool?.();
  };
  return { ...loop, add, store, log };
}

const forever = async (): Promise<never> => new Promise(() => undefined);

test.each<[string, (abort: () => void) => Partial<Steps>, readonly string[]]>([
  ["in a check before the tool", (abort) => ({ before: abort }), []],
  ["in a check that then throws", (abort) => ({ before: () => (abort(), fail()) }), []],
  ["in a check that never answers", (abort) => ({ before: async () => (abort(), forever()) }), []],
  ["in the tool, which returns", (abort) => ({ tool: abort }), ["undo"]],
  ["in the tool, which throws", (abort) => ({ tool: () => (abort(), fail()) }), ["undo"]],
  ["in the tool, which hangs", (abort) => ({ tool: async () => (abort(), forever()) }), ["undo"]],
  ["in a check after the tool", (abort) => ({ after: abort }), ["undo"]],
  [
    "in a check after the tool that throws",
    (abort) => ({ after: () => (abort(), fail()) }),
    ["undo"],
  ],
  [
    "in a check after the tool that never answers",
    (abort) => ({ after: async () => (abort(), forever()) }),
    ["undo"],
  ],
  ["in a compensation", (abort) => ({ undo: abort, after: () => "it is not allowed" }), ["undo"]],
])("aborted %s: undone, not counted, and the reason is thrown", async (_, stepsOf, expected) => {
  const controller = new AbortController();
  const steps: Partial<Record<keyof Steps, Steps["tool"]>> = stepsOf(() => controller.abort(LEFT));
  const { call, add, store, log, events } = open(steps);
  const { signal } = controller;
  await expect(call("add", add, {}, { signal })).rejects.toBe(LEFT);
  expect(log).toEqual(expected);
  expect(store.state.items).toEqual([]);
  expect(events.at(-1)).toMatchObject({ attempt_stage: "rolled_back", rollback_applied: true });
  // No lock is left, and the next call is the first attempt.
  for (const step of ["before", "tool", "after", "undo"] as const) delete steps[step];
  expect(await call("add", add)).toMatchObject({ status: "executed", attempt: 1 });
  expect(store.state.items).toEqual(["x"]);
});

function fail(): never {
  throw new TypeError("because of that");
}

test("aborted in the outbox: the call has succeeded", async () => {
  const controller = new AbortController();
  const { call, add, store, log } = open({ outbox: () => controller.abort(LEFT) });
  const answer = await call("add", add, {}, { signal: controller.signal });
  expect(answer.status).toBe("executed");
  expect(store.state.items).toEqual(["x"]);
  expect(log).toEqual(["effect"]);
});

test("aborted before it begins: nothing runs", async () => {
  const { call, add, events, log } = open({});
  await expect(call("add", add, {}, { signal: AbortSignal.abort(LEFT) })).rejects.toBe(LEFT);
  expect({ events, log }).toEqual({ events: [], log: [] });
});

test("aborted while it waits for a lock: it leaves the queue, and its attempt ends", async () => {
  const controller = new AbortController();
  const { call, add, store, events } = open({});
  const held = gate();
  const holding = call("hold", async () => held.promise);
  await idle();
  const waiting = call("add", add, {}, { signal: controller.signal });
  const behind = call("add", add);
  await idle();
  controller.abort(LEFT);
  await expect(waiting).rejects.toBe(LEFT);
  held.open();
  await holding;
  expect((await behind).status).toBe("executed");
  expect(store.state.items).toEqual(["x"]);
  const aborted = events.filter(({ call_id: id }) => id === "call_2");
  expect(aborted.map(({ attempt_stage: stage }) => stage)).toEqual(["generated", "rolled_back"]);
});

test("aborted while it waits for another call: it is not counted as a failure of the store", async () => {
  const controller = new AbortController();
  const { guardrails, store } = open(
    {},
    { guardrails: [], effects: { add: "state", hold: "compensable" } },
  );
  const held = gate();
  const entered = gate();
  const holding = guardrails.run({
    tool: "hold",
    generate: () => 0,
    execute: async () => (entered.open(), held.promise),
  });
  await entered.promise;
  const waiting = guardrails.run({
    tool: "add",
    generate: () => 0,
    signal: controller.signal,
    execute: (_: number, { state }: Attempt<State>) => void state.items.push("x"),
  });
  const ended = waiting.catch((thrown: unknown) => thrown);
  await idle();
  controller.abort(LEFT);
  expect(await ended).toBe(LEFT);
  held.open();
  await holding;
  expect(store.state.items).toEqual([]);
  expect(guardrails.health()["add"]).toMatchObject({ sequences: 0, pressure: 0 });
});

test("checks that all see the abort leave no rejection behind", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const { call } = ownLoop({
    effects: { add: "state" },
    guardrails: [
      { name: "slow", stage: "commit", check: forever },
      { name: "aborts", stage: "commit", check: () => (controller.abort(LEFT), fail()) },
      { name: "slow_too", stage: "commit", check: forever },
      { name: "throws", stage: "commit", check: fail },
    ],
  });
  await expect(call("add", () => undefined, {}, { signal })).rejects.toBe(LEFT);
});

test("a tool that is cancelled while it starts, and fails later, leaves no rejection behind", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const { call } = ownLoop({ guardrails: [], effects: { add: "state" } });
  const late = gate<never>();
  const answer = call(
    "add",
    async () => {
      controller.abort(LEFT);
      return late.promise;
    },
    {},
    { signal },
  );
  await expect(answer).rejects.toBe(LEFT);
  late.fail(new Error("too late"));
});

test("the signal of an attempt aborts with the call's own, and leaves no listener on it", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  const { call } = ownLoop({ guardrails: [], effects: { add: "none" } });
  let seen: AbortSignal | undefined;
  const add = async (): Promise<void> => {
    seen = currentAttempt().signal;
  };
  for (let index = 0; index < 20; index += 1) await call("add", add, {}, { signal });
  expect(added.mock.calls).toHaveLength(removed.mock.calls.length);
  expect(seen?.aborted).toBe(false);
  controller.abort(LEFT);
  expect(seen?.reason).toBe(LEFT);
});

test("aborted while it waits for its slots at the commit: undone", async () => {
  const { call, store } = open({}, { effects: { hold: "state" }, guardrails: [] });
  const busy = gate();
  const holding = call("hold", async () => busy.promise);
  await idle();
  const caller = new AbortController();
  const log: string[] = [];
  const act = (): string => {
    const attempt = currentAttempt<State>();
    attempt.state.items.push("x");
    attempt.onRollback(() => void log.push("undo"));
    return "done";
  };
  const acting = call("act", act, {}, { signal: caller.signal });
  await idle();
  caller.abort(LEFT);
  await expect(acting).rejects.toBe(LEFT);
  busy.open();
  await holding;
  expect(log).toEqual(["undo"]);
  expect(store.state.items).toEqual([]);
});
