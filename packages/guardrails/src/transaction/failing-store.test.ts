import { expect, test } from "vitest";
import {
  type Effect,
  type Staged,
  type StateStore,
  Outcome,
  UncopyableStateError,
  currentAttempt,
  slotStore,
} from "../index.ts";
import { endOf, ownLoop } from "../testing/index.ts";

interface State {
  items: unknown[];
}

type Part = keyof Staged<State> | "begin" | "view";
const DOWN = new RangeError("disk full at /secret/path");

/** A store of which one part fails, always or only once. */
function failing(part: Part, how: () => never | Promise<never>) {
  const real = slotStore<State>({ items: [] });
  let isBroken = true;
  const broken = (name: Part): boolean => isBroken && name === part;
  const store: StateStore<State> = {
    get state() {
      if (broken("view")) void how();
      return real.state;
    },
    slots: real.slots,
    begin(parent, slots) {
      if (broken("begin")) void how();
      const staged = real.begin(parent, slots);
      const call = <Name extends "touched" | "seal" | "conflicts" | "commit" | "rollback">(
        name: Name,
      ): ReturnType<Staged<State>[Name]> =>
        (broken(name) ? how() : staged[name]()) as ReturnType<Staged<State>[Name]>;
      return {
        get state() {
          return broken("state") ? how() : staged.state;
        },
        touched: () => call("touched"),
        seal: () => call("seal"),
        conflicts: () => call("conflicts"),
        commit: () => call("commit"),
        rollback: () => call("rollback"),
      } as Staged<State>;
    },
  };
  return { store, real, repair: () => void (isBroken = false) };
}

function throws(): never {
  throw DOWN;
}
const rejects = async (): Promise<never> => Promise.reject(DOWN);

const add = (): string => {
  const attempt = currentAttempt<State>();
  attempt.onRollback(() => undefined);
  attempt.state.items.push("x");
  return "added";
};

test.each<[string, Part, () => never | Promise<never>, string]>([
  ["does not show its state", "view", throws, "dependency_unavailable"],
  ["does not begin", "begin", throws, "dependency_unavailable"],
  ["does not seal", "seal", throws, "state_not_committed"],
  ["does not say what conflicts", "conflicts", throws, "state_not_committed"],
  ["throws when it commits", "commit", throws, "state_not_committed"],
  ["rejects a commit", "commit", rejects, "state_not_committed"],
])("a store that %s: typed, undone, and no lock is left", async (_, part, how, type) => {
  const { store, real, repair } = failing(part, how);
  const { call, events, lines } = ownLoop<State>({
    store,
    effects: { add: "compensable" },
    guardrails: [
      { name: "reads", needs: "state", check: ({ state }) => state.items.length > 9 && "too many" },
    ],
  });
  const answer = await call("add", add);
  expect(endOf(answer)).toBe(`blocked outcome 1/2 ${type}`);
  expect(real.state.items).toEqual([]);
  expect(events.at(-1)).toMatchObject({
    attempt_stage: "rolled_back",
    committed: false,
    latest_failure_stage: "execution",
    latest_failure_class: "RangeError",
  });
  expect(lines.map(({ fields }) => fields.error)).toContain("RangeError");
  expect(JSON.stringify([answer, events, lines])).not.toContain("/secret/path");
  repair();
  const elsewhere = { conversationId: "thread-8" };
  expect(endOf(await call("add", add, {}, elsewhere))).toBe("added");
  expect(real.state.items).toEqual(["x"]);
});

test.each<[string, () => never | Promise<never>]>([
  ["throws", throws],
  ["rejects", rejects],
])("a rollback that %s is reported, and never said to be done", async (_, how) => {
  const { store, repair } = failing("rollback", how);
  const { call, events, lines } = ownLoop({
    store,
    guardrails: [],
    effects: { add: "compensable" },
  });
  const undone: string[] = [];
  const answer = await call("add", () => {
    currentAttempt<State>().state.items.push("x");
    currentAttempt().onRollback(() => undone.push("undone"));
    return Outcome.error("sold_out", "sold out", { retriable: true });
  });
  expect(endOf(answer)).toBe("rejected outcome 1/2");
  expect(answer.result.content).not.toContain("All its state changes were undone");
  expect(undone).toEqual(["undone"]);
  expect(events.at(-1)).toMatchObject({
    rollback_applied: false,
    compensation_failures: ["state"],
  });
  expect(lines[0]).toMatchObject({
    message: "A compensation failed",
    fields: { tool_name: "add", effect: "state", error: "RangeError" },
  });
  repair();
  expect((await call("add", add)).status).toBe("executed");
});

class Cart {
  readonly items = [];
}

test.each<[string, unknown, string]>([
  ["an instance of a class", { cart: new Cart() }, "/items/0/cart"],
  ["a function", () => undefined, "/items/0"],
  [
    "a getter",
    Object.defineProperty({}, "now", { get: () => 1, enumerable: true }),
    "/items/0/now",
  ],
])(
  "state that a tool leaves with %s is not committed; the log names the place",
  async (_, left, path) => {
    const store = slotStore<State>({ items: [] });
    const { call, lines } = ownLoop({ store, guardrails: [], effects: { add: "state" } });
    const answer = await call("add", () => void currentAttempt<State>().state.items.push(left));
    expect(endOf(answer)).toBe("blocked outcome 1/2 state_not_committed");
    expect(answer.result.content).toContain("(GRD-007): What the tool did could not be saved");
    expect(store.state.items).toEqual([]);
    expect(lines.map(({ fields }) => fields)).toContainEqual(
      expect.objectContaining({ error: "UncopyableStateError", slot: "items", place: path }),
    );
  },
);

test("an instance of a class in a slot is refused when the store is made, with its path", () => {
  expect(() => slotStore({ items: [{ cart: new Cart() }] })).toThrow(UncopyableStateError);
  expect(() => slotStore({ items: [{ cart: new Cart() }] })).toThrow("/items/0/cart");
});

test.each<[Effect, Part, boolean]>([
  ["irreversible", "conflicts", false],
  ["state", "conflicts", true],
  ["compensable", "conflicts", true],
  // The acknowledgement may have been lost.
  ["irreversible", "commit", false],
  ["state", "commit", false],
  ["compensable", "commit", false],
])("a tool that is %s, and a store that fails at %s: undone %s", async (effect, part, isUndone) => {
  const { store } = failing(part, throws);
  const { call, events } = ownLoop({ store, guardrails: [], effects: { add: effect } });
  const answer = await call("add", add);
  expect(endOf(answer)).toBe("blocked outcome 1/2 state_not_committed");
  expect(events.at(-1)?.rollback_applied).toBe(isUndone);
  expect(answer.result.content.includes("All its state changes were undone")).toBe(isUndone);
  expect(answer.result.content.includes("Nobody knows whether what the tool did was saved")).toBe(
    part === "commit",
  );
});

const never = async (): Promise<never> => new Promise(() => undefined);

test("a store that never answers a commit delays nobody for ever", async () => {
  const { store, repair } = failing("commit", never);
  const { call } = ownLoop({
    store,
    guardrails: [],
    effects: { add: "state" },
    timeLimits: { store: 5 },
  });
  const first = call("add", add);
  const second = call("add", add, {}, { conversationId: "thread-8" });
  expect(endOf(await first)).toBe("blocked outcome 1/2 state_not_committed");
  repair();
  expect(endOf(await second)).toMatch(/^added|state_not_committed$/);
  expect(endOf(await call("add", add, {}, { conversationId: "thread-9" }))).toBe("added");
});
