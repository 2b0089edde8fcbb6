import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { Queues } from "../shared/index.ts";
import { checkQueues, createQueues } from "./index.ts";

/** A step that others wait for. */
function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
const tick = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Counts how many runs are inside at once. */
function counter(): {
  peak: number;
  inside: number;
  readonly enter: <T>(run: () => Promise<T>) => () => Promise<T>;
} {
  const counts = {
    peak: 0,
    inside: 0,
    enter:
      <T>(run: () => Promise<T>) =>
      async (): Promise<T> => {
        counts.inside += 1;
        counts.peak = Math.max(counts.peak, counts.inside);
        try {
          return await run();
        } finally {
          counts.inside -= 1;
        }
      },
  };
  return counts;
}

const idle = { running: 0, waiting: 0 };

describe("places", () => {
  test("at most N run; the others wait in their order", async () => {
    const queues = createQueues({ browser: { concurrent: 2 } });
    const gates = [gate(), gate(), gate(), gate()];
    const begun: number[] = [];
    const runs = gates.map(({ opened }, index) =>
      queues.run("browser", async () => {
        begun.push(index);
        await opened;
        return index;
      }),
    );
    await tick();
    expect(begun).toEqual([0, 1]);
    expect(queues.depth("browser")).toEqual({ running: 2, waiting: 2 });
    gates[1]?.open();
    await tick();
    expect(begun).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    expect(await Promise.all(runs)).toEqual([0, 1, 2, 3]);
    expect(queues.depth("browser")).toEqual(idle);
  });

  test("a queue named default is added without a limit, and can have one", async () => {
    const open = createQueues();
    const inside = counter();
    await Promise.all(Array.from({ length: 50 }, () => open.run("default", inside.enter(tick))));
    expect(inside.peak).toBe(50);
    const limited = createQueues({ default: { concurrent: 3 } });
    const few = counter();
    await Promise.all(Array.from({ length: 50 }, () => limited.run("default", few.enter(tick))));
    expect(few.peak).toBe(3);
    expect([open.names, limited.names]).toEqual([["default"], ["default"]]);
  });

  test.each([
    ["rejects", () => Promise.reject(new Error("DB down"))],
    [
      "throws at once",
      () => {
        throw new Error("DB down");
      },
    ],
  ])("a tool that %s gives its place back", async (_, run) => {
    const queues = createQueues({ one: { concurrent: 1 } });
    await expect(queues.run<unknown>("one", run)).rejects.toThrow("DB down");
    expect(queues.depth("one")).toEqual(idle);
    expect(await queues.run("one", () => Promise.resolve("next"))).toBe("next");
  });
});

describe("abort", () => {
  test("ends a wait with the signal's reason; the place and the listener are gone", async () => {
    const queues = createQueues({ one: { concurrent: 1 } });
    const { open, opened } = gate();
    const first = queues.run("one", () => opened);
    const controller = new AbortController();
    const add = vi.spyOn(controller.signal, "addEventListener");
    const remove = vi.spyOn(controller.signal, "removeEventListener");
    const run = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const second = queues.run("one", run, controller.signal);
    const third = queues.run("one", () => Promise.resolve("third"));
    expect(queues.depth("one")).toEqual({ running: 1, waiting: 2 });
    const reason = new Error("user left");
    controller.abort(reason);
    await expect(second).rejects.toBe(reason);
    expect(queues.depth("one")).toEqual({ running: 1, waiting: 1 });
    expect(add.mock.calls.map(([, listener]) => listener)).toEqual(
      remove.mock.calls.map(([, listener]) => listener),
    );
    open();
    await first;
    expect(await third).toBe("third");
    expect(run).not.toHaveBeenCalled();
    expect(queues.depth("one")).toEqual(idle);
  });

  test("before: the tool does not run", async () => {
    const queues = createQueues();
    const run = vi.fn<() => Promise<void>>();
    const reason = new Error("user left");
    await expect(queues.run("default", run, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(run).not.toHaveBeenCalled();
  });

  test("of a run that has its place changes nothing until the run ends", async () => {
    const queues = createQueues({ one: { concurrent: 1 } });
    const { open, opened } = gate();
    const controller = new AbortController();
    const first = queues.run("one", () => opened, controller.signal);
    await tick();
    controller.abort();
    await tick();
    expect(queues.depth("one")).toEqual({ running: 1, waiting: 0 });
    open();
    await first;
    expect(queues.depth("one")).toEqual(idle);
  });

  test("at the moment when the place is given: the tool does not run", async () => {
    const queues = createQueues({ one: { concurrent: 1 } });
    const controller = new AbortController();
    const run = vi.fn<() => Promise<void>>();
    const waiting = queues.run("one", run, controller.signal);
    controller.abort(new Error("user left"));
    await expect(waiting).rejects.toThrow("user left");
    expect(run).not.toHaveBeenCalled();
    expect(queues.depth("one")).toEqual(idle);
  });
});

describe("calls inside calls", () => {
  const inside = (queues: Queues, path: readonly string[]): Promise<string> => {
    const [queue, ...rest] = path;
    if (queue === undefined) return Promise.resolve("done");
    return queues.run(queue, async () => {
      await tick();
      return inside(queues, rest);
    });
  };

  test.each([
    ["the same queue", [["a", "a"]]],
    ["the same queue through another", [["a", "b", "a"]]],
    ["and through `default`", [["a", "default", "b", "default", "a", "b"]]],
    [
      "two queues in both orders",
      [
        ["a", "b"],
        ["b", "a"],
      ],
    ],
    [
      "three queues in a ring",
      [
        ["a", "b"],
        ["b", "c"],
        ["c", "a"],
      ],
    ],
    [
      "a ring with others that wait",
      [["a", "b"], ["b", "a"], ["a"], ["b"], ["a", "b", "c"], ["c", "a"]],
    ],
  ])("with one place each: %s", async (_, paths) => {
    const one = { concurrent: 1 };
    const queues = createQueues({ a: one, b: one, c: one });
    const results = await Promise.all(paths.map((path) => inside(queues, path)));
    expect(results).toEqual(paths.map(() => "done"));
    for (const name of queues.names) expect(queues.depth(name)).toEqual(idle);
  });

  test("a call inside another one of the same queue takes no second place", async () => {
    const queues = createQueues({ a: { concurrent: 2 }, b: { concurrent: 2 } });
    const depths = await queues.run("a", () =>
      queues.run("b", () => queues.run("a", async () => [queues.depth("a"), queues.depth("b")])),
    );
    expect(depths).toEqual([
      { running: 1, waiting: 0 },
      { running: 1, waiting: 0 },
    ]);
  });

  test("a call inside a run of another queue waits for its place", async () => {
    const queues = createQueues({ agents: { concurrent: 3 }, browser: { concurrent: 1 } });
    const pages = counter();
    const agent = (): Promise<unknown> =>
      Promise.all([1, 2].map(() => queues.run("browser", pages.enter(tick))));
    await Promise.all(Array.from({ length: 6 }, () => queues.run("agents", agent)));
    expect(pages.peak).toBe(1);
  });

  test("one who would wait for runs that all wait too takes no place", async () => {
    const queues = createQueues({ a: { concurrent: 1 }, b: { concurrent: 1 } });
    const { open, opened } = gate();
    const held = queues.run("a", () => opened);
    const outer = queues.run("b", () => queues.run("a", tick));
    await tick();
    // Its own place is in a; the run that holds b waits for it.
    open();
    await Promise.all([held, outer]);
    for (const name of queues.names) expect(queues.depth(name)).toEqual(idle);
  });

  test("what a run has left behind holds no place anymore", async () => {
    const queues = createQueues({ one: { concurrent: 1 } });
    const left = gate();
    let later: Promise<void> | undefined;
    await queues.run("one", () => {
      later = left.opened.then(() => queues.run("one", tick));
      return Promise.resolve();
    });
    const { open, opened } = gate();
    const holder = queues.run("one", () => opened);
    left.open();
    await tick();
    expect(queues.depth("one")).toEqual({ running: 1, waiting: 1 });
    open();
    await Promise.all([holder, later]);
    expect(queues.depth("one")).toEqual(idle);
  });

  test("queues of two sessions with the same name are two queues", async () => {
    const [one, two] = [
      createQueues({ q: { concurrent: 1 } }),
      createQueues({ q: { concurrent: 1 } }),
    ];
    const seen = await one.run("q", () => two.run("q", () => Promise.resolve(two.depth("q"))));
    expect(seen).toEqual({ running: 1, waiting: 0 });
  });
});

test("200 runs at once with aborts at any moment: never over the limit, nothing left", async () => {
  const call = fc.record({
    queue: fc.constantFrom("a", "b"),
    ticks: fc.nat(3),
    abortAfter: fc.option(fc.nat(30), { nil: undefined }),
    fails: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 200, maxLength: 200 }), async (calls) => {
      const queues = createQueues({ a: { concurrent: 3 }, b: { concurrent: 1 } });
      const counts = { a: counter(), b: counter() };
      const runs = calls.map(async ({ queue, ticks, abortAfter, fails }) => {
        const controller = new AbortController();
        const work = async (): Promise<void> => {
          for (let count = 0; count < ticks; count += 1) await Promise.resolve();
          if (fails) throw new Error("failed");
        };
        const run = queues.run(queue, counts[queue].enter(work), controller.signal);
        if (abortAfter !== undefined) {
          for (let count = 0; count < abortAfter; count += 1) await Promise.resolve();
          controller.abort();
        }
        return run;
      });
      await Promise.allSettled(runs);
      expect(counts.a.peak).toBeLessThanOrEqual(3);
      expect(counts.b.peak).toBeLessThanOrEqual(1);
      expect([queues.depth("a"), queues.depth("b")]).toEqual([idle, idle]);
    }),
    { numRuns: 20 },
  );
});

test("any nesting of any queues ends", async () => {
  const path = fc.array(fc.constantFrom("a", "b", "c", "default"), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fc.array(path, { maxLength: 12 }), async (paths) => {
      const queues = createQueues({
        a: { concurrent: 1 },
        b: { concurrent: 1 },
        c: { concurrent: 2 },
      });
      const nest = ([queue, ...rest]: readonly string[]): Promise<void> =>
        queue === undefined
          ? Promise.resolve()
          : queues.run(queue, async () => {
              await Promise.resolve();
              await Promise.all([nest(rest), nest(rest.slice(1))]);
            });
      await Promise.all(paths.map(nest));
      for (const name of queues.names) expect(queues.depth(name)).toEqual(idle);
    }),
  );
});

describe("faults of options throw at once", () => {
  test.each([
    [{ a: { concurrent: 0 } }, 'createQueues: queue "a" must be { concurrent: N }'],
    [{ a: { concurrent: 1.5 } }, 'createQueues: queue "a" must be'],
    [{ a: { concurrent: "2" } }, 'createQueues: queue "a" must be'],
    [{ a: 2 }, 'createQueues: queue "a" must be'],
    [[], "must be an object of { concurrent }, by name"],
    [null, "must be an object of { concurrent }, by name"],
  ])("createQueues(%j)", (config, message) => {
    expect(() => createQueues(config as never)).toThrow(message);
  });

  test("a tool bound to a queue that no one defined", () => {
    const queues = createQueues({ browser: { concurrent: 2 } });
    expect(() => checkQueues(queues, { a: "browser", b: "default" }, "agentSession")).not.toThrow();
    expect(() => checkQueues(queues, { open_page: "nope" }, "agentSession")).toThrow(
      'agentSession: queue "nope" is not defined; known queues: default, browser. `queueOf` binds tool "open_page" to it: define it in `queues`.',
    );
    expect(() => checkQueues(queues, { x: "__proto__" }, "agentSession")).toThrow('"__proto__"');
  });

  test("a run in a queue that no one defined", async () => {
    const queues = createQueues({ browser: { concurrent: 2 } });
    await expect(queues.run("nope", tick)).rejects.toThrow(
      'queue "nope" is not defined; known queues: default, browser.',
    );
    expect(() => queues.depth("nope")).toThrow('queue "nope" is not defined');
  });

  test("queues that were made once stay the same object", () => {
    const queues = createQueues({ browser: { concurrent: 2 } });
    expect(createQueues(queues)).toBe(queues);
    const named = createQueues({ run: { concurrent: 1 } });
    expect(named.names).toEqual(["default", "run"]);
  });
});
