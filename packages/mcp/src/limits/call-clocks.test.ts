import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Message } from "../wire/index.ts";
import { type CallClocks, createCallClocks, MOST_EXTENSIONS } from "./call-clocks.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const asks = (id: number, method = "elicitation/create"): Message => ({ id, method, params: {} });
const progressOf = (progressToken: unknown): Message => ({
  method: "notifications/progress",
  params: { progressToken, progress: 1 },
});

/** A call with a limit of a second, and whether its time is over. */
function limited(clocks: CallClocks, token = "t") {
  let isOver = false;
  const clock = clocks.start({ token, milliseconds: 1_000, onTime: () => (isOver = true) });
  return { clock, isOver: () => isOver };
}

describe("the clock of a call stands while", () => {
  test.each(["elicitation/create", "sampling/createMessage"])("%s is open", async (method) => {
    const clocks = createCallClocks();
    const way = limited(clocks);
    clocks.fromServer(asks(7, method));
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(way.isOver()).toBe(false);
    clocks.fromClient({ id: 7, result: {} });
    await vi.advanceTimersByTimeAsync(999);
    expect(way.isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(way.isOver()).toBe(true);
  });

  test("one of two questions is open", async () => {
    const clocks = createCallClocks();
    const way = limited(clocks);
    clocks.fromServer(asks(7));
    clocks.fromServer(asks(8));
    clocks.fromClient({ id: 7, error: {} });
    clocks.fromServer(progressOf("t"));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(way.isOver()).toBe(false);
    clocks.fromServer({ method: "notifications/cancelled", params: { requestId: 8 } });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(way.isOver()).toBe(true);
  });
});

test.each([
  ["a question that came before the call", [asks(7)], []],
  ["another request of the server", [], [asks(7, "roots/list")]],
  ["a ping", [], [asks(7, "ping")]],
  ["the progress of another call", [], [progressOf("u")]],
])("it runs on through %s", async (_, before, after) => {
  const clocks = createCallClocks();
  for (const message of before) clocks.fromServer(message);
  const way = limited(clocks);
  for (const message of after) clocks.fromServer(message);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(way.isOver()).toBe(true);
});

test("progress starts it anew, up to a cap", async () => {
  const clocks = createCallClocks();
  const way = limited(clocks);
  for (let passed = 0; passed < MOST_EXTENSIONS * 1_000 - 800; passed += 800) {
    clocks.fromServer(progressOf("t"));
    await vi.advanceTimersByTimeAsync(800);
    expect(way.isOver()).toBe(false);
  }
  clocks.fromServer(progressOf("t"));
  await vi.advanceTimersByTimeAsync(800);
  expect(way.isOver()).toBe(true);
});

test("a call that has ended is started by nothing", async () => {
  const clocks = createCallClocks();
  const way = limited(clocks);
  clocks.fromServer(asks(7));
  way.clock.stop();
  clocks.fromClient({ id: 7, result: {} });
  clocks.fromServer(progressOf("t"));
  expect(vi.getTimerCount()).toBe(0);
  expect(way.isOver()).toBe(false);
});
