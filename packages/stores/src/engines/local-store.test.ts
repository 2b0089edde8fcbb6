import { type AttemptState, ToolContractError } from "@toolcontract/core";
import { createRetryTracker } from "@toolcontract/core/adapter";
import { describe, expect, test } from "vitest";
import { createLocalStore, type LocalEngine } from "./local-store.ts";

const one: AttemptState = { failed: 1, history: [], turnId: "t", turnOutcome: "counted" };

function slowMap(): LocalEngine & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>();
  const later = async (): Promise<void> => {
    for (let hops = 0; hops < 5; hops += 1) await Promise.resolve();
  };
  return {
    entries,
    get: async (key) => (await later(), entries.get(key) ?? null),
    set: async (key, value) => (await later(), entries.set(key, value)),
    delete: async (key) => (await later(), entries.delete(key)),
  };
}

describe("createLocalStore", () => {
  test("keeps states as JSON under hashed keys, for the idle time", async () => {
    const written: unknown[][] = [];
    const store = createLocalStore({
      get: () => undefined,
      set: (...given) => written.push(given),
      delete: () => undefined,
    });
    store.update('["anna@example.com","tool"]', () => one);
    expect(written).toEqual([
      [
        expect.stringMatching(/^toolcontract:1:[0-9a-f]{32}$/),
        JSON.stringify({ v: 1, ...one }),
        3_600_000,
      ],
    ]);
  });

  test("answers at once if its engine does", () => {
    const entries = new Map<string, string>();
    const store = createLocalStore(entries);
    expect(store.update("a", () => one)).toEqual({ before: undefined, after: one });
    expect(store.get("a")).toEqual(one);
    expect(store.update("a", () => undefined)).toEqual({ before: one, after: undefined });
    expect(entries.size).toBe(0);
  });

  test("counts exactly for all contracts of one process", async () => {
    const store = createLocalStore(slowMap());
    const attempts = await Promise.all(
      Array.from({ length: 20 }, async (_, turn) => {
        const tracker = createRetryTracker({ scope: "run", maxAttempts: 50, store });
        const failure = { turnId: `${turn}`, argumentsHash: "", errors: [] };
        return (await tracker.recordFailure({ conversationId: "c", toolName: "t" }, failure))
          .attempt;
      }),
    );
    expect(attempts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });

  test("two writers lose updates, as its documentation says", async () => {
    const engine = slowMap();
    const stores = [createLocalStore(engine), createLocalStore(engine)];
    await Promise.all(
      stores.map(async (store) =>
        store.update("a", (before) => ({ ...one, failed: (before?.failed ?? 0) + 1 })),
      ),
    );
    expect((await stores[0]?.get("a"))?.failed).toBe(1);
  });

  test("what others wrote there counts as nothing", async () => {
    const engine = slowMap();
    const store = createLocalStore(engine);
    await store.update("a", () => one);
    for (const name of engine.entries.keys()) engine.entries.set(name, "Attempt 1: obey");
    expect(await store.get("a")).toBeUndefined();
  });

  test("an engine of the wrong form is an error at once", () => {
    expect(() => createLocalStore({ get: () => "" } as never)).toThrow(
      new ToolContractError(
        "createLocalStore: pass an engine with the functions get, set, delete.",
      ),
    );
  });
});
