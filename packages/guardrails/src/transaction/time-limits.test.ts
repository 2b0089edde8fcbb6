import { expect, test } from "vitest";
import {
  type Attempt,
  type Guardrail,
  Outcome,
  createGuardrails,
  currentAttempt,
  slotStore,
} from "../index.ts";
import { endOf, gate, ownLoop } from "../testing/index.ts";

interface State {
  items: string[];
}

const forever = async (): Promise<never> => new Promise(() => undefined);
const items = () => slotStore<State>({ items: [] });

test("a hung tool gives its locks back, and what it does later is refused and undone", async () => {
  const store = items();
  const log: string[] = [];
  const { call } = ownLoop({
    store,
    guardrails: [],
    effects: { hang: "compensable", add: "state" },
    timeLimits: { tool: 5 },
  });
  const woken = gate();
  const late = gate<readonly unknown[]>();
  let attempt!: Attempt<State>;
  const hung = call("hang", async () => {
    attempt = currentAttempt<State>();
    const { items: kept } = attempt.state;
    kept.push("staged");
    attempt.onRollback(() => log.push("undo"));
    await woken.promise;
    kept.push("late");
    const thrown = [
      () => attempt.state.items,
      () => attempt.onCommit(() => log.push("effect")),
    ].map((run) => {
      try {
        return run();
      } catch (error) {
        return String(error);
      }
    });
    attempt.onRollback(() => log.push("late undo"));
    late.open(thrown);
  });
  await expect(hung).rejects.toMatchObject({ name: "TimeoutError" });
  expect(attempt.signal.aborted).toBe(true);
  const next = await call("add", () => void currentAttempt<State>().state.items.push("next"));
  expect(next.status).toBe("executed");
  woken.open();
  expect(await late.promise).toEqual([
    expect.stringContaining("the attempt is over"),
    expect.stringContaining("the attempt is over"),
  ]);
  expect(log).toEqual(["undo", "late undo"]);
  expect(store.state.items).toEqual(["next"]);
});

test("the signal of a check that takes too long is aborted", async () => {
  const signals: AbortSignal[] = [];
  const hung: Guardrail<State> = {
    name: "hung",
    stage: "validate",
    check: ({ signal }) => (signals.push(signal), forever()),
  };
  const { call } = ownLoop({
    store: items(),
    guardrails: [hung],
    effects: { add: "state" },
    timeLimits: { guardrail: 5 },
  });
  expect(endOf(await call("add", () => "added"))).toMatch(/^blocked/);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(signals[0]?.reason).toMatchObject({ name: "TimeoutError" });
});

test("a hung irreversible tool has an unknown outcome", async () => {
  const { call } = ownLoop({
    store: items(),
    guardrails: [],
    effects: { pay: "irreversible" },
    timeLimits: { tool: 5 },
  });
  expect(endOf(await call("pay", forever))).toBe("blocked outcome 1/2 outcome_unknown");
});

test("a tool that keeps the attempt cannot use it once it has returned", async () => {
  const store = items();
  const { call } = ownLoop({ store, guardrails: [], effects: { add: "state" } });
  let attempt!: Attempt<State>;
  let kept!: string[];
  await call("add", () => {
    attempt = currentAttempt<State>();
    ({ items: kept } = attempt.state);
    kept.push("x");
  });
  kept.push("late");
  expect(() => attempt.state).toThrow(
    "currentAttempt().state: the attempt is over; finish all work before the tool returns.",
  );
  expect(() => attempt.onRollback(() => undefined)).toThrow("onRollback: the attempt is over");
  expect(() => attempt.onCommit(() => undefined)).toThrow("onCommit: the attempt is over");
  expect(store.state.items).toEqual(["x"]);
});

test.each(["validate", "commit"] as const)(
  "a check that never answers closes the tool, at %s",
  async (stage) => {
    const { call, lines } = ownLoop({
      store: items(),
      guardrails: [{ name: "slow", stage, check: forever }],
      effects: { add: "state" },
      timeLimits: { guardrail: 5 },
    });
    const add = (): void => void currentAttempt<State>().state.items.push("x");
    expect(endOf(await call("add", add))).toBe("blocked guardrail 1/3 guardrail_failed");
    expect(lines.map(({ fields }) => fields)).toContainEqual(
      expect.objectContaining({ guardrail: "slow", error: "TimeLimitError" }),
    );
  },
);

test("a compensation that never ends is reported, and those before it run", async () => {
  const log: string[] = [];
  const { call, events } = ownLoop({
    guardrails: [],
    effects: { add: "compensable" },
    timeLimits: { effect: 5 },
  });
  const answer = await call("add", () => {
    const { onRollback } = currentAttempt();
    onRollback(() => log.push("undo"));
    onRollback(forever, "the reservation");
    return Outcome.error("sold_out", "sold out", { retriable: true });
  });
  expect(answer.result.content).toContain("the reservation");
  expect(log).toEqual(["undo"]);
  expect(events.at(-1)).toMatchObject({
    rollback_applied: false,
    compensation_failures: ["the reservation"],
  });
});

test("an effect after the commit that never ends, or fails, is reported and changes nothing", async () => {
  const store = items();
  const log: string[] = [];
  const { call, lines } = ownLoop({
    store,
    guardrails: [],
    effects: { add: "state" },
    timeLimits: { effect: 5 },
  });
  const answer = await call("add", () => {
    const { state, onCommit } = currentAttempt<State>();
    state.items.push("x");
    onCommit(forever);
    onCommit(async () => Promise.reject(new RangeError("no mail server")));
    onCommit(() => log.push("effect"));
    return "added";
  });
  expect(endOf(answer)).toBe("added");
  expect(log).toEqual(["effect"]);
  expect(store.state.items).toEqual(["x"]);
  const failed = lines.filter(({ message }) => message === "An effect after the commit failed");
  expect(failed.map(({ fields }) => fields.error)).toEqual(["TimeLimitError", "RangeError"]);
});

test("a generator that a tool returns runs after the attempt", async () => {
  const guardrails = createGuardrails({
    store: items(),
    guardrails: [],
    effects: { add: "state" },
  });
  const execute = async function* (): AsyncGenerator<State> {
    yield currentAttempt<State>().state;
  };
  const answer = await guardrails.run({ tool: "add", generate: () => 0, execute: () => execute() });
  if (answer.status !== "ok") throw new Error(answer.status);
  await expect(answer.value.next()).rejects.toThrow("currentAttempt: no attempt is running");
});
