import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isTimeLimit, sleep, startLimit, untilAborted, within } from "./index.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  const timers = vi.getTimerCount();
  vi.useRealTimers();
  if (timers > 0) throw new Error(`${timers} timers are left`);
});

const never = async (): Promise<never> => new Promise(() => undefined);
const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );

describe.each([
  ["within", (value: Promise<unknown>, signal: AbortSignal) => within(value, 50, signal)],
  ["untilAborted", (value: Promise<unknown>, signal: AbortSignal) => untilAborted(value, signal)],
])("%s", (_, wait) => {
  test("gives the value, or what it failed with, and leaves nothing behind", async () => {
    const { signal } = new AbortController();
    const failed = new Error("down");
    expect(await wait(Promise.resolve("done"), signal)).toBe("done");
    expect(await failureOf(wait(Promise.reject(failed), signal))).toBe(failed);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("an abort ends all that wait for one signal, which has one listener for them", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const waits = Array.from({ length: 12 }, () => failureOf(wait(never(), signal)));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    controller.abort("left");
    expect(await Promise.all(waits)).toEqual(waits.map(() => "left"));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("after the abort nothing is waited for, and a late rejection is nobody's", async () => {
    const signal = AbortSignal.abort("left");
    expect(await failureOf(wait(Promise.reject(new Error("late")), signal))).toBe("left");
  });
});

test("the end of the time is a time limit, which no error of a tool is", async () => {
  const waiting = failureOf(within(never(), 50));
  await vi.advanceTimersByTimeAsync(50);
  expect(isTimeLimit(await waiting)).toBe(true);
  expect([new DOMException("", "TimeoutError"), "late", null].filter(isTimeLimit)).toEqual([]);
});

describe("a limit over several steps", () => {
  test("ends the step that runs, aborts its signal, and starts no other", async () => {
    const limit = startLimit({ milliseconds: 50 });
    const { signal } = limit;
    expect(await limit.race(() => "first")).toBe("first");
    const second = failureOf(limit.race(never));
    await vi.advanceTimersByTimeAsync(50);
    const reason = await second;
    expect(isTimeLimit(reason)).toBe(true);
    expect(signal.reason).toBe(reason);
    const third = vi.fn<() => string>(() => "third");
    expect(await failureOf(limit.race(third))).toBe(reason);
    expect(third).not.toHaveBeenCalled();
  });

  test("a signal that is asked for late has aborted too", async () => {
    const limit = startLimit({ signal: AbortSignal.abort("left") });
    expect(limit.signal).toMatchObject({ aborted: true, reason: "left" });
  });

  test("the failure of a wait may say more than the reason of the signal", async () => {
    const limit = startLimit({ milliseconds: 50, failureOf: ({ name }) => `tool: ${name}` });
    const step = failureOf(limit.race(never));
    await vi.advanceTimersByTimeAsync(50);
    expect(await step).toBe("tool: TimeoutError");
    expect(limit.signal.reason).toMatchObject({ message: "No answer within 50 ms" });
  });

  test("a step that throws at once is a rejection", async () => {
    const limit = startLimit({ milliseconds: 50 });
    const step = limit.race(() => {
      throw new Error("down");
    });
    await expect(step).rejects.toThrow("down");
    limit.stop();
  });
});

test("sleep ends with its time or early with the signal, and never fails", async () => {
  const controller = new AbortController();
  const [short, long, aborted] = [
    sleep(10),
    sleep(1_000_000, controller.signal),
    sleep(1_000_000, AbortSignal.abort()),
  ];
  await aborted;
  await vi.advanceTimersByTimeAsync(10);
  await short;
  controller.abort();
  expect(await long).toBeUndefined();
});

test("what ends a limit first is what its waits fail with", async () => {
  const limit = startLimit({ milliseconds: 50 });
  const early = failureOf(limit.race(never));
  limit.end("first");
  limit.end("second");
  limit.arm(10);
  expect(await early).toBe("first");
  expect(await failureOf(limit.race(never))).toBe("first");
});
