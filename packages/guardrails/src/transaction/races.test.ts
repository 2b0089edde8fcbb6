import { expect, test } from "vitest";
import { currentAttempt, slotStore } from "../index.ts";
import { idle, ownLoop } from "../testing/index.ts";

interface Pair {
  left: number;
  right: number;
  list: string[];
  onCall: { a: boolean; b: boolean };
}

/** What two calls at once do, each one half before and half after the other's first half. */
interface Race {
  readonly a: readonly [(state: Pair) => unknown, (state: Pair) => unknown];
  readonly b: readonly [(state: Pair) => unknown, (state: Pair) => unknown];
  readonly expected: Partial<Pair>;
}

const nothing = (): void => undefined;
const fails = (): never => {
  throw Object.assign(new Error("no such item"), { status: 404 });
};

const RACES: Readonly<Record<string, Race>> = {
  "disjoint fields": {
    a: [(state) => (state.left += 1), nothing],
    b: [(state) => (state.right += 1), nothing],
    expected: { left: 1, right: 1 },
  },
  "the same counter": {
    a: [nothing, (state) => (state.left += 1)],
    b: [(state) => (state.left += 1), nothing],
    expected: { left: 2 },
  },
  "both push": {
    a: [(state) => state.list.push("a"), nothing],
    b: [(state) => state.list.push("b"), nothing],
    expected: { list: expect.toSatisfy((list: string[]) => list.toSorted().join() === "a,b") },
  },
  "one fails late, the other is committed": {
    a: [(state) => state.list.push("a"), fails],
    b: [(state) => state.list.push("b"), nothing],
    expected: { list: ["b"] },
  },
  "one throws midway": {
    a: [(state) => ((state.left = 9), fails()), nothing],
    b: [(state) => (state.right += 1), nothing],
    expected: { left: 0, right: 1 },
  },
  "neither sees what the other has not committed": {
    a: [(state) => (state.left = 5), fails],
    b: [nothing, (state) => (state.right = state.left)],
    expected: { left: 0, right: 0 },
  },
  "write skew: at least one stays on call": {
    a: [
      nothing,
      ({ onCall }) => {
        if (onCall.b) onCall.a = false;
      },
    ],
    b: [
      ({ onCall }) => {
        if (onCall.a) onCall.b = false;
      },
      nothing,
    ],
    expected: { onCall: expect.toSatisfy(({ a, b }: Pair["onCall"]) => a !== b) },
  },
};

test.each(Object.entries(RACES))(
  "two calls at once, %s: as if one came after the other",
  async (_, race) => {
    const store = slotStore<Pair>({ left: 0, right: 0, list: [], onCall: { a: true, b: true } });
    const { turn } = ownLoop({
      store,
      guardrails: [],
      effects: { act: "state" },
    });
    const play =
      ([first, second]: Race["a"]) =>
      async (): Promise<void> => {
        first(currentAttempt<Pair>().state);
        await idle();
        second(currentAttempt<Pair>().state);
      };
    await turn([
      ["act", play(race.a)],
      ["act", play(race.b)],
    ]);
    expect(store.state).toMatchObject(race.expected);
  },
);
