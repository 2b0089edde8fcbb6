import { ToolContractError } from "@toolcontract/core";
import { expect, test, vi } from "vitest";
import { createQueues } from "../tools/index.ts";
import {
  type AIAgentResult,
  type SessionEvent,
  type SessionLimits,
  type Target,
  ToolFailed,
} from "../shared/index.ts";
import { createSession, type SessionRun, type ToolCallLimits } from "./index.ts";

type Run = SessionRun<Target<string>>;

const READ = { id: "c", name: "read", input: { path: "a" } };

/** Runs one turn in which the model calls a tool, and then what the framework does with the call. */
async function called(
  act: (call: ToolCallLimits, run: Run) => Promise<unknown>,
  limits: SessionLimits = {},
  callerSignal?: AbortSignal,
): Promise<AIAgentResult<never> & { readonly events: readonly SessionEvent[] }> {
  const events: SessionEvent[] = [];
  const target: Target<string> = { model: "m" };
  const session = createSession(
    { targets: [target], onEvent: (event) => void events.push(event), ...limits },
    { where: "test", nameOf: () => ({ provider: "p", model: "m" }) },
  );
  const result = await session.run<never, unknown>({
    call: async (run) => {
      await run.turn({ tools: [], messages: () => [] }, async (attempt) =>
        attempt.end({ text: "", hasReasoning: false, calls: [{ id: "c", name: "read" }] }),
      );
      await act(run.tool(READ), run);
    },
    conversation: () => [],
    ...(callerSignal && { callerSignal }),
  });
  return { ...result, events };
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
  const target = { model: "m", contextWindow: 100 };
  const session = createSession<Target<string>>(
    { targets: [target], queues, queueOf: { read: "browser" }, estimateTokens: (t) => t.length },
    { where: "test", nameOf: () => ({ provider: "p", model: "m" }) },
  );
  const result = await session.run<never, void>({
    call: async (run) => {
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
    conversation: () => [],
  });
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
    "returned NaN, which is no number of milliseconds from 1 to 2147483647.",
  ],
  ["toolTimeout", "throws", unknownTool, "threw."],
  [
    "toolResponseMaxBytes",
    "gives nonsense",
    () => 1.5,
    "returned 1.5, which is no whole number of at least 1.",
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
  const target: Target<string> = { model: "m", ...(contextWindow && { contextWindow }) };
  const session = createSession(
    { targets: [target], estimateTokens },
    { where: "test", nameOf: () => ({ provider: "p", model: "m" }) },
  );
  await session.run<never, unknown>({
    call: async (run) => {
      const messages = () => [{ role: "user", text: "Read a." }];
      await run.turn({ tools: [], messages }, async (attempt) =>
        attempt.end({ text: "Well.", hasReasoning: false, calls: [READ] }),
      );
      const call = run.tool(READ);
      await call.run(() => "notes");
      expect(call.shown(["notes"])).toEqual({ texts: ["notes"], isDropped: false });
      expect(call.failed(new Error("DB down"))).toBe("(tool failed: DB down)");
    },
    conversation: () => [],
  });
  if (least === 0) expect(estimateTokens).not.toHaveBeenCalled();
  else expect(estimateTokens.mock.calls.length).toBeGreaterThanOrEqual(least);
});
