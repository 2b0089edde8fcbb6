import type { AttemptState } from "@toolcontract/core";
import { type StoreCase, openAll } from "./harness.ts";
import { same } from "./same.ts";

const NAME = '["chat","tool"]';

function stateAfter(failed: number): AttemptState {
  return { failed, history: [], turnId: "t", turnOutcome: "counted" };
}

/** What `get`, `update` and `delete` must do by themselves. */
export const UPDATE_CASES: readonly StoreCase[] = [
  {
    name: "what was never stored is null or undefined, and change() gets undefined",
    async run(harness) {
      const { stores } = await openAll(harness, 1);
      same((await stores[0]?.get(NAME)) ?? "nothing", "nothing", "get");
      const update = await stores[0]?.update(NAME, (before) => before);
      same([update?.before, update?.after], [undefined, undefined], "an update of nothing");
    },
  },
  {
    name: "an update says what it found and what it left",
    async run(harness) {
      const { stores } = await openAll(harness, 2);
      await stores[0]?.update(NAME, () => stateAfter(1));
      const update = await stores[1]?.update(NAME, () => stateAfter(2));
      same([update?.before, update?.after], [stateAfter(1), stateAfter(2)], "the update");
      same(await stores[0]?.get(NAME), stateAfter(2), "what is kept");
    },
  },
  {
    name: "data of 64 kB that is kept in place of attempts is read as it was written",
    async run(harness) {
      const { stores } = await openAll(harness, 2);
      for (const output of [
        "x".repeat(65_000),
        { lines: ["é\u2028😀", null, { quantity: 2.5 }] },
      ]) {
        const state = { ...stateAfter(1), kept: { output } };
        await stores[0]?.update(NAME, () => state);
        same(await stores[1]?.get(NAME), state, "what another process reads");
      }
    },
  },
  {
    name: "undefined removes, and so does delete()",
    async run(harness) {
      const { stores } = await openAll(harness, 2);
      await stores[0]?.update(NAME, () => stateAfter(1));
      await stores[1]?.update(NAME, () => undefined);
      same((await stores[0]?.get(NAME)) ?? "nothing", "nothing", "after an update to undefined");
      await stores[0]?.update(NAME, () => stateAfter(1));
      await stores[1]?.delete(NAME);
      same((await stores[0]?.get(NAME)) ?? "nothing", "nothing", "after delete()");
    },
  },
  {
    name: "what change() throws is thrown, and nothing is written",
    async run(harness) {
      const { stores } = await openAll(harness, 1);
      await stores[0]?.update(NAME, () => stateAfter(1));
      const thrown = new Error("a mistake of the caller");
      const caught = await (async () =>
        stores[0]?.update(NAME, () => {
          throw thrown;
        }))().catch((error: unknown) => error);
      same(caught === thrown, true, "what was caught is what was thrown");
      same(await stores[0]?.get(NAME), stateAfter(1), "what is kept");
    },
  },
  {
    name: "updates of one key follow each other, from any number of stores at once",
    async run(harness) {
      const { stores } = await openAll(harness, 4);
      const counts = Array.from({ length: 40 }, (_, index) => index);
      const found = await Promise.all(
        counts.map(async (index) => {
          const store = stores[index % stores.length];
          const update = await store?.update(NAME, (before) =>
            stateAfter((before?.failed ?? 0) + 1),
          );
          return update?.before?.failed ?? 0;
        }),
      );
      same(
        found.toSorted((one, other) => one - other),
        counts,
        "what the updates found",
      );
    },
  },
];
