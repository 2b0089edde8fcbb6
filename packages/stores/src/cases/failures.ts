import { type AttemptStore, type RetryTracker } from "@toolcontract/core";
import { createRetryTracker, sleep } from "@toolcontract/core/adapter";
import { withFallback } from "../fallback/index.ts";
import { type StoreCase, openAll } from "./harness.ts";
import { same } from "./same.ts";

const KEY = { conversationId: "chat", toolName: "tool" };
const PAUSE = 50;

/** What an engine between a process and its store does. */
type Mode = "up" | "slow" | "hanging" | "down";

/** A store behind an engine that can be slow, hang or fail; what hangs goes on once the engine is up. */
function behind(store: AttemptStore): { readonly store: AttemptStore; become(mode: Mode): void } {
  let mode: Mode = "up";
  let release: () => void = () => undefined;
  let isUp: Promise<void> = Promise.resolve();

  async function pass<T>(task: () => T | PromiseLike<T>): Promise<T> {
    if (mode === "down") throw new Error("The engine is down.");
    if (mode === "hanging") await isUp;
    if (mode === "slow") await sleep(1);
    return task();
  }
  return {
    become(next) {
      mode = next;
      release();
      if (next === "hanging") isUp = new Promise((resolve) => (release = resolve));
    },
    store: {
      get: async (key) => pass(() => store.get(key)),
      update: async (key, change) => pass(() => store.update(key, change)),
      delete: async (key) => pass(() => store.delete(key)),
    },
  };
}

let turns = 0;
async function failAttempt(tracker: RetryTracker | undefined): Promise<number | undefined> {
  turns += 1;
  const failure = { turnId: `failure-${turns}`, argumentsHash: "", errors: [] };
  return (await tracker?.recordFailure(KEY, failure))?.attempt;
}

function trackerOn(store: AttemptStore | undefined): RetryTracker {
  return createRetryTracker({ scope: "thread", maxAttempts: 100, ...(store && { store }) });
}

/** An engine that is slow, hangs, fails, was poisoned, or loses everything. */
export const FAILURE_CASES: readonly StoreCase[] = [
  {
    name: "a slow engine counts exactly",
    async run(harness) {
      const { stores } = await openAll(harness, 3);
      const engines = stores.map(behind);
      for (const engine of engines) engine.become("slow");
      const trackers = engines.map(({ store }) =>
        trackerOn(withFallback(store, { timeLimit: 60_000 })),
      );
      const attempts = await Promise.all(
        Array.from({ length: 30 }, async (_, index) =>
          failAttempt(trackers[index % trackers.length]),
        ),
      );
      same(Math.max(...attempts.map(Number)), 30, "the last of 30 failures");
    },
  },
  {
    name: "an engine that hangs: counting goes on, nothing is written late, and the counts are merged",
    async run(harness) {
      const { stores } = await openAll(harness, 2);
      const [own, other] = stores;
      if (!own || !other) return;
      const engine = behind(own);
      const store = withFallback(engine.store, { timeLimit: 1_000, pause: PAUSE });
      const tracker = trackerOn(store);
      same(await failAttempt(tracker), 1, "before");
      engine.become("hanging");
      // One late answer is a busy machine, three in a row are an outage.
      for (const attempt of [2, 3, 4]) {
        const isOutage = attempt === 4;
        same(
          [await failAttempt(tracker), store.outage !== undefined],
          [attempt, isOutage],
          "a call that waits",
        );
      }
      same(await failAttempt(tracker), 5, "a call in the pause");
      engine.become("up");
      await sleep(PAUSE * 2);
      same((await trackerOn(other).status(KEY)).attempt, 1, "what another process reads then");
      same(
        [await failAttempt(tracker), store.outage !== undefined],
        [6, false],
        "the call after the pause",
      );
      same(await failAttempt(trackerOn(other)), 7, "another process after that");
    },
  },
  {
    name: "an engine that fails: counting goes on, and the higher count wins",
    async run(harness) {
      const { stores } = await openAll(harness, 2);
      const [own, other] = stores;
      if (!own || !other) return;
      const engine = behind(own);
      const store = withFallback(engine.store, { timeLimit: 1_000, pause: PAUSE });
      const tracker = trackerOn(store);
      await failAttempt(tracker);
      engine.become("down");
      same([await failAttempt(tracker), await failAttempt(tracker)], [2, 3], "during the outage");
      for (const attempt of [2, 3, 4, 5])
        same(await failAttempt(trackerOn(other)), attempt, "another process");
      engine.become("up");
      await sleep(PAUSE * 2);
      same(await failAttempt(tracker), 6, "after the outage");
    },
  },
];

/** Values that are not a state of this version, and one with instructions for the model. */
const POISON: readonly (readonly [name: string, value: string])[] = [
  ["empty", ""],
  ["short", "x"],
  ["no JSON", "0123456789abcdef{"],
  [
    "of a later version",
    '0123456789abcdef{"v":2,"failed":2,"history":[],"turnId":"t","turnOutcome":"counted"}',
  ],
  ["huge", "9".repeat(1_000_000)],
  ["not ASCII", "é\u0000\u2028😀".repeat(20)],
];

export const POISON_CASES: readonly StoreCase[] = POISON.map(([name, value]) => ({
  name: `a foreign value counts as nothing and is replaced: ${name}`,
  async run(harness) {
    const { place, stores } = await openAll(harness, 2);
    const [one, other] = stores.map((store) => trackerOn(store));
    await failAttempt(one);
    await failAttempt(one);
    await harness.poison?.(place, value);
    same((await other?.status(KEY))?.attempt, 0, "what is read");
    same([await failAttempt(other), await failAttempt(one)], [1, 2], "the next failures");
  },
}));

export const LOSS_CASES: readonly StoreCase[] = [
  {
    name: "an engine that loses everything counts from the start, exactly",
    async run(harness) {
      const { place, stores } = await openAll(harness, 2);
      const trackers = stores.map((store) => trackerOn(store));
      for (const attempt of [1, 2]) same(await failAttempt(trackers[0]), attempt, "before");
      await harness.clear?.(place);
      for (const attempt of [1, 2])
        same(await failAttempt(trackers[attempt - 1]), attempt, "after");
    },
  },
];
