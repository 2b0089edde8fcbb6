import { expect, test } from "vitest";
import { type GuardrailsOptions, currentAttempt, slotStore } from "../index.ts";
import { type OwnLoop, endOf, gate, idle, ownLoop } from "../testing/index.ts";

interface State {
  outer: string[];
  inner: string[];
}

const state = (): State => currentAttempt<State>().state;
const open = (options: Partial<GuardrailsOptions<State>> = {}) => {
  const store = slotStore<State>({ outer: [], inner: [] });
  const log: string[] = [];
  const loop = ownLoop<State>({
    store,
    guardrails: [
      {
        name: "no_bad",
        stage: "commit",
        tools: ["outer"],
        check: ({ result }) => result === "bad" && "it went wrong",
      },
    ],
    effects: { outer: "compensable", inner: "compensable", look: "none", mail: "irreversible" },
    ...options,
  });
  const inner = (what: string): unknown => {
    const attempt = currentAttempt<State>();
    attempt.state.inner.push(what);
    attempt.onRollback(() => log.push(`undo ${what}`));
    attempt.onCommit(() => log.push(`effect ${what}`));
    return what;
  };
  return { ...loop, store, log, inner };
};

test("a call inside a call sees the changes around it, and both are committed together", async () => {
  const { call, store, log, inner } = open();
  const answer = await call("outer", async () => {
    state().outer.push("before");
    const nested = await call("inner", () => {
      expect(state().outer).toEqual(["before"]);
      return inner("a");
    });
    expect(endOf(nested)).toBe("a");
    expect(store.state).toEqual({ outer: [], inner: [] });
    expect(state().inner).toEqual(["a"]);
    expect(log).toEqual([]);
    return "good";
  });
  expect(endOf(answer)).toBe("good");
  expect(store.state).toEqual({ outer: ["before"], inner: ["a"] });
  expect(log).toEqual(["effect a"]);
});

test("what undoes a call undoes the calls inside it, latest first", async () => {
  const { call, store, log, inner } = open();
  const answer = await call("outer", async () => {
    currentAttempt().onRollback(() => log.push("undo outer, first"));
    await call("inner", () => inner("a"));
    await call("inner", () => inner("b"));
    currentAttempt().onRollback(() => log.push("undo outer, last"));
    return "bad";
  });
  expect(endOf(answer)).toBe("rejected guardrail 1/3");
  expect(log).toEqual(["undo outer, last", "undo b", "undo a", "undo outer, first"]);
  expect(store.state).toEqual({ outer: [], inner: [] });
});

test("a call inside a call that fails is undone alone", async () => {
  const { call, store, log, inner } = open();
  const answer = await call("outer", async () => {
    state().outer.push("kept");
    const failing = (): never => {
      inner("a");
      throw Object.assign(new Error("no such item"), { status: 404 });
    };
    expect(endOf(await call("inner", failing))).toBe("rejected outcome 1/2");
    expect(log).toEqual(["undo a"]);
    return "good";
  });
  expect(endOf(answer)).toBe("good");
  expect(store.state).toEqual({ outer: ["kept"], inner: [] });
  expect(log).toEqual(["undo a"]);
});

test("calls inside a call run one after the other, also in parallel and without locks of their own", async () => {
  const { call, turn, store } = open();
  const add = async (): Promise<void> => {
    const before = [...state().inner];
    await idle();
    state().inner = [...before, "x"];
  };
  await call("outer", async () =>
    turn([
      ["inner", add],
      ["inner", add],
      ["inner", add],
    ]),
  );
  expect(store.state.inner).toEqual(["x", "x", "x"]);
});

test("a call inside a call without effects inside a call joins the outermost", async () => {
  const { call, store, inner } = open();
  const answer = await call("outer", async () => {
    state().outer.push("kept");
    const looked = await call("look", async () => {
      expect(state().outer).toEqual(["kept"]);
      return endOf(await call("inner", () => inner("a")));
    });
    return endOf(looked);
  });
  expect(endOf(answer)).toBe("a");
  expect(store.state).toEqual({ outer: ["kept"], inner: ["a"] });
});

test("a tool without effects cannot change the state, alone or inside another call", async () => {
  const { call, store } = open();
  const write = (): void => void state().outer.push("x");
  await expect(call("look", write)).rejects.toThrow(TypeError);
  await call("outer", async () => expect(call("look", write)).rejects.toThrow(TypeError));
  expect(store.state.outer).toEqual([]);
});

test("what an irreversible call did inside a call that is undone is reported, not claimed to be undone", async () => {
  const { call, store, events } = open();
  const answer = await call("outer", async () => {
    state().outer.push("x");
    await call("mail", () => "sent");
    return "bad";
  });
  expect(answer.result.content).toContain("mail");
  expect(answer.result.content).not.toContain("All its state changes were undone");
  expect(events.at(-1)).toMatchObject({ rollback_applied: false, compensation_failures: ["mail"] });
  expect(store.state.outer).toEqual([]);
});

const HUNG: readonly (readonly [string, Partial<GuardrailsOptions<State>>])[] = [
  ["with a store", {}],
  ["with a time limit for its slots alone", { locks: { outer: ["outer", "inner"] } }],
];

test.each(HUNG)(
  "a call inside a call that is over is refused and undone, %s",
  async (_, options) => {
    const { call, store, log, inner } = open({ ...options, timeLimits: { tool: 5 } });
    const hung = gate();
    let nested: Promise<unknown> | undefined;
    const answer = call("outer", async () => {
      state().outer.push("x");
      nested = call("inner", async () => {
        inner("a");
        await hung.promise;
        return "late";
      });
      await hung.promise;
    });
    await expect(answer).rejects.toThrow("No answer within 5 ms");
    hung.open();
    await nested?.catch(() => undefined);
    expect(store.state).toEqual({ outer: [], inner: [] });
    expect(log).toEqual(["undo a"]);
  },
);

test("a hung tool that calls another one after its time is refused", async () => {
  const { call, store, log, inner } = open({ timeLimits: { tool: 5 } });
  const hung = gate();
  const late = gate<unknown>();
  const answer = call("outer", async () => {
    await hung.promise;
    late.open(await call("inner", () => inner("a")).then(endOf, (thrown: unknown) => thrown));
  });
  await expect(answer).rejects.toThrow("No answer within 5 ms");
  hung.open();
  expect(String(await late.promise)).toContain("the attempt is over");
  expect(store.state.inner).toEqual([]);
  expect(log).toEqual([]);
});

test("work that a tool leaves behind after it returned calls tools on its own account", async () => {
  const { call, store, inner }: ReturnType<typeof open> & OwnLoop<State> = open();
  const go = gate();
  let background: Promise<unknown> | undefined;
  await call("outer", () => {
    background = go.promise.then(async () => call("inner", () => inner("a")));
    return "good";
  });
  go.open();
  await background;
  expect(store.state.inner).toEqual(["a"]);
});

test("without a store, what a call inside a call registered is undone with it even if it comes late", async () => {
  const log: string[] = [];
  const { call } = ownLoop({
    guardrails: [
      { name: "no_bad", stage: "commit", tools: ["outer"], check: () => "it went wrong" },
    ],
    effects: { outer: "compensable", inner: "compensable" },
  });
  const slow = gate();
  const started = gate();
  let nested: Promise<unknown> | undefined;
  const answer = await call("outer", async () => {
    nested = call("inner", async () => {
      currentAttempt().onRollback(() => log.push("undo inner"));
      currentAttempt().onCommit(() => log.push("effect inner"));
      started.open();
      await slow.promise;
    });
    await started.promise;
    return "bad";
  });
  expect(endOf(answer)).toBe("rejected guardrail 1/3");
  slow.open();
  await nested?.catch(() => undefined);
  expect(log).toEqual(["undo inner"]);
});

test("a call inside a call may only use what the outer one has locked, and the error says how to fix it", async () => {
  const { call } = open({ guardrails: [], locks: { outer: ["outer"], inner: ["inner"] } });
  await expect(call("outer", async () => call("inner", () => undefined))).rejects.toThrow(
    "createGuardrails: 'inner' locks 'inner' and is called by 'outer', which does not. Add 'inner' to the locks of 'outer'.",
  );
});

test("a hung tool of which nothing is known holds no locks for longer than others may wait", async () => {
  const { call, store } = open({ guardrails: [], timeLimits: { tool: 20 } });
  const hung = call("unknown", async () => {
    await call("inner", () => undefined);
    await new Promise(() => undefined);
  });
  await idle();
  const waiting = await call(
    "inner",
    () => void state().inner.push("next"),
    {},
    { conversationId: "other" },
  );
  expect(waiting.status).toBe("executed");
  expect(endOf(await hung)).toBe("blocked outcome 1/2 outcome_unknown");
  expect(store.state.inner).toEqual(["next"]);
});
