import { describe, expect, test } from "vitest";
import { UncopyableStateError, currentAttempt, slotStore } from "../index.ts";
import { endOf, ownLoop } from "../testing/index.ts";

interface State {
  used: Record<string, number>;
  spent: number;
}

describe.each(["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"])(
  "a name that every object knows: %s",
  (name) => {
    test("is in no record of the state, and is limited as any other", async () => {
      const store = slotStore<State>({ used: {}, spent: 0 });
      const { call } = ownLoop<State>({
        store,
        effects: { search: "state" },
        guardrails: [
          {
            name: "twice",
            check: ({ state, args }) => (state.used[args.name] ?? 0) >= 2 && "twice is enough",
          },
        ],
      });
      const search = (args: { readonly name: string }): string => {
        const { state } = currentAttempt<State>();
        state.used[args.name] = (state.used[args.name] ?? 0) + 1;
        return "found";
      };
      // Text, because a literal would set the prototype.
      const args: unknown = JSON.parse(`{"name":"${name}"}`);
      const ends: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        ends.push(endOf(await call("search", search, args, { conversationId: `c${count}` })));
      }
      expect(ends).toEqual(["found", "found", "rejected guardrail 1/3"]);
      expect(Object.keys(store.state.used)).toEqual([name]);
    });

    test("is not in the state itself", () => {
      const store = slotStore<State>({ used: {}, spent: 0 });
      const stage = store.begin();
      for (const state of [store.state, store.state.used, stage.state, stage.state.used]) {
        expect(name in state).toBe(false);
      }
    });
  },
);

test.each([Number.NaN, Infinity, -Infinity])("%d is never committed", async (amount) => {
  const store = slotStore<State>({ used: {}, spent: 0 });
  const { call, lines } = ownLoop<State>({
    store,
    guardrails: [],
    effects: { pay: "state", use: "state" },
  });
  const answer = await call("pay", () => void (currentAttempt<State>().state.spent += amount));
  expect(endOf(answer)).toBe("blocked outcome 1/2 state_not_committed");
  const use = (): void => void (currentAttempt<State>().state.used["a"] = amount);
  expect(endOf(await call("use", use))).toBe("blocked outcome 1/2 state_not_committed");
  expect(store.state).toEqual({ used: {}, spent: 0 });
  expect(lines.map(({ fields }) => fields)).toContainEqual(
    expect.objectContaining({ slot: "used", place: "/used/a" }),
  );
  expect(() => slotStore({ spent: [amount] })).toThrow(UncopyableStateError);
});
