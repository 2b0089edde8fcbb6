import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { scriptedWorkers } from "../../testing/scripted-worker.ts";
import type { Replay } from "../engine/index.ts";
import { EMPTY_STATE, type PlaygroundState } from "../state/index.ts";
import { BEGUN } from "./begun.ts";
import { createEngineClient } from "./engine-client.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const REPLAY: Replay = { faults: [], turns: [] };

function stateOf(call: string): PlaygroundState {
  return { ...EMPTY_STATE, call };
}

function scripted() {
  const { workers, start } = scriptedWorkers();
  return { client: createEngineClient(start), workers };
}

test("the newest state is replayed after the running one, those between are dropped", async () => {
  const { client, workers } = scripted();
  const replays = ["1", "2", "3"].map((call) => client.replay(stateOf(call)));
  expect(workers[0]?.requests).toEqual([stateOf("1")]);
  workers[0]?.answer(REPLAY);
  expect(workers[0]?.requests).toEqual([stateOf("1"), stateOf("3")]);
  workers[0]?.answer(REPLAY);
  expect(await Promise.all(replays)).toEqual([REPLAY, undefined, REPLAY]);
});

test("a replay that takes long gives way to a newer one, in another worker", async () => {
  const { client, workers } = scripted();
  const slow = client.replay(stateOf("1"));
  workers[0]?.answer(BEGUN);
  vi.advanceTimersByTime(900);
  const newer = client.replay(stateOf("2"));
  vi.advanceTimersByTime(99);
  expect(workers).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(workers[0]?.isTerminated).toBe(true);
  workers[1]?.answer(REPLAY);
  expect(await Promise.all([slow, newer])).toEqual([undefined, REPLAY]);
});

test("a worker that loads slowly is not replaced, and the time of its replay counts from then", async () => {
  const { client, workers } = scripted();
  const first = client.replay(stateOf("1"));
  const newer = client.replay(stateOf("2"));
  vi.advanceTimersByTime(60_000);
  expect(workers).toHaveLength(1);
  workers[0]?.answer(BEGUN);
  vi.advanceTimersByTime(999);
  expect(workers[0]?.isTerminated).toBe(false);
  vi.advanceTimersByTime(1);
  expect(workers[0]?.isTerminated).toBe(true);
  workers[1]?.answer(BEGUN);
  workers[1]?.answer(REPLAY);
  expect(await Promise.all([first, newer])).toEqual([undefined, REPLAY]);
});

test("a replay that takes long goes on if nothing newer waits", async () => {
  const { client, workers } = scripted();
  const slow = client.replay(stateOf("1"));
  vi.advanceTimersByTime(60_000);
  workers[0]?.answer(REPLAY);
  expect(await slow).toEqual(REPLAY);
});

test("stop ends the worker, what runs and what waits", async () => {
  const { client, workers } = scripted();
  const replays = ["1", "2"].map((call) => client.replay(stateOf(call)));
  client.stop();
  expect(await Promise.all(replays)).toEqual([undefined, undefined]);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true]);
});

test.each([
  ["json", "Uncaught Error: no", 0, "Error: no"],
  [
    "zod",
    "Uncaught ReferenceError: x is not defined",
    3,
    "ReferenceError: x is not defined (line 3)",
  ],
  ["json", undefined, 0, "The worker could not be started."],
  [
    "zod",
    undefined,
    0,
    "This is not JavaScript that can run here. Write one expression, or a module with `export default` that imports only zod.",
  ],
] as const)(
  "a worker for %s that fails with %j at line %i is a fault of the tool",
  async (language, said, lineno, message) => {
    const { client, workers } = scripted();
    const failed = client.replay({ ...EMPTY_STATE, tool: { language, text: "x" } });
    workers[0]?.fail(said, lineno);
    expect(await failed).toEqual({
      faults: [{ place: "Tool", severity: "error", message }],
      turns: [],
    });
  },
);
