import { ToolContractError } from "@toolcontract/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProviderError, EMPTY_NOTICE, type ErrorKind, TurnFailed } from "../shared/index.ts";
import { type RequestOptions, type FailedRequest, runRequests } from "./run-requests.ts";

type Step = { readonly fails: unknown } | { readonly answers: string } | "hangs";

interface Script extends Partial<RequestOptions<string, string>> {
  readonly steps: readonly Step[];
}

interface Played {
  readonly answer: string | undefined;
  readonly error: TurnFailed | undefined;
  /** The target of each call. */
  readonly calls: readonly string[];
  readonly notices: readonly (string | undefined)[];
  /** What was slept, by a clock that stands still but for the sleep. */
  readonly waits: readonly number[];
  readonly failed: readonly FailedRequest<string>[];
}

/** Plays a script on targets that do what it says, with a clock that only sleeping moves. */
async function play({ steps, ...options }: Script): Promise<Played> {
  const calls: string[] = [];
  const notices: (string | undefined)[] = [];
  const waits: number[] = [];
  const failed: FailedRequest<string>[] = [];
  let now = 1_000_000;
  const run = runRequests<string, string>({
    targets: ["a", "b"],
    maxRetries: 4,
    rateLimitWait: "always",
    clock: () => now,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      now += milliseconds;
    },
    onFailed: (attempt) => void failed.push(attempt),
    call: async (target, { number, notice }) => {
      calls.push(target);
      notices.push(notice);
      expect(number).toBe(calls.length);
      const step = steps[number - 1] ?? { answers: "late" };
      if (step === "hangs") return new Promise<never>(() => {});
      if ("fails" in step) throw step.fails;
      return step.answers;
    },
    ...options,
  });
  const [answer, error] = await run.then(
    (value) => [value, undefined] as const,
    (thrown: unknown) => [undefined, thrown] as const,
  );
  // A fault of the options is for the test itself.
  if (error instanceof ToolContractError) throw error;
  if (error !== undefined) expect(error).toBeInstanceOf(TurnFailed);
  return { answer, error: error as TurnFailed | undefined, calls, notices, waits, failed };
}

const fails = (error: unknown): Step => ({ fails: error });
const limited = (seconds?: number): Step =>
  fails({ status: 429, headers: seconds === undefined ? {} : { "retry-after": String(seconds) } });
const DOWN = fails({ status: 500, message: "down" });
const ANSWER: Step = { answers: "ok" };

describe("targets take turns", () => {
  test("until one answers", async () => {
    const played = await play({ steps: [limited(7), DOWN, limited(), ANSWER] });
    expect(played.answer).toBe("ok");
    expect(played.calls).toEqual(["a", "b", "a", "b"]);
    expect(played.waits).toEqual([7_000, 1_000]);
  });

  test.each<readonly [number, readonly string[]]>([
    [1, ["a"]],
    [2, ["a", "b"]],
    [5, ["a", "b", "c", "a", "b"]],
  ])("%i attempts in total", async (maxRetries, calls) => {
    const steps = Array.from({ length: 9 }, () => DOWN);
    const played = await play({ steps, maxRetries, targets: ["a", "b", "c"] });
    expect(played.calls).toEqual(calls);
    expect(played.error).toMatchObject({ kind: "model", message: "down", attempts: maxRetries });
    expect(played.waits).toEqual([]);
  });
});

describe("the waits of rate limits", () => {
  const cases: readonly (readonly [
    string,
    readonly string[],
    readonly Step[],
    readonly number[],
  ])[] = [
    [
      "double from one second to a minute",
      ["a"],
      Array.from({ length: 9 }, () => limited()),
      [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000],
    ],
    ["are those that are given", ["a"], [limited(7), limited(0.5), ANSWER], [7_000, 500]],
    ["are those that are given, also a whole minute", ["a"], [limited(60), ANSWER], [60_000]],
    ["end for a target that asks for more", ["a", "b"], [limited(61), DOWN, ANSWER], []],
    ["may be given as none", ["a"], [limited(0), ANSWER], []],
    [
      "are a minute after a cycle of two targets",
      ["a", "b"],
      [limited(), limited(), limited(), limited(), ANSWER],
      [1_000, 60_000, 4_000, 60_000],
    ],
    [
      "are a minute after a cycle of three targets",
      ["a", "b", "c"],
      [limited(), limited(), limited(), limited(), ANSWER],
      [1_000, 2_000, 60_000, 8_000],
    ],
    [
      "are what is given, also after a cycle",
      ["a", "b"],
      [limited(3), limited(4), ANSWER],
      [3_000, 4_000],
    ],
    [
      "start again after another error",
      ["a"],
      [limited(), limited(), DOWN, limited(), limited(), ANSWER],
      [1_000, 2_000, 1_000, 2_000],
    ],
    [
      "of a cycle start again after another error",
      ["a", "b"],
      [limited(), DOWN, limited(), limited(), ANSWER],
      [1_000, 1_000, 60_000],
    ],
    [
      "are none after other errors",
      ["a", "b"],
      [
        DOWN,
        fails(new TypeError("fetch failed")),
        fails({ status: 503, headers: { "retry-after": "9" } }),
        ANSWER,
      ],
      [],
    ],
  ];
  test.each(cases)("%s", async (_, targets, steps, waits) => {
    const played = await play({ targets, steps, maxRetries: 10 });
    expect(played.waits).toEqual(waits);
  });

  test("none follows the last attempt", async () => {
    const played = await play({ steps: [limited(), limited(), limited()], maxRetries: 3 });
    expect(played.waits).toEqual([1_000, 60_000]);
    expect(played.error).toMatchObject({ kind: "rate_limit", attempts: 3 });
    expect(played.failed.map(({ waits }) => waits)).toEqual([1_000, 60_000, undefined]);
  });

  const sameTarget: typeof cases = [
    ["are left out before another target", ["a", "b"], [limited(7), ANSWER], []],
    ["are kept before the same target", ["a"], [limited(7), limited(), ANSWER], [7_000, 2_000]],
    ["are kept until the target's turn comes", ["a", "b"], [limited(7), DOWN, ANSWER], [7_000]],
    [
      "are each target's own",
      ["a", "b"],
      [limited(7), limited(30), limited(2), ANSWER],
      [7_000, 23_000],
    ],
    [
      "are a minute after a cycle without given times",
      ["a", "b"],
      [limited(), limited(), ANSWER],
      [60_000],
    ],
    [
      "are a minute if the next target gave none",
      ["a", "b"],
      [limited(), limited(9), ANSWER],
      [60_000],
    ],
  ];
  test.each<readonly [string, Script, readonly string[], readonly number[]]>([
    [
      "is not asked again, in this turn or the next",
      { steps: [limited(3_600), DOWN, DOWN, ANSWER], targets: ["a", "b", "c"] },
      ["a", "b", "c", "b"],
      [],
    ],
    ["ends the turn if it is the only one", { steps: [limited(3_600)], targets: ["a"] }, ["a"], []],
    [
      "may be asked by those who allow more",
      { steps: [limited(3_600), ANSWER], targets: ["a"], maxRateLimitWait: 3_600_000 },
      ["a", "a"],
      [3_600_000],
    ],
    [
      "is waited for less by those who allow less",
      { steps: [limited(), limited(), limited(), ANSWER], targets: ["a"], maxRateLimitWait: 1_500 },
      ["a", "a", "a", "a"],
      [1_000, 1_500, 1_500],
    ],
  ])("a target that asks for more than a minute %s", async (_, script, calls, waits) => {
    for (const rateLimitWait of ["always", "same-target"] as const) {
      const played = await play({ maxRetries: 4, rateLimitWait, ...script });
      expect(played.calls).toEqual(calls);
      expect(played.waits).toEqual(waits);
      if (played.error) expect(played.error).toMatchObject({ kind: "rate_limit", attempts: 1 });
    }
  });

  test("a turn begins with the first target that is free, and waits if none is", async () => {
    const rateLimits = new Map();
    const shared = { rateLimits, rateLimitWait: "same-target", maxRetries: 2 } as const;
    const first = await play({ steps: [limited(30), limited(20)], ...shared });
    expect(first).toMatchObject({ calls: ["a", "b"], waits: [] });
    const second = await play({ steps: [ANSWER], ...shared });
    expect(second).toMatchObject({ calls: ["b"], waits: [20_000] });
    rateLimits.delete("b");
    expect(await play({ steps: [ANSWER], ...shared })).toMatchObject({ calls: ["b"], waits: [] });
  });

  test("a turn that begins with a wait asks nobody before it is over", async () => {
    const rateLimits = new Map();
    await play({
      steps: [limited(30)],
      targets: ["a"],
      maxRetries: 1,
      rateLimits,
      rateLimitWait: "same-target",
    });
    const order: string[] = [];
    await play({
      steps: [],
      targets: ["a"],
      rateLimits,
      rateLimitWait: "same-target",
      sleep: async () => {
        await Promise.resolve();
        order.push("slept");
      },
      call: async (target) => {
        order.push(target);
        return "ok";
      },
    });
    expect(order).toEqual(["slept", "a"]);
  });

  test("with every target out, the next turn fails without a request", async () => {
    const rateLimits = new Map();
    await play({ steps: [limited(3_600)], targets: ["a"], rateLimits });
    const { calls, error } = await play({ steps: [ANSWER], targets: ["a"], rateLimits });
    expect(calls).toEqual([]);
    expect(error).toMatchObject({
      kind: "rate_limit",
      attempts: 0,
      message:
        "every target asked to be left alone for more than 60000 ms (maxRateLimitWait, max_rate_limit_wait)",
    });
  });

  test.each(sameTarget)("for the same target only: %s", async (_, targets, steps, waits) => {
    const played = await play({ targets, steps, maxRetries: 10, rateLimitWait: "same-target" });
    expect(played.waits).toEqual(waits);
    expect(played.answer).toBe("ok");
  });
});

describe("a fatal error ends the turn at once", () => {
  test.each<readonly [string, unknown, ErrorKind]>([
    ["401", { status: 401, message: "Incorrect API key: sk-proj-abcdefghijklmnop1234" }, "auth"],
    ["403", { status: 403 }, "auth"],
    ["402", { status: 402 }, "quota"],
    [
      "quota as a 429",
      { status: 429, code: "insufficient_quota", headers: { "retry-after": "1" } },
      "quota",
    ],
    ["an abort of nobody's signal", new DOMException("gone", "AbortError"), "aborted"],
  ])("%s", async (_, thrown, kind) => {
    const played = await play({ steps: [fails(thrown)] });
    expect(played.calls).toEqual(["a"]);
    expect(played.waits).toEqual([]);
    expect(played.error).toMatchObject({ kind, attempts: 1 });
    expect(played.error?.cause).toBe(thrown);
    expect(played.error?.message).not.toContain("sk-proj");
    expect(played.failed).toEqual([
      expect.objectContaining({ number: 1, target: "a", error: expect.objectContaining({ kind }) }),
    ]);
    expect(played.failed[0]).not.toHaveProperty("waits");
  });
});

describe("whatever is thrown is retried", () => {
  test.each<readonly [string, unknown]>([
    ["a bare TypeError", new TypeError("Cannot read properties of undefined (reading 'choices')")],
    ["a string", "boom"],
    ["nothing", undefined],
    ["an object", { error: { message: "boom" } }],
    ["a timeout of the target's own", new DOMException("too slow", "TimeoutError")],
  ])("%s", async (_, thrown) => {
    const played = await play({ steps: [fails(thrown), ANSWER] });
    expect(played.answer).toBe("ok");
    expect(played.failed).toEqual([
      { number: 1, target: "a", error: expect.any(ProviderError), waits: 0, next: "b" },
    ]);
    expect(played.failed[0]?.error.cause).toBe(thrown);
  });

  test("a call that throws before it returns a promise", async () => {
    const played = await play({
      steps: [],
      call: () => {
        throw new Error("at once");
      },
    });
    expect(played.error).toMatchObject({ kind: "model", message: "at once", attempts: 4 });
  });

  test("an abort of the target's own, while the caller's signal is not aborted", async () => {
    const { signal } = new AbortController();
    const own = fails(new DOMException("The operation was aborted", "AbortError"));
    const played = await play({ steps: [own, ANSWER], signal });
    expect(played.answer).toBe("ok");
    expect(played.failed[0]?.error.kind).toBe("network");
  });
});

test("a notice is in the next attempt and no other", async () => {
  const empty = fails(new ProviderError("empty", "no text", { notice: EMPTY_NOTICE }));
  const played = await play({ steps: [empty, empty, DOWN, ANSWER], maxRetries: 9 });
  expect(played.notices).toEqual([undefined, EMPTY_NOTICE, EMPTY_NOTICE, undefined]);
  expect(played.calls).toEqual(["a", "b", "a", "b"]);
});

test("an answer to retry of another copy of this package has its notice too", async () => {
  const foreign = fails({ name: "ProviderError", kind: "empty", notice: EMPTY_NOTICE });
  const odd = fails({ name: "ProviderError", kind: "empty", notice: 5 });
  const other = fails({ name: "ProviderError", kind: "network", notice: EMPTY_NOTICE });
  const played = await play({ steps: [foreign, odd, other, ANSWER] });
  expect(played.notices).toEqual([undefined, EMPTY_NOTICE, undefined, undefined]);
});

test("the message of a caller's own error is sanitised too", async () => {
  const own = fails(new ProviderError("auth", "no\nkey sk-proj-abcdefghijklmnop1234"));
  expect((await play({ steps: [own] })).error?.message).toBe("no key [redacted]");
});

test("answers to retry count as attempts", async () => {
  const empty = fails(new ProviderError("empty", "no text", { notice: EMPTY_NOTICE }));
  const played = await play({ steps: [empty, empty, ANSWER], maxRetries: 2 });
  expect(played.error).toMatchObject({ kind: "empty", attempts: 2, message: "no text" });
});

describe("a classifier of the application", () => {
  test.each<readonly [string, (error: unknown) => unknown, ErrorKind | undefined]>([
    ["decides", () => "auth", "auth"],
    ["leaves it to the session", () => undefined, undefined],
    ["returns nonsense", () => "fatal", undefined],
    [
      "throws",
      () => {
        throw new Error("no");
      },
      undefined,
    ],
  ])("that %s", async (_, classify, kind) => {
    const played = await play({ steps: [DOWN, ANSWER], classify: classify as () => ErrorKind });
    expect(played.error?.kind).toBe(kind);
    expect(played.calls).toHaveLength(kind === undefined ? 2 : 1);
  });

  test("is not asked about answers to retry", async () => {
    const empty = fails(new ProviderError("empty", "no text"));
    const played = await play({ steps: [empty, ANSWER], classify: () => "auth" });
    expect(played.answer).toBe("ok");
  });
});

describe("an abort", () => {
  const reason = new Error("user left");

  test("before the first attempt makes none", async () => {
    const played = await play({ steps: [ANSWER], signal: AbortSignal.abort(reason) });
    expect(played.calls).toEqual([]);
    expect(played.error).toMatchObject({ kind: "aborted", attempts: 0, message: "user left" });
    expect(played.failed).toEqual([]);
  });

  test("during a request that ignores it ends at once", async () => {
    const controller = new AbortController();
    const run = play({ steps: ["hangs"], signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    const { error, failed } = await run;
    expect(error).toMatchObject({ kind: "aborted", attempts: 1, message: "user left" });
    expect(error?.cause).toBe(reason);
    expect(failed.map((attempt) => attempt.error.kind)).toEqual(["aborted"]);
  });

  test("during a wait that ignores it ends at once", async () => {
    const controller = new AbortController();
    const played = await play({
      steps: [limited(), ANSWER],
      signal: controller.signal,
      sleep: () => {
        setImmediate(() => controller.abort("a string as the reason"));
        return new Promise(() => {});
      },
    });
    expect(played.calls).toEqual(["a"]);
    expect(played.error).toMatchObject({
      kind: "aborted",
      attempts: 1,
      message: "a string as the reason",
    });
    expect(played.failed).toHaveLength(1);
  });

  test("is the reason, whatever the request then throws", async () => {
    const controller = new AbortController();
    const played = await play({
      steps: [],
      signal: controller.signal,
      call: async () => {
        controller.abort(reason);
        throw new Error("socket closed");
      },
    });
    expect(played.error?.kind).toBe("aborted");
  });

  test("after the answer changes nothing, and no listener is left", async () => {
    const signal = new CountingSignal();
    const played = await play({ steps: [limited(), DOWN, ANSWER], signal: signal.signal });
    expect(played.answer).toBe("ok");
    expect(signal.listeners).toBe(0);
  });
});

/** Counts the listeners of its signal. */
class CountingSignal {
  listeners = 0;
  readonly signal: AbortSignal;
  constructor() {
    const { signal } = new AbortController();
    this.signal = new Proxy(signal, {
      get: (target, name) => {
        if (name === "addEventListener") this.listeners += 1;
        if (name === "removeEventListener") this.listeners -= 1;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  }
}

test.each<readonly [string, () => Promise<void>]>([
  ["rejects", () => Promise.reject(new Error("no timers here"))],
  [
    "throws",
    () => {
      throw new Error("no timers here");
    },
  ],
])("a sleep that %s is over, and the next attempt is made", async (_, sleep) => {
  const played = await play({ steps: [limited(), limited(), ANSWER], sleep });
  expect(played.answer).toBe("ok");
});

test("a listener that throws changes nothing", async () => {
  const onFailed = (): never => {
    throw new Error("no");
  };
  expect((await play({ steps: [DOWN, ANSWER], onFailed })).answer).toBe("ok");
  expect((await play({ steps: [fails({ status: 401 })], onFailed })).error?.kind).toBe("auth");
});

test.each<readonly [string, Partial<RequestOptions<string, string>>, string]>([
  ["no target", { targets: [] }, "runRequests: targets is empty. Pass at least one target."],
  ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY].map(
    (maxRetries) =>
      [
        `${maxRetries} attempts`,
        { maxRetries },
        "runRequests: maxRetries must be a whole number of at least 1: it counts all attempts, the first one included.",
      ] as const,
  ),
])("%s throws at once", async (_, options, message) => {
  await expect(play({ steps: [ANSWER], ...options })).rejects.toEqual(
    new ToolContractError(message),
  );
});

test("any script ends within its attempts, in order, with a wait between two of them at most", async () => {
  const step = fc.oneof(
    fc.constantFrom(DOWN, ANSWER, limited(), limited(5), fails({ status: 401 })),
    fc.anything().map(fails),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 8 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom("always", "same-target"),
      async (steps, maxRetries, count, rateLimitWait) => {
        const targets = ["a", "b", "c"].slice(0, count);
        const played = await play({ steps, maxRetries, targets, rateLimitWait });
        expect(played.calls.length).toBeLessThanOrEqual(maxRetries);
        expect(played.calls).toEqual(played.calls.map((_, index) => targets[index % count]));
        expect(played.waits.length).toBeLessThan(played.calls.length);
        expect(played.failed).toHaveLength(played.calls.length - (played.error ? 0 : 1));
        expect(played.error?.attempts ?? played.calls.length).toBe(played.calls.length);
      },
    ),
  );
});
