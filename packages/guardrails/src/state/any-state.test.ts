import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Staged } from "../shared/index.ts";
import { freezePlainData, thaw } from "./copy-plain-data.ts";
import { slotStore } from "./slot-store.ts";

const primitive = fc.oneof(
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt(),
  fc.boolean(),
  fc.constantFrom(null, undefined),
);
const { plain } = fc.letrec((again) => ({
  plain: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    primitive,
    fc.date(),
    fc.uint8Array(),
    fc.array(again("plain")),
    fc.dictionary(fc.string(), again("plain")),
    fc.dictionary(fc.string(), again("plain"), { noNullPrototype: false }),
    fc.array(again("plain")).map((items) => new Set(items)),
    fc.array(fc.tuple(again("plain"), again("plain"))).map((items) => new Map(items)),
  ),
}));

describe("any plain data", () => {
  test("is copied equal, in the same order of keys, and shares no object", () => {
    fc.assert(
      fc.property(plain, (value) => {
        const frozen = freezePlainData(value, "slot");
        const copy = thaw(frozen, "slot");
        expect(copy).toEqual(value);
        expect(orderOf(copy)).toEqual(orderOf(value));
        const originals = objectsIn(value);
        for (const one of [...objectsIn(frozen.value), ...objectsIn(copy)]) {
          expect(originals.has(one)).toBe(false);
        }
      }),
    );
  });

  test("is as it was after a rollback, whatever the tool did to it", async () => {
    await fc.assert(
      fc.asyncProperty(plain, async (value) => {
        const store = slotStore({ value });
        const before = thaw(freezePlainData(value, "value"), "value");
        const stage = store.begin();
        scramble(stage.state.value);
        stage.seal();
        await stage.rollback();
        expect(store.state).toEqual({ value: before });
        expect(value).toEqual(before);
        expect(orderOf(store.state.value)).toEqual(orderOf(before));
      }),
    );
  });

  test("is what the tool made of it after a commit", async () => {
    await fc.assert(
      fc.asyncProperty(plain, async (value) => {
        const store = slotStore({ value });
        const stage = store.begin();
        scramble(stage.state.value);
        await stage.commit();
        scramble(value);
        expect(store.state).toEqual({ value });
        expect(orderOf(store.state.value)).toEqual(orderOf(value));
      }),
    );
  });
});

/** Changes every object that can be reached, in place. */
function scramble(value: unknown): void {
  for (const one of objectsIn(value)) {
    if (one instanceof Map) one.set("new", { a: 1 }).delete([...one.keys()][0]);
    else if (one instanceof Set) one.add("new").delete([...one][0]);
    else if (one instanceof Date) one.setTime(1);
    else if (one instanceof Uint8Array) one.fill(7);
    else if (Array.isArray(one)) one.push(...(one.splice(0, 1) as unknown[]), { a: 1 });
    else if (!(one instanceof ArrayBuffer)) changeKeys(one as Record<string, unknown>);
  }
}

function changeKeys(value: Record<string, unknown>): void {
  const [first] = Object.keys(value);
  if (first !== undefined) delete value[first];
  value["new"] = [1];
}

interface Ledger {
  a: Record<string, unknown>;
  b: Record<string, unknown>;
  list: unknown[];
}

type Work = (state: Ledger) => void;

const ledger = (): Ledger => ({ a: { x: 1, y: { n: 1 } }, b: { x: 2 }, list: [] });
const key = fc.constantFrom("x", "y", "z");
const slot = fc.constantFrom("a" as const, "b" as const);
const work: fc.Arbitrary<Work> = fc.oneof(
  fc.tuple(slot, key, fc.jsonValue()).map(([to, at, value]): Work => (state) => {
    state[to][at] = structuredClone(value);
  }),
  fc.tuple(slot, key).map(([to, at]): Work => (state) => {
    delete state[to][at];
  }),
  fc.tuple(slot, slot, key).map(([from, to, at]): Work => (state) => {
    state[to][at] = JSON.stringify(state[from]).length;
  }),
  slot.map((from): Work => (state) => {
    state.list.push(Object.keys(state[from]));
  }),
  slot.map((to): Work => (state) => {
    state[to] = { replaced: state.list.length };
  }),
);
const step = fc.record({
  attempt: fc.nat(2),
  act: fc.oneof(
    { weight: 4, arbitrary: work },
    { weight: 2, arbitrary: fc.constant("commit" as const) },
    { weight: 1, arbitrary: fc.constant("roll back" as const) },
  ),
});

describe("any attempts at the same time", () => {
  test("leave what those that committed would have left one after the other", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (steps) => {
        const store = slotStore(ledger());
        const model = ledger();
        const running = new Map<
          number,
          { readonly stage: Staged<Ledger>; readonly done: Work[] }
        >();
        for (const { attempt, act } of steps) {
          const { stage, done } = running.get(attempt) ?? { stage: store.begin(), done: [] };
          running.set(attempt, { stage, done });
          if (typeof act === "function") {
            act(stage.state);
            done.push(act);
            continue;
          }
          running.delete(attempt);
          if (act === "roll back" || stage.conflicts().length > 0) {
            await stage.rollback();
            continue;
          }
          await stage.commit();
          for (const again of done) again(model);
          expect(store.state).toEqual(model);
          expect(orderOf(store.state)).toEqual(orderOf(model));
        }
        expect(store.state).toEqual(model);
      }),
    );
  });
});

function objectsIn(value: unknown, found = new Set<object>()): ReadonlySet<object> {
  if (typeof value !== "object" || value === null || found.has(value)) return found;
  found.add(value);
  if (ArrayBuffer.isView(value)) return found.add(value.buffer);
  if (value instanceof Map) for (const pair of value) for (const one of pair) objectsIn(one, found);
  if (value instanceof Set) for (const one of value) objectsIn(one, found);
  for (const name of Object.keys(value)) objectsIn(value[name as never], found);
  return found;
}

/** The keys of all objects, in their order; `toEqual` does not look at it. */
function orderOf(value: unknown): readonly unknown[] {
  return [...objectsIn(value)].map((one) =>
    one instanceof Map
      ? [...one.keys()].map((name) => (typeof name === "object" ? "object" : String(name)))
      : ArrayBuffer.isView(one)
        ? []
        : Object.keys(one),
  );
}
