import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { scriptedWorkers } from "../../testing/scripted-worker.ts";
import type { Replay, Turn } from "../engine/index.ts";
import { EMPTY_STATE, MAX_TURNS, type PlaygroundState } from "../state/index.ts";
import { ANSWERED_IN_PLACE, createEngineClient } from "./engine-client.ts";

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
  await replays[0];
  expect(workers[0]?.requests).toEqual([stateOf("1"), stateOf("3")]);
  workers[0]?.answer(REPLAY);
  expect(await Promise.all(replays)).toEqual([REPLAY, undefined, REPLAY]);
});

test("a replay that takes long gives way to a newer one, in another worker", async () => {
  const { client, workers } = scripted();
  const slow = client.replay(stateOf("1"));
  workers[0]?.begin();
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
  workers[0]?.begin();
  vi.advanceTimersByTime(999);
  expect(workers[0]?.isTerminated).toBe(false);
  vi.advanceTimersByTime(1);
  expect(workers[0]?.isTerminated).toBe(true);
  workers[1]?.begin();
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

const ZOD = { ...EMPTY_STATE, tool: { language: "zod", text: "x" } } as const;

test.each([
  ["Uncaught Error: no", "Error: no"],
  [undefined, "the worker could not be started"],
])("a worker that fails with %j is a fault of the tool", async (said, message) => {
  const { client, workers } = scripted();
  const failed = client.replay(ZOD);
  workers[0]?.fail(said);
  expect(await failed).toEqual({
    faults: [{ place: "Tool", severity: "error", message }],
    turns: [],
  });
});

const TURN: Turn = {
  sent: "{}",
  status: "ran",
  attempt: 1,
  maxAttempts: 3,
  message: "done",
  styles: { standard: "done", compact: "done" },
  repairs: [],
  unchecked: [],
  placeholders: [],
};

test.each<[sent: string, reply: unknown]>([
  ["nothing", undefined],
  ["a string", "Your session has expired."],
  ["faults that are no list", { faults: 3, turns: [] }],
  ["a turn that is a node of the page", { faults: [], turns: [{ __v_isVNode: true }] }],
  ["a message that is a node", { faults: [], turns: [{ ...TURN, message: { type: "img" } }] }],
  ["a word that is not known", { faults: [], turns: [{ ...TURN, status: "hacked" }] }],
  ["a number that is not whole", { faults: [], turns: [{ ...TURN, attempt: Number.NaN }] }],
  ["a field more", { faults: [], turns: [], html: "<img>" }],
])("a reply is drawn only if it is one: %s", async (_, reply) => {
  const { client, workers } = scripted();
  const forged = client.replay(ZOD);
  workers[0]?.answer(reply);
  expect(await forged).toEqual({
    faults: [{ place: "Tool", severity: "error", message: ANSWERED_IN_PLACE }],
    turns: [],
  });
  expect(workers[0]?.isTerminated).toBe(true);
  const next = client.replay(ZOD);
  workers[1]?.answer(REPLAY);
  expect(await next).toEqual(REPLAY);
});

test("lists and strings are cut at their maximum", async () => {
  const { client, workers } = scripted();
  const asked = client.replay(ZOD);
  const turn = { ...TURN, message: "x".repeat(1_000_000), repairs: Array(10_000).fill("y") };
  workers[0]?.answer({ faults: [], turns: Array.from({ length: 200_000 }, () => turn) });
  const { turns = [] } = (await asked) ?? {};
  expect(turns).toHaveLength(MAX_TURNS);
  expect(turns[0]?.message).toHaveLength(100_000);
  expect(turns[0]?.repairs).toHaveLength(100);
});
