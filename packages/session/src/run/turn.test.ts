import { expect, test } from "vitest";
import type { AIAgentResult, ReplyFacts, SessionEvent, Target } from "../shared/index.ts";
import { ProviderError, CUT_NOTICE, RunOver } from "../shared/index.ts";
import {
  type TargetRequest,
  createSession,
  type LoopEnd,
  type SessionOptions,
  type SessionRun,
} from "./index.ts";

type Model = Target<string>;
type Run = SessionRun<Model>;
type Message = { readonly role: string; readonly text: string };

const ASK: Message = { role: "user", text: "ask" };
/** An estimate that a reader can count: one token a character. */
const estimateTokens = (text: string): number => text.length;

function reply(more: Partial<ReplyFacts> = {}): ReplyFacts {
  return { text: "", hasReasoning: false, calls: [], ...more };
}

const CALL = reply({ calls: [{ id: "c", name: "t" }] });

/** Runs a loop of one's own under a session. */
async function runs(
  loop: (run: Run) => Promise<unknown>,
  options: Partial<SessionOptions<Model>> = {},
  end: LoopEnd = {},
  callerSignal?: AbortSignal,
): Promise<AIAgentResult<never> & { readonly events: readonly SessionEvent[] }> {
  const events: SessionEvent[] = [];
  const session = createSession<Model>(
    {
      targets: [{ model: "a" }, { model: "b" }],
      sleep: async () => undefined,
      onEvent: (event) => void events.push(event),
      ...options,
    },
    { where: "test", nameOf: ({ model }) => ({ provider: "p", model }) },
  );
  const result = await session.run<never, unknown>({
    call: loop,
    end: () => end,
    conversation: () => [],
    ...(callerSignal && { callerSignal }),
  });
  return { ...result, events };
}

/** One turn in which the model answers at once. */
async function answered(
  run: Run,
  facts: ReplyFacts,
  messages: readonly Message[] = [ASK],
): Promise<void> {
  await run.turn({ tools: [], messages: () => messages }, async (attempt) => attempt.end(facts));
}

/** One turn whose answer is passed on before it ends. */
async function streamed(
  run: Run,
  messages: readonly Message[] = [ASK],
): Promise<TargetRequest<Model>> {
  return run.turn({ tools: [], messages: () => messages }, async (attempt) => attempt);
}

function expectedTokens(events: readonly SessionEvent[]): readonly (readonly number[])[] {
  return events.flatMap((event) =>
    event.type === "llm-request" ? [[event.ctxTokens, event.newTokens]] : [],
  );
}

test("an answer that breaks is asked for again, on the next target, within its turn", async () => {
  const { success, accounting, events } = await runs(async (run) => {
    const first = await streamed(run);
    first.fail(new Error("connection lost"));
    const second = await streamed(run);
    expect(second.target.model).toBe("b");
    second.end(reply({ text: "done" }));
  });
  expect(success).toBe(true);
  expect(accounting).toMatchObject([
    { model: "a", status: "failed", error: "connection lost" },
    { model: "b", status: "ok" },
  ]);
  expect(events).toMatchObject([
    { type: "llm-request", turn: 1 },
    { type: "entry", turn: 1, entry: { model: "a", status: "failed" } },
    {
      type: "attempt-failed",
      turn: 1,
      attempt: 1,
      model: "a",
      kind: "network",
      next: { model: "b" },
    },
    { type: "llm-request", turn: 1 },
    { type: "not-judged", what: "usage" },
    { type: "entry", turn: 1, entry: { model: "b", status: "ok" } },
  ]);
});

test("the notice about an answer that was cut comes with the next request", async () => {
  await runs(async (run) => {
    const first = await streamed(run);
    expect(() => first.end(reply({ cut: true }))).toThrow(ProviderError);
    const second = await streamed(run);
    expect(second.notices).toEqual([CUT_NOTICE]);
    second.end(reply({ text: "done" }));
  });
});

test("a turn whose answers all break has its attempts and no more", async () => {
  const { success, error, finalReport } = await runs(
    async (run) => {
      for (;;) (await streamed(run)).fail(new Error("connection lost"));
    },
    { maxRetries: 2 },
  );
  expect({ success, error }).toEqual({ success: false, error: "connection lost" });
  expect(finalReport?.metadata).toEqual({ reason: "attempts_exhausted" });
});

test("a fatal error in the middle of an answer ends the run", async () => {
  const { error, finalReport, accounting } = await runs(async (run) => {
    const first = await streamed(run);
    first.fail(Object.assign(new Error("bad key"), { status: 401 }));
    expect(run.isOver).toBe(true);
    await streamed(run);
  });
  expect({ error, finalReport }).toEqual({ error: "bad key", finalReport: undefined });
  expect(accounting).toHaveLength(1);
});

test("your own reading of an error holds in the middle of an answer too", async () => {
  const { accounting } = await runs(
    async (run) => {
      (await streamed(run)).fail("tenant is blocked");
      await streamed(run);
    },
    { classifyError: () => "auth" },
  );
  expect(accounting).toHaveLength(1);
});

test("a framework that goes on without a broken answer takes another turn", async () => {
  const longer = [ASK, { role: "assistant", text: "par" }, { role: "tool", text: "x" }];
  const { finalReport, accounting } = await runs(
    async (run) => {
      (await streamed(run)).fail(new Error("connection lost"));
      await answered(run, CALL, longer);
      await answered(run, reply({ text: "too late" }), longer);
    },
    { maxTurns: 2 },
  );
  expect(finalReport?.metadata).toEqual({ reason: "max_turns_exhausted" });
  expect(accounting).toHaveLength(2);
});

test.each<[string, unknown]>([
  ["an abort", new DOMException("stopped", "AbortError")],
  ["the session's own end", new RunOver()],
])("an answer that is whole stays the report after %s", async (_, thrown) => {
  const { success, finalReport, error } = await runs(
    async (run) => answered(run, reply({ text: "done" })),
    {},
    { thrown },
  );
  expect({ success, error }).toEqual({ success: true, error: undefined });
  expect(finalReport).toMatchObject({ status: "success", content: "done" });
});

test.each<[string, (run: Run) => Promise<void>]>([
  ["text", async (run) => answered(run, reply({ text: "done" }))],
  [
    "a report",
    async (run) => {
      await answered(run, CALL);
      run.report({ format: "markdown", content: "done" });
    },
  ],
])("an error after %s is said beside it", async (_, loop) => {
  const { success, finalReport, error } = await runs(async (run) => {
    await loop(run);
    throw new Error("the database is down");
  });
  expect({ success, error }).toEqual({ success: true, error: "the database is down" });
  expect(finalReport?.content).toBe("done");
});

test("an abort before the first request is fatal like any other", async () => {
  const { success, error, finalReport } = await runs(async () => {
    throw new DOMException("stopped", "AbortError");
  });
  expect({ success, error, finalReport }).toEqual({
    success: false,
    error: "stopped",
    finalReport: undefined,
  });
});

test("a call that a failure left open is no pause", async () => {
  const { error } = await runs(
    async (run) => (await streamed(run)).fail(new Error("connection lost")),
    {},
    { paused: "the result of t is to come" },
  );
  expect(error).toBe("connection lost");
});

test("a run that waits for somebody has no answer, and one that a limit ended reports why", async () => {
  const nothing = async (): Promise<void> => undefined;
  const paused = await runs(nothing, {}, { paused: "the result of t is to come" });
  expect(paused).toMatchObject({ success: false, error: "paused: the result of t is to come" });
  expect(paused.finalReport).toBeUndefined();
  const ended = await runs(nothing, {}, { endedBy: "Stop: t failed 3 times" });
  expect(ended).toMatchObject({
    success: false,
    error: "Stop: t failed 3 times",
    finalReport: { metadata: { reason: "no_answer" } },
  });
});

test("a run that its caller aborts reports that, whatever the framework threw", async () => {
  const stopped = new AbortController();
  const { success, error } = await runs(
    async () => {
      stopped.abort(new Error("the user left"));
      throw new TypeError("terminated");
    },
    {},
    {},
    stopped.signal,
  );
  expect({ success, error }).toEqual({
    success: false,
    error: "The run was aborted: the user left",
  });
});

test("text beside a report that was refused is commentary", async () => {
  const { success } = await runs(
    async (run) => {
      const calls = [{ id: "r", name: "agent__final_report" }];
      await answered(run, reply({ text: "Here it is:", calls }));
      run.report({ format: "markdown" });
    },
    { maxTurns: 1 },
  );
  expect(success).toBe(false);
});

const WINDOW = { targets: [{ model: "a", contextWindow: 1_000 }], estimateTokens } as const;
const usage = { inputTokens: 100, outputTokens: 10, totalTokens: 110 };
const CALLED = reply({ calls: [{ id: "c", name: "t" }], usage });

test.each<[string, readonly (readonly Message[])[], readonly (readonly number[])[]]>([
  [
    "what came since the last answer",
    [[ASK], [ASK, { role: "assistant", text: "(call)" }, { role: "tool", text: "12345" }]],
    [
      [0, 3],
      [110, 5],
    ],
  ],
  [
    "answers of an earlier run",
    [[ASK, { role: "assistant", text: "an answer" }, { role: "user", text: "more" }]],
    [[0, 16]],
  ],
  [
    "all of a prompt that was pruned",
    [
      [ASK, { role: "user", text: "and a very long document" }],
      [ASK, { role: "tool", text: "12345" }],
    ],
    [
      [0, 27],
      [0, 8],
    ],
  ],
])("the tokens of a request are %s", async (_, requests, expected) => {
  const { events } = await runs(async (run) => {
    for (const messages of requests) await answered(run, CALLED, messages);
  }, WINDOW);
  expect(expectedTokens(events)).toEqual(expected);
});

test("a request that is made again has the same tokens", async () => {
  const longer = [ASK, { role: "assistant", text: "(call)" }, { role: "tool", text: "12345" }];
  const { events } = await runs(async (run) => {
    await answered(run, CALLED);
    (await streamed(run, longer)).fail(new Error("connection lost"));
    await answered(run, reply({ text: "done" }), longer);
  }, WINDOW);
  expect(expectedTokens(events)).toEqual([
    [0, 3],
    [110, 5],
    [110, 5],
  ]);
});
