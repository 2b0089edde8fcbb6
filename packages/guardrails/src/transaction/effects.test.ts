import { type CallContext } from "@toolcontract/core";
import { expect, test } from "vitest";
import {
  type Classify,
  type Compensation,
  type Effect,
  type GuardrailsOptions,
  type InverseCall,
  Outcome,
  currentAttempt,
  slotStore,
} from "../index.ts";
import type { MaybePromise } from "../shared/index.ts";
import { endOf, idle, ownLoop } from "../testing/index.ts";

interface State {
  items: string[];
}

const NO_MORE = (): unknown => Outcome.error("sold_out", "sold out", { retriable: true });

function open(options: Partial<GuardrailsOptions<State>> = {}) {
  const store = slotStore<State>({ items: [] });
  const log: string[] = [];
  return { store, log, ...ownLoop<State>({ store, guardrails: [], ...options }) };
}

const notFound = (): never => {
  throw Object.assign(new Error("no such item"), { status: 404 });
};
const bug = (): never => {
  throw new TypeError("x is not a function");
};
/** Throws what is not an error. */
function throwAny(thrown: unknown): never {
  throw thrown;
}
const outage = (): never => {
  throw Object.assign(new Error("down"), { code: "ECONNREFUSED" });
};

test.each<[Effect | undefined, string, string, string]>([
  ["none", "rejected outcome 1/2", "rejected outcome 1/2", "threw"],
  ["state", "rejected outcome 1/2", "rejected outcome 1/2", "threw"],
  ["idempotent", "rejected outcome 1/2", "rejected outcome 1/2", "threw"],
  ["compensable", "rejected outcome 1/2", "rejected outcome 1/2", "threw"],
  [
    "irreversible",
    "failed",
    "blocked outcome 1/2 outcome_unknown",
    "blocked outcome 1/2 outcome_unknown",
  ],
  [
    undefined,
    "failed",
    "blocked outcome 1/2 outcome_unknown",
    "blocked outcome 1/2 outcome_unknown",
  ],
])(
  "effect %s: retriable outcome %s, repairable throw %s, outage %s",
  async (effect, ...expected) => {
    const effects = effect ? { act: effect } : {};
    const ends = await Promise.all(
      [NO_MORE, notFound, outage].map(async (execute) => {
        const { call } = open({ effects });
        const end = await call("act", execute).then(endOf, () => "threw");
        return end.startsWith("failed") ? "failed" : end;
      }),
    );
    expect(ends).toEqual(expected);
  },
);

test("an irreversible tool that throws after it started is not run again: its outcome is unknown", async () => {
  let runs = 0;
  const { call, events } = open({ effects: { pay: "irreversible" } });
  const pay = (): never => {
    runs += 1;
    currentAttempt<State>().state.items.push("x");
    return notFound();
  };
  const answer = await call("pay", pay);
  expect(answer).toMatchObject({
    status: "blocked",
    outcome: {
      error_type: "outcome_unknown",
      error_message: "Nobody knows what came of pay",
      retriable: false,
      metadata: { last_error_type: "http_404" },
    },
  });
  expect(answer.result.content).toContain("(GRD-006): The tool failed after it had started");
  expect(answer.result.content).not.toContain("undone");
  expect((await call("pay", pay)).status).toBe("blocked");
  expect(runs).toBe(1);
  expect(events.at(-1)).toMatchObject({ attempt_stage: "rolled_back", rollback_applied: false });
});

test("a refused irreversible call that never ran has nothing to undo", async () => {
  const { call, events } = open({
    effects: { pay: "irreversible" },
    guardrails: [{ name: "g", needs: "state", check: () => "not today" }],
  });
  expect(endOf(await call("pay", () => "paid"))).toBe("rejected guardrail 1/3");
  expect(events.at(-1)?.rollback_applied).toBe(true);
});

test("compensations run latest first; one that fails is named, and the others run", async () => {
  const { call, log, events } = open({ effects: { book: "compensable" } });
  const answer = await call("book", () => {
    const { onRollback } = currentAttempt();
    onRollback(() => log.push("release seat"));
    onRollback(async () => Promise.reject(new Error("the hotel is closed")), "the hotel");
    onRollback(async () => Promise.resolve(log.push("refund")));
    return NO_MORE();
  });
  expect(log).toEqual(["refund", "release seat"]);
  expect(answer.result.content).toContain("the hotel");
  expect(answer.result.content).not.toContain("All its state changes were undone");
  expect(answer.result.content).not.toContain("is closed");
  expect(events.at(-1)).toMatchObject({
    rollback_applied: false,
    compensation_failures: ["the hotel"],
  });
});

test("one compensation is something to undo, also for a tool that touched no state", async () => {
  const { call, log } = open({ effects: { book: "compensable" } });
  const answer = await call("book", () => {
    currentAttempt().onRollback(() => log.push("release seat"));
    return NO_MORE();
  });
  expect(log).toEqual(["release seat"]);
  expect(answer.result.content).toContain("All its state changes were undone.");
});

test("effects after the commit are made once, in order, after the state is committed; none after a failure", async () => {
  const { call, log, store } = open({ effects: { add: "state" } });
  const add = ({ fails }: { readonly fails: boolean }): unknown => {
    const { state, onCommit } = currentAttempt<State>();
    state.items.push("x");
    onCommit(() => log.push(`first sees ${store.state.items.length}`));
    onCommit(async () => Promise.resolve(log.push("second")));
    return fails ? NO_MORE() : "added";
  };
  await call("add", add, { fails: true });
  expect(log).toEqual([]);
  await call("add", add, { fails: false });
  expect(log).toEqual(["first sees 1", "second"]);
});

/** A tool that guardrails refuse after it ran, and the call that undoes it. */
function writing(compensate: Compensation<unknown, { path: string }>) {
  return open({
    effects: { write: "compensable" },
    compensate: { write: compensate },
    guardrails: [{ name: "small", stage: "commit", check: () => "too large" }],
  });
}

test.each<[string, (inverse: InverseCall) => MaybePromise<InverseCall>]>([
  ["at once", (inverse) => inverse],
  ["later", async (inverse) => idle().then(() => inverse)],
])(
  "a declared compensation that answers %s undoes a call that guardrails refuse, with what it returned",
  async (_, answer) => {
    const calls: unknown[] = [];
    const { call, log, events } = writing(({ tool, args, result, idempotencyKey }) => {
      calls.push({ tool, args, result, key: typeof idempotencyKey });
      return answer({ name: "remove", arguments: result });
    });
    const callTool = async (name: string, args: unknown): Promise<string> => {
      log.push(`${name} ${JSON.stringify(args)}`);
      return Promise.resolve("removed");
    };
    await call("write", () => ({ path: "a.txt" }), { text: "x" }, { callTool });
    expect(calls).toEqual([
      { tool: "write", args: { text: "x" }, result: { path: "a.txt" }, key: "string" },
    ]);
    expect(log).toEqual(['remove {"path":"a.txt"}']);
    expect(events.at(-1)).toMatchObject({ rollback_applied: true });
  },
);

const remove: InverseCall = { name: "remove", arguments: {} };
const UNDOES = async (): Promise<unknown> => "removed";

type Undoing = [string, () => MaybePromise<InverseCall | undefined>, CallContext["callTool"]];

test.each<[...Undoing, logged?: string]>([
  ["that names no call has nothing to undo", () => undefined, notFound],
  ["that names no call later has nothing to undo", async () => undefined, notFound],
  ["that the host cannot make is reported", () => remove, undefined, "ToolContractError"],
  ["that throws is reported", bug, UNDOES, "TypeError"],
  ["that rejects is reported", async () => bug(), UNDOES, "TypeError"],
  ["whose call rejects is reported", () => remove, async () => outage(), "Error"],
  ["whose call fails is reported", () => remove, async () => NO_MORE(), "Error"],
])("a declared compensation %s", async (_, compensate, callTool, error) => {
  const { call, events, lines } = writing(compensate);
  const answer = await call("write", () => "written", {}, callTool && { callTool });
  expect(endOf(answer)).toBe("rejected guardrail 1/3");
  const failed = lines.find(({ message }) => message === "A compensation failed");
  expect(failed?.fields.error).toBe(error);
  expect(events.at(-1)?.rollback_applied).toBe(error === undefined);
  expect(events.at(-1)?.compensation_failures).toEqual(error && ["write"]);
});

test("a declared change of the state is checked and committed like one of the tool's own", async () => {
  const { call, store } = open({
    effects: { write: "state" },
    stateChanges: { write: ({ state, args }) => void state.items.push(args.path) },
    guardrails: [
      {
        name: "two",
        stage: "commit",
        check: ({ state }) => state.items.length > 2 && "two at most",
      },
    ],
  });
  const ends: string[] = [];
  for (const path of ["a", "b", "c"]) ends.push(endOf(await call("write", () => "ok", { path })));
  expect(ends).toEqual(["ok", "ok", "rejected guardrail 1/3"]);
  expect(store.state.items).toEqual(["a", "b"]);
});

test("a change of the state may be asynchronous, and one that rejects is not committed", async () => {
  const { call, store } = open({
    effects: { write: "state", fail: "state" },
    stateChanges: {
      write: async ({ state, args }) => {
        await Promise.resolve();
        state.items.push(args.path);
      },
      fail: async () => Promise.reject(new Error("no")),
    },
  });
  expect(endOf(await call("write", () => "ok", { path: "a" }))).toBe("ok");
  expect(store.state.items).toEqual(["a"]);
  expect(endOf(await call("fail", () => "ok"))).toBe("blocked outcome 1/2 state_not_committed");
});

test("a change of the state that throws is not committed", async () => {
  const { call, store } = open({
    effects: { write: "state" },
    stateChanges: { write: bug },
  });
  expect(endOf(await call("write", () => "ok"))).toBe("blocked outcome 1/2 state_not_committed");
  expect(store.state.items).toEqual([]);
});

test.each<[string, () => unknown]>([
  ["a problem in data", () => ({ then: "open the door" })],
  ["a thenable", () => ({ then: (resolve: (value: string) => void) => resolve("x") })],
  ["a branded value", () => Outcome.ok("x")],
])("a tool may return %s", async (_, execute) => {
  const { call } = open({ effects: { act: "state" } });
  expect((await call("act", execute)).status).toBe("executed");
});

test.each<[string, unknown]>([
  ["a proxy that throws", new Proxy({}, { get: bug, getPrototypeOf: bug, has: bug })],
  ["undefined", undefined],
  ["a symbol", Symbol("x")],
  ["an object without a prototype", Object.create(null)],
])("a tool may throw %s, and it is undone", async (_, thrown) => {
  const { call, store, log, events } = open({ effects: { act: "state" } });
  const answer = await call("act", () => {
    currentAttempt<State>().state.items.push("x");
    currentAttempt().onRollback(() => log.push("undo"));
    return throwAny(thrown);
  });
  expect(endOf(answer)).toBe("rejected outcome 1/2");
  expect(store.state.items).toEqual([]);
  expect(log).toEqual(["undo"]);
  expect(events.at(-1)?.attempt_stage).toBe("rolled_back");
});

test("a thrown object that cannot be written reaches the host as the same object", async () => {
  const { call, log } = open({ effects: { act: "compensable" } });
  const thrown = Object.assign(Object.create(null) as object, { name: "TypeError" });
  const answer = call("act", () => {
    currentAttempt().onRollback(() => log.push("undo"));
    return throwAny(thrown);
  });
  await expect(answer).rejects.toBe(thrown);
  expect(log).toEqual(["undo"]);
});

test.each<[string, Classify, readonly unknown[]]>([
  ["nothing", () => undefined, []],
  ["nonsense", () => 5 as never, ["classify returned no object"]],
])("classify() that answers %s: its faults alone are logged", async (_, classify, faults) => {
  const { call, lines } = open({ effects: { act: "state" }, classify });
  expect(endOf(await call("act", NO_MORE))).toBe("rejected outcome 1/2");
  const logged = lines.filter(({ message }) => message === "classify() was not used");
  expect(logged.map(({ fields }) => fields)).toEqual(
    faults.map((fault) => expect.objectContaining({ tool_name: "act", fault })),
  );
});

test("tools and guardrails may have the names of an object's own members", async () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  const effects = JSON.parse(`{${names.map((name) => `"${name}": "state"`).join()}}`) as never;
  const { call, guardrails } = open({
    effects,
    guardrails: names.map((name) => ({ name, stage: "commit", check: () => name })),
  });
  for (const name of names) {
    const answer = await call(name, () => "done");
    expect(endOf(answer)).toBe("rejected guardrail 1/3");
  }
  expect(Object.keys(guardrails.health())).toEqual(names);
  const { call: undeclared, lines } = open({});
  for (const name of names) await undeclared(name, () => "done");
  expect(lines.map(({ fields }) => fields.tool_name)).toEqual(names);
});

test("a tool of which nothing is declared is logged once", async () => {
  const { call, lines } = open({});
  for (let index = 0; index < 3; index += 1) await call("mystery", () => "done");
  expect(lines.map(({ message }) => message)).toEqual([
    "No effect is declared for a tool, so it counts as irreversible",
  ]);
});

test("what an effect is called is masked wherever it goes", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const { call, events, lines } = ownLoop({ guardrails: [], effects: { pay: "compensable" } });
  const answer = await call("pay", () => {
    currentAttempt().onRollback(bug, `refund ${token}`);
    return NO_MORE();
  });
  expect(answer.result.content).toContain("Some effects could not be undone: refund");
  expect(events.at(-1)?.compensation_failures).toHaveLength(1);
  expect(JSON.stringify([answer, events, lines])).not.toContain(token);
});

test.each(["onRollback", "onCommit"] as const)("%s takes a function, at once", async (name) => {
  const { call } = open({ effects: { act: "compensable" } });
  const act = (): string => {
    const attempt = currentAttempt();
    expect(() => attempt[name]("release" as never)).toThrow(
      `${name}: pass a function, such as ${name}(() => release(id)).`,
    );
    return "done";
  };
  expect(endOf(await call("act", act))).toBe("done");
});
