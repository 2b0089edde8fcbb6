import { expect, test } from "vitest";
import type { RequestTimeout, SessionEvent, XmlTransport } from "../shared/index.ts";
import {
  ProviderError,
  CUT_NOTICE,
  EMPTY_NOTICE,
  FINAL_INSTRUCTION,
  RunOver,
} from "../shared/index.ts";
import {
  ASK,
  CALL,
  type Message,
  type Model,
  type Run,
  answered,
  characters,
  reply,
  runs,
  streamed,
} from "../testing/index.ts";
import { xml, xmlFinal } from "../xml/index.ts";
import type { SessionOptions, TargetRequest, TurnRequest } from "./index.ts";

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

const FAILED = {
  type: "attempt-failed",
  turn: 1,
  kind: "model",
  reason: "down",
  status: 500,
  provider: "p",
  maxRetries: 3,
} as const;
const DOWN = Object.assign(new Error("down"), { status: 500 });

/** The attempts that failed, as they were reported. */
const failedAttempts = (events: readonly SessionEvent[]): readonly SessionEvent[] =>
  events.filter(({ type }) => type === "attempt-failed");

test.each<readonly [string, (run: Run) => Promise<unknown>]>([
  [
    "before they answer",
    async (run) =>
      run.turn({ tools: [], messages: () => [ASK] }, async () => {
        throw DOWN;
      }),
  ],
  [
    "in their answers",
    async (run) => {
      for (;;) (await streamed(run)).fail(DOWN);
    },
  ],
  [
    "in an answer, and before the next",
    async (run) => {
      (await streamed(run)).fail(DOWN);
      await run.turn({ tools: [], messages: () => [ASK] }, async () => {
        throw DOWN;
      });
    },
  ],
])("attempts that fail %s are reported with where the next one goes", async (_, loop) => {
  const { events, error, accounting } = await runs(loop);
  expect(failedAttempts(events)).toEqual([
    { ...FAILED, attempt: 1, model: "a", waits: 0, next: { provider: "p", model: "b" } },
    { ...FAILED, attempt: 2, model: "b", waits: 0, next: { provider: "p", model: "a" } },
    { ...FAILED, attempt: 3, model: "a" },
  ]);
  expect(error).toBe("down");
  expect(accounting).toHaveLength(3);
});

test("a failover that cannot work names what each target said", async () => {
  const said: Readonly<Record<string, string>> = {
    a: "overloaded",
    b: "the id of a call is invalid",
  };
  const { error, finalReport } = await runs(async (run) =>
    run.turn({ tools: [], messages: () => [ASK] }, async ({ target }) => {
      throw new ProviderError("model", said[target.model] ?? "");
    }),
  );
  expect(error).toBe("overloaded (before that, p/b: the id of a call is invalid)");
  expect(finalReport?.content).toContain("p/b: the id of a call is invalid");
});

test("each turn has all of its attempts", async () => {
  const { events } = await runs(async (run) => {
    for (const turn of [1, 2]) {
      let attempts = 0;
      await run.turn({ tools: [], messages: () => [ASK] }, async (attempt) => {
        attempts += 1;
        expect(attempt.target.model).toBe(attempts === 2 ? "b" : "a");
        if (attempts < 3) throw DOWN;
        return attempt.end(CALL);
      });
      expect([turn, attempts]).toEqual([turn, 3]);
    }
  });
  expect(failedAttempts(events)).toMatchObject([
    { turn: 1, attempt: 1 },
    { turn: 1, attempt: 2 },
    { turn: 2, attempt: 1 },
    { turn: 2, attempt: 2 },
  ]);
});

test("a fatal error in the middle of an answer is reported without a next attempt", async () => {
  const denied = Object.assign(new Error("bad key"), { status: 401 });
  const { events } = await runs(async (run) => (await streamed(run)).fail(denied));
  expect(failedAttempts(events)).toEqual([
    { ...FAILED, kind: "auth", reason: "bad key", status: 401, attempt: 1, model: "a" },
  ]);
});

test("an attempt that fails before its answer is passed on is reported once", async () => {
  const { events, accounting } = await runs(async (run) =>
    run.turn({ tools: [], messages: () => [ASK] }, async (attempt) => {
      if (attempt.target.model === "b") return attempt.end(reply({ text: "done" }));
      attempt.fail(DOWN);
      throw DOWN;
    }),
  );
  expect(failedAttempts(events)).toHaveLength(1);
  expect(accounting).toMatchObject([
    { model: "a", status: "failed" },
    { model: "b", status: "ok" },
  ]);
});

test("a notice is in one request, and the last turn says that it is the last", async () => {
  const LAST = expect.stringContaining("this is the last turn") as string;
  const seen: unknown[] = [];
  await runs(
    async (run) => {
      const empty = reply();
      for (const answers of [[empty, CALL], [CALL], [empty, DOWN, empty]]) {
        let next = 0;
        const turn = run.turn({ tools: [], messages: () => [ASK] }, async (attempt) => {
          seen.push([attempt.notices, attempt.onlyReport]);
          const answer = answers[next] as typeof CALL | Error;
          next += 1;
          if (answer instanceof Error) throw answer;
          return attempt.end(answer);
        });
        await turn.catch(() => undefined);
      }
    },
    { maxTurns: 3 },
  );
  expect(seen).toEqual([
    [[], false],
    [[EMPTY_NOTICE], false],
    [[], false],
    [[LAST], true],
    [[LAST, EMPTY_NOTICE], true],
    [[LAST], true],
  ]);
});

type Attempt = (attempt: TargetRequest<Model>) => Promise<unknown>;
const hang = async (): Promise<never> => new Promise(() => undefined);
const NOTHING = "nothing of an answer came within 1 ms";
const SILENCE = "the answer went on with nothing within 1 ms";
const NO_END = "the answer was not complete within 1 ms";

test.each<readonly [string, RequestTimeout, Partial<TurnRequest>, Attempt, string]>([
  ["its first part", { firstToken: 1 }, { isStreamed: true }, hang, NOTHING],
  [
    "its first part, if its target streams",
    { firstToken: 1 },
    { isStreamed: () => true },
    hang,
    NOTHING,
  ],
  [
    "a first part that says something",
    { firstToken: 1 },
    { isStreamed: true },
    async (attempt) => {
      await attempt.read(
        async () => "",
        (part) => part !== "",
      );
      return attempt.read(hang, () => true);
    },
    NOTHING,
  ],
  [
    "the next part",
    { silence: 1 },
    { isStreamed: true },
    async (attempt) => {
      await attempt.read(
        async () => "x",
        () => true,
      );
      return attempt.read(hang, () => true);
    },
    SILENCE,
  ],
  [
    "the next part, if one came by another way",
    { silence: 1 },
    { isStreamed: true },
    async (attempt) => {
      attempt.heard();
      return hang();
    },
    SILENCE,
  ],
  [
    "all of its parts",
    { total: 1 },
    { isStreamed: true },
    async (attempt) => {
      for (;;)
        await attempt.read(
          async () => new Promise((resolve) => setImmediate(resolve)),
          () => true,
        );
    },
    NO_END,
  ],
  [
    "its answer, if it is not a stream",
    { firstToken: 1, silence: 1, total: 2 },
    {},
    hang,
    "the answer was not complete within 2 ms",
  ],
])("a request has a time for %s", async (_, requestTimeout, request, ask, error) => {
  const { accounting, success } = await runs(
    async (run) =>
      run.turn({ tools: [], messages: () => [ASK], ...request }, async (attempt) =>
        attempt.target.model === "b" ? attempt.end(reply({ text: "done" })) : ask(attempt),
      ),
    { targets: [{ model: "a", requestTimeout }, { model: "b" }] },
  );
  expect(success).toBe(true);
  expect(accounting).toMatchObject([{ status: "failed", error }, { status: "ok" }]);
});

test.each<readonly [string, Partial<TurnRequest>, readonly string[]]>([
  ["asks the next target, as the framework takes a late answer", {}, ["a", "b"]],
  ["asks no other target for a stream, which has ended", { isStreamed: true }, ["a"]],
])("a time limit of the framework %s", async (_, request, targets) => {
  const controller = new AbortController();
  const asked: string[] = [];
  const { success } = await runs(
    async (run) =>
      run.turn(
        { tools: [], messages: () => [ASK], signal: controller.signal, ...request },
        async (attempt) => {
          asked.push(attempt.target.model);
          if (attempt.target.model === "b") return attempt.end(reply({ text: "done" }));
          controller.abort(new Error("too slow"));
          throw new Error("no answer");
        },
      ),
    {},
    { callerSignal: undefined },
    { isTimeLimit: () => true },
  );
  expect(asked).toEqual(targets);
  expect(success).toBe(targets.length === 2);
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

test("the notice about a broken answer comes once, whatever the next attempt does", async () => {
  const seen: unknown[] = [];
  await runs(async (run) => {
    const first = await streamed(run);
    expect(() => first.end(reply({ cut: true }))).toThrow(ProviderError);
    await run.turn({ tools: [], messages: () => [ASK] }, async (attempt) => {
      seen.push(attempt.notices);
      if (seen.length === 1) throw DOWN;
      return attempt.end(CALL);
    });
  });
  expect(seen).toEqual([[CUT_NOTICE], []]);
});

test("without a window, no tokens are reported", async () => {
  const { events } = await runs(async (run) => answered(run, CALL));
  expect(events[0]).toEqual({
    type: "llm-request",
    turn: 1,
    ctxTokens: 0,
    newTokens: 0,
    schemaTokens: 0,
    expectedTokens: 0,
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
    { end: () => ({ thrown }) },
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

test("a call that a failure left open is not a pause", async () => {
  const { error } = await runs(
    async (run) => (await streamed(run)).fail(new Error("connection lost")),
    {},
    { end: () => ({ paused: "the result of t is to come" }) },
  );
  expect(error).toBe("connection lost");
});

test("a run that waits for somebody has no answer, and one that a limit ended reports why", async () => {
  const nothing = async (): Promise<void> => undefined;
  const paused = await runs(nothing, {}, { end: () => ({ paused: "the result of t is to come" }) });
  expect(paused).toMatchObject({ success: false, error: "paused: the result of t is to come" });
  expect(paused.finalReport).toBeUndefined();
  const ended = await runs(nothing, {}, { end: () => ({ endedBy: "Stop: t failed 3 times" }) });
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
    { callerSignal: stopped.signal },
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

const WINDOW = {
  targets: [{ model: "a", contextWindow: 1_000 }],
  estimateTokens: characters,
} as const;
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

const BIG: Message = { role: "user", text: "x".repeat(1_000) };
const WIDE = [{ name: "t", description: "y".repeat(500) }, { name: "agent__final_report" }];
const NARROW = JSON.stringify(WIDE.slice(1)).length;

test.each<readonly [string, readonly Message[], Partial<SessionOptions<Model>>, object[]]>([
  [
    "fits with the report tool alone",
    [ASK],
    { targets: [{ model: "a", contextWindow: 400 }] },
    [
      {
        type: "context-exceeded",
        guard: "turn_preflight",
        projected_tokens: JSON.stringify(WIDE).length + 3,
        limit_tokens: 360,
        remaining_tokens: 0,
        blocked: [{ provider: "p", model: "a" }],
      },
      {
        type: "llm-request",
        turn: 1,
        ctxTokens: 0,
        newTokens: 3 + FINAL_INSTRUCTION.length,
        schemaTokens: NARROW,
        expectedTokens: 3 + NARROW + FINAL_INSTRUCTION.length,
        forcedFinalTurnReason: "context",
      },
    ],
  ],
  [
    "fits not even so",
    [BIG],
    { targets: [{ model: "a", contextWindow: 400 }] },
    [
      { type: "context-exceeded", guard: "turn_preflight", limit_tokens: 360 },
      { type: "post-shrink", projected_tokens: 1_000 + NARROW, limit_tokens: 360 },
      { type: "llm-request", schemaTokens: NARROW, forcedFinalTurnReason: "context" },
    ],
  ],
])("a request that %s is the last one", async (_, messages, options, expected) => {
  const { events } = await runs(
    async (run) => {
      const attempt = await streamed(run, messages, { tools: WIDE });
      expect(attempt.onlyReport).toBe(true);
    },
    { estimateTokens: characters, ...options },
  );
  expect(events.slice(0, expected.length)).toMatchObject(expected);
});

const MIXED = [
  { name: "t" },
  { name: "web_search", isProviderDefined: true },
  { name: "agent__final_report" },
];

test.each<readonly [string, XmlTransport, readonly object[]]>([
  ["xml", xml, MIXED.slice(1, 2)],
  ["xmlFinal", xmlFinal, MIXED.slice(0, 2)],
])("%s: what a request offers is counted as it is written", async (_, transport, native) => {
  let text = "";
  const { events } = await runs(
    async (run) => {
      const { next, notices } = await streamed(run, [ASK], { tools: MIXED });
      expect(notices).toEqual([]);
      expect(next).toEqual({
        tools: [MIXED[0], MIXED[2]],
        isForced: false,
        report: { format: "json", outputSchema: { type: "object" } },
        slots: 2,
      });
      text = (next && run.xml?.renderNext(next)) ?? "";
    },
    {
      targets: [{ model: "a", contextWindow: 100_000 }],
      estimateTokens: characters,
      expectedOutputFormat: "json",
      outputSchema: { type: "object" },
      maxToolCallsPerTurn: 2,
      transport,
    },
  );
  expect(text).toContain("Final report");
  expect(events[0]).toMatchObject({ schemaTokens: JSON.stringify(native).length + text.length });
});

test("in tags, it is the instructions that say which turn is the last", async () => {
  const attempt = await new Promise<TargetRequest<Model>>((resolve, reject) => {
    runs(async (run) => resolve(await streamed(run, [ASK], { tools: MIXED })), {
      transport: xml,
      maxTurns: 1,
    }).catch(reject);
  });
  expect(attempt.notices).toEqual([]);
  expect(attempt.onlyReport).toBe(true);
  expect(attempt.next).toMatchObject({ isForced: true });
  expect(attempt.next).not.toHaveProperty("slots");
});
