import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ToolFailed } from "../shared/index.ts";
import { iterateWithTimeout, withTimeout } from "./index.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  const timers = vi.getTimerCount();
  vi.useRealTimers();
  if (timers > 0) throw new Error(`${timers} timers are left`);
});

/** Resolves with what a promise was rejected with; attached at once, as a caller's `await` is. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
const never = (): Promise<never> => new Promise(() => undefined);

/** An abort signal that knows its listeners. */
function countedSignal(): {
  readonly controller: AbortController;
  readonly listeners: () => number;
} {
  const controller = new AbortController();
  const add = vi.spyOn(controller.signal, "addEventListener");
  const remove = vi.spyOn(controller.signal, "removeEventListener");
  return {
    controller,
    listeners: () =>
      add.mock.calls.length - new Set(remove.mock.calls.map(([, listener]) => listener)).size,
  };
}

describe("withTimeout", () => {
  test.each([
    ["a promise", () => Promise.resolve("done")],
    ["a value", () => "done"],
    ["a thenable", () => ({ then: (resolve: (value: string) => void) => resolve("done") })],
  ])("returns %s", async (_, run) => {
    const { controller, listeners } = countedSignal();
    const limit = { milliseconds: 50, signal: controller.signal };
    expect(await withTimeout(run as () => Promise<string>, limit)).toBe("done");
    expect(listeners()).toBe(0);
  });

  test.each([
    ["rejects", () => Promise.reject(new Error("DB down"))],
    [
      "throws at once",
      () => {
        throw new Error("DB down");
      },
    ],
  ])("passes on what a tool %s with", async (_, run) => {
    await expect(withTimeout<unknown>(run, { milliseconds: 50 })).rejects.toThrow("DB down");
  });

  test("without milliseconds nothing is given up", async () => {
    const late = new Promise((resolve) => setTimeout(resolve, 1e9, "late"));
    const result = withTimeout(() => late, { milliseconds: undefined });
    await vi.advanceTimersByTimeAsync(1e9);
    expect(await result).toBe("late");
  });

  test("a limit longer than timers can be does not fire at once", async () => {
    const late = new Promise((resolve) => setTimeout(resolve, 1_000, "late"));
    const result = withTimeout(() => late, { milliseconds: 1e12 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await result).toBe("late");
  });

  test("is over on time, with the model's text, and fires the tool's signal", async () => {
    let seen: AbortSignal | undefined;
    const failure = failureOf(
      withTimeout(
        (signal) => {
          seen = signal;
          return never();
        },
        { milliseconds: 60 },
      ),
    );
    await vi.advanceTimersByTimeAsync(59);
    expect(seen?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const error = await failure;
    expect(error).toBeInstanceOf(ToolFailed);
    expect(String(error)).toBe("(tool failed: timeout)");
    expect(seen?.aborted).toBe(true);
    expect(seen?.reason).toMatchObject({ name: "TimeoutError" });
  });

  test.each([
    ["a late result", () => "late"],
    [
      "a late error",
      () => {
        throw new Error("late");
      },
    ],
  ])("drops %s without an unhandled rejection", async (_, end) => {
    const unhandled = vi.fn<(reason: unknown) => void>();
    process.on("unhandledRejection", unhandled);
    const late = vi.fn<() => unknown>(end);
    const failure = failureOf(
      withTimeout(
        () =>
          new Promise((resolve) => {
            setTimeout(resolve, 500);
          }).then(late),
        { milliseconds: 10 },
      ),
    );
    await vi.advanceTimersByTimeAsync(10);
    expect(String(await failure)).toBe("(tool failed: timeout)");
    await vi.advanceTimersByTimeAsync(500);
    expect(late).toHaveBeenCalledOnce();
    vi.useRealTimers();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    vi.useFakeTimers();
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test("a tool that answers its abort with another error is still a timeout", async () => {
    const failure = failureOf(
      withTimeout(
        (signal) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(new Error("interrupted")));
          }),
        { milliseconds: 10 },
      ),
    );
    await vi.advanceTimersByTimeAsync(10);
    expect(String(await failure)).toBe("(tool failed: timeout)");
  });

  test("the caller's abort ends the wait with its reason, also for a deaf tool", async () => {
    const { controller, listeners } = countedSignal();
    let seen: AbortSignal | undefined;
    const run = (signal: AbortSignal): Promise<never> => {
      seen = signal;
      return never();
    };
    const failure = failureOf(withTimeout(run, { milliseconds: 50, signal: controller.signal }));
    const reason = new Error("user left");
    controller.abort(reason);
    expect(await failure).toBe(reason);
    expect(seen?.reason).toBe(reason);
    expect(listeners()).toBe(0);
  });

  test("a signal that has fired before: the tool does not start", async () => {
    const run = vi.fn<() => string>(() => "ran");
    const reason = new Error("user left");
    const limit = { milliseconds: 50, signal: AbortSignal.abort(reason) };
    expect(await failureOf(withTimeout(run, limit))).toBe(reason);
    expect(run).not.toHaveBeenCalled();
  });

  test.each([0, -1, Number.NaN, "50"])("a limit of %j is refused", async (milliseconds) => {
    await expect(withTimeout(never, { milliseconds: milliseconds as number })).rejects.toThrow(
      "`milliseconds` must be a number above 0",
    );
  });
});

describe("iterateWithTimeout", () => {
  /** Yields its steps, each after a delay, and records how it ended. */
  function stream(delays: readonly number[], ended: string[]) {
    return async function* steps(signal: AbortSignal): AsyncGenerator<number> {
      try {
        for (const [index, delay] of delays.entries()) {
          await new Promise((resolve) => {
            setTimeout(resolve, delay);
          });
          yield index;
        }
        ended.push("end");
      } finally {
        ended.push(signal.aborted ? "returned, aborted" : "returned");
      }
    };
  }
  async function readAll(iterable: AsyncIterable<number>, into: number[]): Promise<void> {
    for await (const value of iterable) into.push(value);
  }

  test("passes everything on", async () => {
    const ended: string[] = [];
    const values: number[] = [];
    const reading = readAll(
      iterateWithTimeout(stream([5, 5], ended), { milliseconds: 50 }),
      values,
    );
    await vi.advanceTimersByTimeAsync(10);
    await reading;
    expect(values).toEqual([0, 1]);
    expect(ended).toEqual(["end", "returned"]);
  });

  test("one limit for all of it; the tool is returned", async () => {
    const ended: string[] = [];
    const values: number[] = [];
    const iterable = iterateWithTimeout(stream([20, 20, 20], ended), { milliseconds: 50 });
    const failure = failureOf(readAll(iterable, values));
    await vi.advanceTimersByTimeAsync(50);
    expect(String(await failure)).toBe("(tool failed: timeout)");
    expect(values).toEqual([0, 1]);
    await vi.advanceTimersByTimeAsync(10);
    expect(ended).toEqual(["returned, aborted"]);
  });

  test("a reader that comes back too late reads the timeout; the tool is returned", async () => {
    const ended: string[] = [];
    const iterator = iterateWithTimeout(stream([5, 5], ended), { milliseconds: 50 });
    const first = iterator.next();
    await vi.advanceTimersByTimeAsync(5);
    expect(await first).toEqual({ done: false, value: 0 });
    await vi.advanceTimersByTimeAsync(50);
    expect(String(await failureOf(iterator.next()))).toBe("(tool failed: timeout)");
    expect(ended).toEqual(["returned, aborted"]);
  });

  test("a reader that leaves early ends the tool", async () => {
    const ended: string[] = [];
    const { controller, listeners } = countedSignal();
    const limit = { milliseconds: 50, signal: controller.signal };
    const iterator = iterateWithTimeout(stream([5, 5], ended), limit);
    const first = iterator.next();
    await vi.advanceTimersByTimeAsync(5);
    await first;
    await iterator.return();
    expect(ended).toEqual(["returned"]);
    expect(listeners()).toBe(0);
  });

  test("a reader that leaves early waits for the tool's clean-up", async () => {
    let isClean = false;
    async function* slow(): AsyncGenerator<number> {
      try {
        yield 1;
        yield 2;
      } finally {
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
        isClean = true;
      }
    }
    const iterator = iterateWithTimeout(slow, { milliseconds: 50 });
    await iterator.next();
    const left = iterator.return().then(() => isClean);
    await vi.advanceTimersByTimeAsync(5);
    expect(await left).toBe(true);
  });

  test.each([
    ["never ends its clean-up", never],
    ["fails at its clean-up", () => Promise.reject(new Error("late"))],
    [
      "throws at its clean-up",
      () => {
        throw new Error("late");
      },
    ],
    ["cannot be returned", undefined],
  ])("a tool that %s is given up on time", async (_, end) => {
    const deaf = {
      [Symbol.asyncIterator]: () => ({ next: never, ...(end && { return: end }) }),
    } as AsyncIterable<number>;
    const failure = failureOf(
      readAll(
        iterateWithTimeout(() => deaf, { milliseconds: 10 }),
        [],
      ),
    );
    await vi.advanceTimersByTimeAsync(10);
    expect(String(await failure)).toBe("(tool failed: timeout)");
  });

  test.each([
    ["first", 0],
    ["next", 1],
  ])(
    "an error at the tool's %s step is passed on, and it is not returned after it",
    async (_, steps) => {
      const end = vi.fn<() => Promise<{ done: true; value: undefined }>>();
      let made = 0;
      const failing = {
        [Symbol.asyncIterator]: () => ({
          async next() {
            if (made === steps) throw new Error("DB down");
            made += 1;
            return { done: false, value: made };
          },
          return: end,
        }),
      } as AsyncIterable<number>;
      const reading = readAll(
        iterateWithTimeout(() => failing, { milliseconds: 10 }),
        [],
      );
      await expect(reading).rejects.toThrow("DB down");
      expect(end).not.toHaveBeenCalled();
    },
  );

  test.each([
    ["throws", () => expect.unreachable("no stream")],
    ["returns no stream", () => "text"],
  ])("a tool that %s", async (_, run) => {
    const iterable = iterateWithTimeout<number>(run as never, { milliseconds: 10 });
    await expect(readAll(iterable, [])).rejects.toThrow();
  });

  test("the caller's abort ends the wait with its reason", async () => {
    const ended: string[] = [];
    const { controller, listeners } = countedSignal();
    const limit = { milliseconds: 50, signal: controller.signal };
    const failure = failureOf(readAll(iterateWithTimeout(stream([20], ended), limit), []));
    await vi.advanceTimersByTimeAsync(1);
    controller.abort(new Error("user left"));
    expect(await failure).toEqual(new Error("user left"));
    await vi.advanceTimersByTimeAsync(20);
    expect(ended).toEqual(["returned, aborted"]);
    expect(listeners()).toBe(0);
  });
});
