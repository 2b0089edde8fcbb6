import { describe, expect, test } from "vitest";
import type { AttemptChange, AttemptStore } from "./attempt-store.ts";
import { createMemoryStore } from "./memory-store.ts";
import { type RetryTracker, createRetryTracker } from "./retry-tracker.ts";

const key = { conversationId: "chat-1", toolName: "write_file" };
const TOGETHER = 100;

/** Replicas on one store, each with a clock of its own; the engine's clock is the first one's, if it has one. */
function replicas(skews: readonly number[], hasClock: boolean, lateness = 0) {
  const time = { now: 1_000_000 };
  const memory = createMemoryStore({ clock: () => time.now });
  const store: AttemptStore = {
    ...memory,
    update: (name, change: AttemptChange) =>
      memory.update(name, (before) => {
        const now = hasClock ? time.now : undefined;
        time.now += lateness;
        return change(before, now);
      }),
  };
  const trackers = skews.map((skew) =>
    createRetryTracker({ scope: "run", maxAttempts: 9, store, clock: () => time.now + skew }),
  );
  return { time, trackers, skews };
}

/** Plays calls as `replica@milliseconds letter`, where the letter names the arguments, and returns their attempts. */
async function play(
  { time, trackers, skews }: ReturnType<typeof replicas>,
  script: string,
): Promise<string> {
  const start = time.now;
  const numbers: number[] = [];
  for (const [index, step] of script.split(" ").entries()) {
    const [, replica = "", made = "", counted = made, letter = ""] =
      /^(\d)@(\d+)(?:-(\d+))?(\w)$/.exec(step) ?? [];
    const at = start + Number(made) + (skews[Number(replica)] ?? 0);
    time.now = start + Number(counted);
    const call = { turnId: `call-${index}`, at, together: TOGETHER };
    const tracker = trackers[Number(replica)] as RetryTracker;
    if (letter === "v") {
      await tracker.recordValid(key, call);
    } else {
      const failure = { ...call, argumentsHash: letter, errors: [] };
      numbers.push((await tracker.recordFailure(key, failure)).attempt);
    }
  }
  return numbers.join(" ");
}

describe("calls that may be one turn, on replicas that share a store", () => {
  test.each([
    ["of one moment are one attempt", "0@0a 1@5b 2@9c 0@99d", "1 1 1 1"],
    ["later than the window are another", "0@0a 1@100b 2@199c 0@200d", "1 2 2 3"],
    ["with the arguments that were just rejected are another", "0@0a 1@5a 2@6b", "1 2 2"],
    ["with the arguments of a sibling are another", "0@0a 1@1b 2@5b", "1 1 2"],
    ["made before the first answer are one, whatever they hold", "0@0-20a 1@10-30a", "1 1"],
    ["are judged by when they were made, not counted", "0@0a 1@50-400b", "1 1"],
    ["of one turn stay with a valid sibling", "0@0a 1@200v 2@210b 0@400v 1@600b", "1 2 1"],
    ["a valid turn between them ends the count", "0@0a 1@200v 2@400b", "1 1"],
  ])("%s", async (_, script, attempts) => {
    expect(await play(replicas([0, 0, 0], false), script)).toBe(attempts);
    expect(await play(replicas([0, 0, 0], true), script)).toBe(attempts);
  });

  test("the engine's clock makes clocks that differ by minutes harmless", async () => {
    const script = "0@0a 1@5b 2@9c 0@200a 2@201b 1@500c";
    expect(await play(replicas([0, -90_000, 120_000], true), script)).toBe("1 1 1 2 2 3");
  });

  test("a process that is busy and reads the store's answer late does not take its call for an older one", async () => {
    expect(await play(replicas([0, 40], true, 60), "0@0a 1@5a 0@10a")).toBe("1 2 3");
    expect(await play(replicas([0, 40], true, 60), "0@0a 1@5b 0@99c")).toBe("1 1 1");
  });

  test("without it, a clock that is wrong splits a turn, and joins none of long ago", async () => {
    expect(await play(replicas([0, -90_000], false), "0@0a 1@5b 0@200a 1@205b")).toBe("1 2 3 4");
  });

  test("calls that name their turn are not joined, and one process still knows its own turns", async () => {
    const { trackers } = replicas([0], false);
    const [tracker] = trackers as [RetryTracker];
    const fail = async (turnId: string, more = {}): Promise<number> => {
      const failure = { turnId, argumentsHash: "a", errors: [], ...more };
      return (await tracker.recordFailure(key, failure)).attempt;
    };
    expect(await fail("1", { together: TOGETHER })).toBe(1);
    expect(await fail("1", { together: TOGETHER })).toBe(1);
    expect(await fail("2")).toBe(2);
    expect(await fail("3", { together: TOGETHER, argumentsHash: "b" })).toBe(3);
  });

  test("ids of any length are told apart and kept short", async () => {
    const memory = createMemoryStore();
    const sizes: number[] = [];
    const store: AttemptStore = {
      ...memory,
      update: (name, change) => {
        const update = memory.update(name, change);
        sizes.push(JSON.stringify(update.after).length);
        return update;
      },
    };
    const tracker = createRetryTracker({ scope: "run", maxAttempts: 9, store });
    const long = "x".repeat(100_000);
    const attempts: number[] = [];
    for (const step of ["1 1", "1 1", "2 1", "3 2", "3 2"]) {
      const [turn, run] = step.split(" ");
      const call = { turnId: `${long}${turn}`, runId: `${long}${run}` };
      const failure = { ...call, argumentsHash: "", errors: [] };
      attempts.push((await tracker.recordFailure(key, failure)).attempt);
    }
    expect(attempts).toEqual([1, 1, 2, 1, 1]);
    expect(Math.max(...sizes)).toBeLessThan(1_000);
  });
});

test("what was closed at once is closed for a call that is made after that, and not for one made before", async () => {
  const {
    time,
    trackers: [tracker],
  } = replicas([0], false);
  const before = { turnId: "1", at: time.now, together: TOGETHER };
  time.now += 10;
  const failure = { ...before, argumentsHash: "a", errors: [], closes: true };
  await tracker?.recordFailure(key, failure);
  const settled = async (call: typeof before) => (await tracker?.status(key, call))?.settled;
  expect(await settled({ ...before, turnId: "2", at: time.now - 5 })).toBe(false);
  expect(await settled({ ...before, turnId: "3", at: time.now })).toBe(true);
});
