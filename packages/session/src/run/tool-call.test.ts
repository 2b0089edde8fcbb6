import { ToolContractError } from "@toolcontract/core";
import { describe, expect, test, vi } from "vitest";
import { createQueues } from "../tools/index.ts";
import { type SessionEvent, type SessionLimits, ToolFailed } from "../shared/index.ts";
import {
  answered,
  CALL,
  characters,
  reply,
  type Run,
  runs,
  streamed,
  ticking,
} from "../testing/index.ts";
import { xml } from "../xml/index.ts";
import type { ToolCallLimits } from "./index.ts";

const READ = { id: "c", name: "read", input: { path: "a" } };

/** Runs one turn in which the model calls a tool, and then what the framework does with the call. */
async function called(
  act: (call: ToolCallLimits, run: Run) => Promise<unknown>,
  limits: SessionLimits = {},
  callerSignal?: AbortSignal,
): ReturnType<typeof runs> {
  return runs(
    async (run) => {
      await answered(run, reply({ calls: [{ id: "c", name: "read" }] }), []);
      await act(run.tool(READ), run);
    },
    limits,
    callerSignal && { callerSignal },
  );
}

async function all<T>(results: AsyncIterable<T>): Promise<readonly T[]> {
  const read: T[] = [];
  for await (const result of results) read.push(result);
  return read;
}

test.each<[string, unknown, string]>([
  ["an error", new Error("DB down"), "(tool failed: DB down)"],
  ["nothing", undefined, "(tool failed: the tool failed)"],
  ["a ToolFailed of its own", new ToolFailed("no such page"), "(tool failed: no such page)"],
  ["the failure of a tool inside", new ToolFailed("(tool failed: busy)"), "(tool failed: busy)"],
  [
    "a ToolFailed with a secret",
    new ToolFailed("(tool failed: password=hunter2)"),
    "(tool failed: password=[redacted])",
  ],
  [
    "a ToolFailed in several lines",
    new ToolFailed("(tool failed: no such\npage)\n"),
    "(tool failed: no such page)",
  ],
  [
    "a long ToolFailed",
    new ToolFailed(`(tool failed: ${"x".repeat(400)})`),
    `(tool failed: ${"x".repeat(297)}...)`,
  ],
])("a tool that throws %s", async (_, thrown, text) => {
  const { accounting } = await called(async (call) => {
    await expect(
      call.run(() => {
        throw thrown;
      }),
    ).rejects.toBe(thrown);
    expect(call.failed(thrown)).toBe(text);
  });
  expect(accounting[1]).toMatchObject({ command: "read", status: "failed" });
  const { error = "" } = accounting[1] ?? {};
  expect(error).not.toBe("");
  expect(error).not.toContain("hunter2");
});

test("a call that still runs when its caller aborts is recorded as aborted", async () => {
  const caller = new AbortController();
  const { accounting } = await called(
    async (call) => {
      await new Promise<void>((started) => {
        const running = call.run(async () => (started(), new Promise(() => undefined)));
        running.catch(() => undefined);
      });
      caller.abort(new Error("the user left"));
    },
    {},
    caller.signal,
  );
  expect(accounting[1]).toMatchObject({
    command: "read",
    status: "failed",
    error: "the user left",
  });
});

test("only the session's own time limit is reported as one", async () => {
  const hang = async (): Promise<never> => new Promise(() => undefined);
  const timeout = { type: "tool-timeout", tool: "read", limit: 5 };
  const inTime = await called(async (call) => call.run(hang).catch(() => undefined), {
    toolTimeout: 5,
  });
  expect(inTime.events).toContainEqual(timeout);
  const own = await called(async (call) => {
    call.failed(new ToolFailed("(tool failed: timeout)"));
  });
  expect(own.events.map(({ type }) => type)).not.toContain("tool-timeout");
});

test("a stream of results that takes too long is reported too", async () => {
  const { events } = await called(
    async (call) => {
      const results = call.iterate(async function* () {
        yield "first";
        await new Promise(() => undefined);
      });
      await expect(all(results)).rejects.toThrow("(tool failed: timeout)");
    },
    { toolTimeout: 5 },
  );
  expect(events).toContainEqual({ type: "tool-timeout", tool: "read", limit: 5 });
});

test.each([
  ["run", (call: ToolCallLimits) => call.run(() => "done")],
  [
    "iterate",
    (call: ToolCallLimits) =>
      all(
        call.iterate(async function* () {
          yield "done";
        }),
      ),
  ],
])("%s: a call that waits for its place says how deep the queue is", async (_, start) => {
  const queues = createQueues({ browser: { concurrent: 1 } });
  let leave = (): void => undefined;
  const busy = queues.run("browser", () => new Promise<void>((resolve) => (leave = resolve)));
  const { events } = await called(
    async (call) => {
      const waiting = start(call);
      await Promise.resolve();
      leave();
      await waiting;
    },
    { queues, queueOf: { read: "browser" } },
  );
  await busy;
  expect(events.filter(({ type }) => type === "tool-queued")).toEqual([
    { type: "tool-queued", tool: "read", queue: "browser", running: 1, waiting: 1 },
  ]);
});

test("a stream of results that calls a tool of its own queue takes no second place", async () => {
  const queues = createQueues({ browser: { concurrent: 1 } });
  let most = 0;
  await called(
    async (call, run) => {
      const results = call.iterate(async function* () {
        yield await run.tool({ ...READ, id: "d" }).run(() => "inner");
        most = queues.depth("browser").running;
        yield "outer";
      });
      expect(await all(results)).toEqual(["inner", "outer"]);
    },
    { queues, queueOf: { read: "browser" } },
  );
  expect(most).toBe(1);
  expect(queues.depth("browser")).toEqual({ running: 0, waiting: 0 });
});

test("a stream of results that nobody reads to its end gives its place back", async () => {
  const queues = createQueues({ browser: { concurrent: 1 } });
  await called(
    async (call) => {
      const results = call.iterate(async function* () {
        yield 1;
        yield 2;
      });
      for await (const result of results) if (result === 1) break;
    },
    { queues, queueOf: { read: "browser" } },
  );
  expect(queues.depth("browser")).toEqual({ running: 0, waiting: 0 });
});

test("a call that waits when the budget is used up never starts", async () => {
  const queues = createQueues({ browser: { concurrent: 1 } });
  const started: string[] = [];
  const result = await runs(
    async (run) => {
      const first = run.tool(READ);
      let end = (): void => undefined;
      const reading = first.run(async () => {
        started.push("first");
        await new Promise<void>((resolve) => {
          end = resolve;
        });
      });
      const waiting = run.tool({ ...READ, id: "d" }).run(() => void started.push("second"));
      waiting.catch(() => undefined);
      await expect.poll(() => started).toHaveLength(1);
      expect(first.shown(["x".repeat(200)]).isDropped).toBe(true);
      end();
      await reading;
      await expect(waiting).rejects.toThrow("(tool failed: context window budget exceeded)");
    },
    {
      targets: [{ model: "m", contextWindow: 100 }],
      queues,
      queueOf: { read: "browser" },
      estimateTokens: characters,
    },
  );
  expect(started).toEqual(["first"]);
  expect(result.accounting).toHaveLength(1);
});

const unknownTool = (): never => {
  throw new Error("no such tool");
};

test.each<[keyof SessionLimits, string, () => number, string]>([
  [
    "toolTimeout",
    "gives nonsense",
    () => Number.NaN,
    "returned NaN, which is not a number of milliseconds from 1 to 2147483647.",
  ],
  ["toolTimeout", "throws", unknownTool, "threw."],
  [
    "toolResponseMaxBytes",
    "gives nonsense",
    () => 1.5,
    "returned 1.5, which is not a whole number of at least 1.",
  ],
  ["toolResponseMaxBytes", "throws", unknownTool, "threw."],
])(
  "a %s that %s is a misuse, although a tool's error would be shown",
  async (name, _, limit, fault) => {
    const run = called(
      async (call) => {
        try {
          call.shown([await call.run(() => "x")]);
        } catch (thrown) {
          call.failed(thrown);
        }
      },
      { [name]: limit },
    );
    await expect(run).rejects.toThrow(ToolContractError);
    await expect(run).rejects.toThrow(`test: ${name}('read') ${fault}`);
  },
);

test("each tool has its own size, and one without has no limit", async () => {
  const toolResponseMaxBytes = vi.fn((tool: string) => (tool === "read" ? 4 : undefined));
  const { events } = await called(
    async (call, run) => {
      expect(call.shown(["notes"]).texts[0]).toMatch(/truncated to 4 bytes\.\nnote$/);
      expect(run.tool({ ...READ, name: "big" }).shown(["notes"]).texts).toEqual(["notes"]);
      expect(run.tool({ ...READ, name: "batch" }).shown(["notes"]).texts).toEqual(["notes"]);
    },
    { toolResponseMaxBytes, truncateExempt: ["batch"] },
  );
  expect(toolResponseMaxBytes.mock.calls).toEqual([["read"], ["big"]]);
  expect(events).toContainEqual({ type: "tool-truncated", tool: "read", bytes: 5, limit: 4 });
});

describe("a call that has the same result again and again", () => {
  type Step = readonly [tool: string, input: unknown, result: string];
  const POLL: Step = ["poll", { id: 1 }, "busy"];

  /** Runs turns in which the model makes one call each, and says what the requests after them read. */
  async function made(
    steps: readonly (readonly Step[])[],
    limits: SessionLimits = {},
  ): Promise<{ readonly events: readonly SessionEvent[]; readonly notices: readonly string[][] }> {
    const notices: string[][] = [];
    const { events } = await runs(async (run) => {
      for (const calls of steps) {
        const attempt = await streamed(run);
        notices.push([...attempt.notices]);
        attempt.end(CALL);
        for (const [name, input, result] of calls) {
          const call = run.tool({ id: "c", name, input });
          if (call.refusal() !== undefined) continue;
          await call.run(() => result);
          call.shown([result]);
        }
      }
    }, limits);
    return { events: events.filter(({ type }) => type === "no-progress"), notices };
  }

  const reported = (times: number, isLast: boolean): SessionEvent => ({
    type: "no-progress",
    tool: "poll",
    times,
    isLast,
  });
  const TOLD = expect.stringContaining("you called poll 3 times") as string;
  const LAST = expect.stringContaining("this is the last turn") as string;

  test("is told once, and then has one last turn", async () => {
    const { events, notices } = await made([[POLL], [POLL], [POLL], [POLL], []]);
    expect(events).toEqual([reported(3, false), reported(4, true)]);
    expect(notices).toEqual([[], [], [], [TOLD], [LAST]]);
  });

  test.each<readonly [string, readonly (readonly Step[])[], SessionLimits]>([
    ["twice", [[POLL], [POLL]], {}],
    ["with other arguments", [[POLL], [["poll", { id: 2 }, "busy"]], [POLL]], {}],
    ["of another tool", [[POLL], [["read", { id: 1 }, "busy"]], [POLL]], {}],
    ["with another result", [[POLL], [["poll", { id: 1 }, "done"]], [POLL]], {}],
    ["in one turn", [[POLL, POLL, POLL], [POLL]], {}],
    ["that may be repeated", [[POLL], [POLL], [POLL]], { repeatableTools: ["poll"] }],
  ])("is progress: %s", async (_, steps, limits) => {
    expect(await made(steps, limits)).toMatchObject({ events: [] });
  });

  test("without arguments is one too", async () => {
    const step: Step = ["poll", undefined, "busy"];
    expect((await made([[step], [step], [step]])).events).toEqual([reported(3, false)]);
  });

  test("is the same call each time that its tool fails, in whatever words", async () => {
    const { events } = await runs(async (run) => {
      for (const reason of ["busy", "down", "busy", "busy", "busy"]) {
        await answered(run, CALL);
        const call = run.tool({ id: "c", name: "poll", input: {} });
        const thrown = new Error(reason);
        await call.run(() => Promise.reject(thrown)).catch(() => undefined);
        call.failed(thrown);
      }
    });
    expect(events.filter(({ type }) => type === "no-progress")).toEqual([
      reported(3, false),
      reported(4, true),
    ]);
  });
});

test("a result that does not fit is dropped, and nothing but the report runs then", async () => {
  const { accounting, events } = await runs(
    async (run) => {
      await answered(run, CALL);
      const call = run.tool(READ);
      await call.run(() => "x");
      const stub = "(tool failed: context window budget exceeded)";
      expect(call.shown(["x".repeat(50), "y".repeat(51)])).toEqual({
        texts: [stub],
        isDropped: true,
      });
      expect(run.tool({ ...READ, id: "d" }).refusal()).toBe(stub);
      expect(run.isForced).toBe(true);
      await answered(run, reply({ text: "done" }), [{ role: "user", text: "" }]);
    },
    { targets: [{ model: "a", contextWindow: 100 }], estimateTokens: characters },
  );
  expect(accounting[1]).toMatchObject({
    command: "read",
    status: "failed",
    error: "context window budget exceeded",
    estimatedTokens: 101,
    replacementTokens: 45,
  });
  expect(events).toContainEqual({
    type: "context-exceeded",
    guard: "tool_preflight",
    tool: "read",
    projected_tokens: 104,
    limit_tokens: 90,
    remaining_tokens: 87,
    blocked: [{ provider: "p", model: "a" }],
  });
  expect(events.findLast(({ type }) => type === "llm-request")).toMatchObject({
    turn: 2,
    forcedFinalTurnReason: "context",
  });
});

test("in the last turn nothing but the report runs", async () => {
  await runs(
    async (run) => {
      await answered(run, CALL);
      const late = run.tool({ id: "c", name: "t", input: {} });
      expect(late.refusal()).toBeUndefined();
      await answered(run, reply({ calls: [{ id: "d", name: "t" }] }));
      const call = run.tool({ id: "d", name: "t", input: {} });
      const text = "(tool failed: this is the last turn; only agent__final_report can be called)";
      expect(call.refusal()).toBe(text);
      await expect(call.run(() => "x")).rejects.toThrow(text);
      // A call of the turn before may still run.
      expect(late.refusal()).toBeUndefined();
      expect(run.tool({ id: "unknown", name: "t", input: {} }).refusal()).toBe(text);
    },
    { maxTurns: 2 },
  );
});

test("a call in tags is counted and shown as one", async () => {
  const { accounting } = await runs(
    async (run) => {
      const [slot = ""] = run.xml?.offer(1) ?? [];
      run.xml?.take(slot);
      await answered(run, reply({ calls: [{ id: slot, name: "t" }] }));
      const call = run.tool({ id: slot, name: "t", input: { page: 1 } });
      await call.run(() => "notes");
      expect(run.xml?.durations.get(slot)).toBe(1);
      const shown = run.xml?.renderResult({
        id: slot,
        name: "t",
        response: "a\nb",
        request: { page: 1 },
      });
      expect(call.shown(["a", "b"]).isDropped).toBe(false);
      const attempt = await streamed(run);
      expect(shown).toContain("a\nb");
      attempt.end(CALL);
      const native = run.tool({ id: "native", name: "t", input: {} });
      await native.run(() => "notes");
      native.shown(["notes"]);
    },
    { transport: xml, clock: ticking() },
  );
  const tools = accounting.filter(({ type }) => type === "tool");
  expect(tools).toMatchObject([
    { command: "t", source: "xml", latency: 1 },
    { command: "t", latency: 1 },
  ]);
  expect(tools[1]).not.toHaveProperty("source");
});

test.each<readonly [string, SessionLimits["serverOf"], string]>([
  ["its server", () => "files", "files"],
  ["no server", () => undefined, "local"],
])("a call of %s is counted once, with its time", async (_, serverOf, mcpServer) => {
  const { accounting, events } = await runs(
    async (run) => {
      await answered(run, CALL);
      const call = run.tool({ id: "c", name: "t", input: { a: 1 } });
      await call.run(() => "notes");
      call.shown(["no", "tes"], "the page is gone");
      call.shown(["notes"]);
      call.failed(new Error("late"));
      // Never ran.
      run.tool({ id: "d", name: "t", input: {} }).shown(["nothing"]);
    },
    { clock: ticking(), ...(serverOf && { serverOf }) },
  );
  const entry = {
    type: "tool",
    mcpServer,
    command: "t",
    status: "failed",
    error: "the page is gone",
    latency: 1,
    timestamp: expect.any(Number) as number,
    charactersIn: 7,
    charactersOut: 5,
  };
  expect(accounting.slice(1)).toEqual([entry]);
  expect(events.at(-1)).toEqual({ type: "entry", turn: 1, entry });
});

test("a call whose tool has ended is not aborted afterwards", async () => {
  const caller = new AbortController();
  const { accounting } = await called(
    async (call) => {
      await call.run(() => "notes");
      call.shown(["notes"]);
      caller.abort(new Error("the user left"));
    },
    {},
    caller.signal,
  );
  expect(accounting[1]).toMatchObject({ command: "read", status: "ok" });
});

test("a failure takes room in the window, as what replaces a result does", async () => {
  const room = async (act: (call: ToolCallLimits) => Promise<unknown>): Promise<unknown> => {
    let left: unknown;
    await runs(
      async (run) => {
        await answered(run, {
          ...CALL,
          usage: { inputTokens: 100, outputTokens: 0, totalTokens: 100 },
        });
        await act(run.tool(READ));
        const other = run.tool({ ...READ, id: "d" });
        other.shown(["x".repeat(1_000)]);
      },
      {
        targets: [{ model: "a", contextWindow: 1_000 }],
        estimateTokens: characters,
        onEvent: (event) => {
          if (event.type === "context-exceeded") left = event.remaining_tokens;
        },
      },
    );
    return left;
  };
  expect(await room(async () => undefined)).toBe(800);
  expect(await room(async (call) => call.shown(["notes"]))).toBe(795);
  expect(await room(async (call) => call.failed(new Error("busy")))).toBe(800 - 19);
});

test("a limit of a tool inside is not reported as that of the call around it", async () => {
  const { events } = await called(
    async (call) =>
      call
        .run(() => Promise.reject(new ToolFailed("(tool failed: no such page)")))
        .catch(() => undefined),
    { toolTimeout: 1_000 },
  );
  expect(events.map(({ type }) => type)).not.toContain("tool-timeout");
});

test.each([
  ["run", async (call: ToolCallLimits, fails: () => never) => call.run(fails)],
  [
    "iterate",
    async (call: ToolCallLimits, fails: () => never) =>
      all(
        call.iterate(async function* () {
          yield fails();
        }),
      ),
  ],
])("%s: what a tool throws reaches its framework", async (_, start) => {
  const thrown = new Error("DB down");
  await called(async (call) => {
    await expect(
      start(call, () => {
        throw thrown;
      }),
    ).rejects.toBe(thrown);
  });
});

test("a text of the contract is what the model reads of a failure", async () => {
  const { accounting } = await called(async (call) => {
    await call.run(() => "x");
    expect(call.failed(new ToolFailed("(tool failed: busy)"), "Validation failed")).toBe(
      "Validation failed",
    );
  });
  expect(accounting[1]).toMatchObject({ error: "(tool failed: busy)", charactersOut: 17 });
});

test("a call that finds its place at once does not wait", async () => {
  const queues = createQueues({ browser: { concurrent: 1 } });
  const { events } = await called(async (call) => call.run(() => "x"), {
    queues,
    queueOf: { read: "browser" },
  });
  expect(events.map(({ type }) => type)).not.toContain("tool-queued");
});

test("functions of the application that fail lose no result", async () => {
  const fail = (): never => {
    throw new Error("not ready");
  };
  const { accounting } = await called(
    async (call) => {
      await call.run(() => "notes");
      expect(call.shown(["notes"])).toEqual({ texts: ["notes"], isDropped: false });
    },
    { serverOf: fail, estimateTokens: fail, onEvent: fail, price: fail },
  );
  expect(accounting[1]).toMatchObject({ status: "ok", mcpServer: "local" });
});

test.each([
  ["without a window nothing is estimated", undefined, 0],
  ["with a window every text is", 10_000, 3],
])("%s", async (_, contextWindow, least) => {
  const estimateTokens = vi.fn((text: string) => text.length);
  await runs(
    async (run) => {
      await answered(run, reply({ text: "Well.", calls: [READ] }));
      const call = run.tool(READ);
      await call.run(() => "notes");
      expect(call.shown(["notes"])).toEqual({ texts: ["notes"], isDropped: false });
      expect(call.failed(new Error("DB down"))).toBe("(tool failed: DB down)");
    },
    { targets: [{ model: "m", ...(contextWindow && { contextWindow }) }], estimateTokens },
  );
  if (least === 0) expect(estimateTokens).not.toHaveBeenCalled();
  else expect(estimateTokens.mock.calls.length).toBeGreaterThanOrEqual(least);
});
