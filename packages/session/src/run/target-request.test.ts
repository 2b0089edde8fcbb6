import { describe, expect, test } from "vitest";
import type { PricedUsage, SessionEvent } from "../shared/index.ts";
import {
  answered,
  ASK,
  CALL,
  characters,
  type Model,
  reply,
  type Run,
  runs,
  streamed,
} from "../testing/index.ts";
import { xml, xmlFinal } from "../xml/index.ts";
import type { SessionOptions, TargetRequest } from "./index.ts";

type Options = Partial<SessionOptions<Model>>;

/** Looks at a request that is open. */
async function opened<T>(
  options: Options,
  look: (attempt: TargetRequest<Model>, run: Run) => T,
  request: Parameters<typeof streamed>[2] = {},
): Promise<T> {
  const seen: T[] = [];
  await runs(async (run) => {
    const attempt = await streamed(run, [ASK], request);
    seen.push(look(attempt, run));
  }, options);
  return seen[0] as T;
}

describe("a stream is passed on", () => {
  test.each<readonly [string, Options, string]>([
    ["at once", {}, "any"],
    ["at its text in the last turn", { maxTurns: 1 }, "answer"],
    ["at a call if text is asked for again", { plainText: "retry" }, "call"],
    ["at its text in the last turn, retry or not", { plainText: "retry", maxTurns: 1 }, "answer"],
    ["at once if text is nudged", { plainText: "nudge" }, "any"],
    ["at a call if JSON is expected", { expectedOutputFormat: "json", maxTurns: 1 }, "call"],
    ["at a call for Slack", { expectedOutputFormat: "slack-block-kit", maxTurns: 1 }, "call"],
    ["at a call in tags", { transport: xml }, "call"],
    ["at a call in tags, in the last turn too", { transport: xmlFinal, maxTurns: 1 }, "call"],
    ["at once as plain text", { expectedOutputFormat: "text" }, "any"],
  ])("%s", async (_, options, release) => {
    expect(await opened(options, (attempt) => attempt.release)).toBe(release);
  });
});

test.each([
  ["final_report", [], "agent__final_report"],
  ["Final-Report", ["read"], "agent__final_report"],
  ["agent__final_report", ["agent__final_report"], "agent__final_report"],
  ["final_report", ["final_report"], "final_report"],
  ["read", ["read"], "read"],
  ["write", ["read"], "write"],
])("a call of %s with %j on offer means %s", async (name, offered, means) => {
  const tools = offered.map((one) => ({ name: one }));
  expect(await opened({}, (attempt) => attempt.toolName(name), { tools })).toBe(means);
});

describe("calls of one turn beyond the limit do not run", () => {
  const LIMIT = "(tool failed: too many tool calls in one turn; limit is 1)";
  const t = (id: string) => ({ id, name: "t" });
  const final = { id: "r", name: "agent__final_report" };
  test.each<readonly [string, readonly (typeof final)[], readonly boolean[]]>([
    ["the first runs", [t("a"), t("b")], [true, false]],
    ["a report is not counted", [final, t("a"), final, t("b")], [true, true, true, false]],
    ["calls of one id ask one after another", [t("a"), t("a"), t("a")], [true, false, false]],
    [
      "a report with the id of other calls is not counted either",
      [t("a"), t("a"), { ...final, id: "a" }],
      [true, false, true],
    ],
  ])("%s", async (_, calls, runs_) => {
    const refusals = (run: Run): readonly (string | undefined)[] =>
      calls.map((call) => run.tool({ ...call, input: {} }).refusal());
    const expected = runs_.map((mayRun) => (mayRun ? undefined : LIMIT));
    await runs(
      async (run) => {
        await answered(run, reply({ calls }));
        expect(refusals(run)).toEqual(expected);
        // The next turn counts anew.
        await answered(run, reply({ calls }));
        expect(refusals(run)).toEqual(expected);
        // In a stream, calls come before their answer ends.
        const attempt = await streamed(run);
        for (const call of calls.slice(0, 1)) attempt.call(call);
        attempt.end(reply({ calls }));
        expect(refusals(run)).toEqual(expected);
      },
      { maxToolCallsPerTurn: 1 },
    );
  });

  test("an answer that comes again for the same call says the same", async () => {
    await runs(
      async (run) => {
        await answered(run, reply({ calls: [t("a"), t("b")] }));
        const call = run.tool({ ...t("a"), input: {} });
        const other = run.tool({ ...t("b"), input: {} });
        expect([call.refusal(), other.refusal()]).toEqual([undefined, LIMIT]);
        expect([call.refusal(), other.refusal()]).toEqual([undefined, LIMIT]);
        // More calls than the answer had: the last one speaks for them.
        expect(run.tool({ ...t("b"), input: {} }).refusal()).toBe(LIMIT);
        expect(run.tool({ ...t("x"), input: {} }).refusal()).toBeUndefined();
      },
      { maxToolCallsPerTurn: 1 },
    );
  });
});

test("a request ends once", async () => {
  const { accounting, events } = await runs(async (run) => {
    const attempt = await streamed(run);
    expect(attempt.end(reply({ text: "done" }))).toBe("complete");
    expect(attempt.end(reply({ cut: true }))).toBe("complete");
    attempt.fail(new Error("late"));
  });
  expect(accounting).toMatchObject([{ status: "ok" }]);
  expect(events.map(({ type }) => type)).toEqual(["llm-request", "not-judged", "entry"]);
});

test("an answer of reasoning alone is gone on with", async () => {
  const thinking = reply({ hasReasoning: true });
  expect(await opened({}, (attempt) => attempt.end(thinking))).toBe("continue");
});

test("a request has its times from the session, its target and the framework", async () => {
  const targets: SessionOptions<Model>["targets"] = [
    { model: "a", requestTimeout: { total: 1 } },
    { model: "b" },
  ];
  const { accounting, events } = await runs(
    async (run) =>
      run.turn({ tools: [], messages: () => [ASK] }, async (attempt) => {
        if (attempt.target.model === "a") return new Promise<never>(() => undefined);
        expect(attempt.signal.aborted).toBe(false);
        return attempt.end(reply({ text: "done" }));
      }),
    { targets },
  );
  expect(accounting).toMatchObject([
    { model: "a", status: "failed", error: "the answer was not complete within 1 ms" },
    { model: "b", status: "ok" },
  ]);
  expect(events).toContainEqual(
    expect.objectContaining({ type: "attempt-failed", kind: "timeout", waits: 0 }),
  );
});

describe("what a request costs", () => {
  const usage = { inputTokens: 90, outputTokens: 10, totalTokens: 100 };
  const priced = (events: readonly SessionEvent[]): readonly SessionEvent[] =>
    events.filter((event) => event.type === "not-judged" && event.what === "price");
  const UNKNOWN = {
    type: "not-judged",
    what: "price",
    detail: "The price of a request is unknown, so that maxCost does not count it",
  };

  test.each<readonly [string, () => unknown, number | undefined]>([
    ["to a billionth", () => 0.123_456_789_12, 0.123_456_789],
    ["nothing", () => 0, 0],
    ["less than nothing", () => -1, undefined],
    ["no number", () => "1", undefined],
    ["without end", () => Number.POSITIVE_INFINITY, undefined],
    ["unknown", () => undefined, undefined],
    ["known later", async () => 0.5, 0.5],
    ["never known", async () => Promise.reject(new Error("offline")), undefined],
  ])("is %s", async (_, price, costUsd) => {
    const { accounting, events } = await runs(async (run) => answered(run, { ...CALL, usage }), {
      price: price as () => number,
    });
    const [entry] = accounting;
    expect(entry).toMatchObject({ status: "ok", tokens: usage });
    expect(entry?.type === "llm" && entry.costUsd).toBe(costUsd);
    expect(events).toContainEqual({ type: "entry", turn: 1, entry });
    expect(priced(events)).toEqual([]);
  });

  test("is asked with what answered, behind a gateway too", async () => {
    const asked: PricedUsage[] = [];
    const price = (given: PricedUsage, { model }: { readonly model: unknown }): number => {
      asked.push({ ...given, metadata: [given.metadata, model] });
      return 1;
    };
    await runs(
      async (run) => {
        await answered(run, { ...CALL, usage });
        const behind = { provider: "openai", model: "gpt-x", metadata: { cost: 1 } };
        await answered(run, { ...CALL, usage, ...behind });
        await answered(run, CALL);
      },
      { price },
    );
    expect(asked).toEqual([
      { ...usage, provider: "p", model: "a", metadata: [undefined, "a"] },
      { ...usage, provider: "openai", model: "gpt-x", metadata: [{ cost: 1 }, "a"] },
    ]);
  });

  test("is reported once if maxCost cannot count it", async () => {
    const { events } = await runs(
      async (run) => {
        await answered(run, { ...CALL, usage });
        await answered(run, { ...CALL, usage });
      },
      { price: () => undefined, maxCost: 1 },
    );
    expect(priced(events)).toEqual([UNKNOWN]);
  });

  test("is reported if your function fails", async () => {
    const price = (): never => {
      throw new Error("no list");
    };
    const { events } = await runs(async (run) => answered(run, { ...CALL, usage }), { price });
    expect(priced(events)).toEqual([{ type: "not-judged", what: "price", detail: "no list" }]);
  });

  const lasts = (events: readonly SessionEvent[]): readonly unknown[] =>
    events.flatMap((event) => (event.type === "llm-request" ? [event.forcedFinalTurnReason] : []));

  const priceLater = async (): Promise<number> =>
    new Promise((resolve) => {
      setImmediate(resolve, 1);
    });

  type Exceeded = Extract<SessionEvent, { type: "budget-exceeded" }>;
  test.each<readonly [string, Options, Omit<Exceeded, "type">]>([
    ["tokens", { maxTokens: 250 }, { limit: "maxTokens", spent: 100, max: 250 }],
    ["dollars", { maxCost: 2.5, price: () => 1 }, { limit: "maxCost", spent: 1, max: 2.5 }],
    [
      "dollars that are known later",
      { maxCost: 2.5, price: priceLater } as unknown as Options,
      { limit: "maxCost", spent: 1, max: 2.5 },
    ],
  ])("%s that are used up make the next turn the last", async (_, options, exceeded) => {
    const { events, finalReport } = await runs(
      async (run) => {
        await answered(run, { ...CALL, usage });
        await answered(run, reply({ text: "done", usage }));
      },
      { estimateTokens: characters, ...options },
    );
    expect(lasts(events)).toEqual([undefined, "budget"]);
    expect(events.filter(({ type }) => type === "budget-exceeded")).toEqual([
      { type: "budget-exceeded", ...exceeded },
    ]);
    expect(finalReport).toMatchObject({
      content: "done",
      metadata: { budget: exceeded.limit },
    });
  });

  test("there is no turn after the last one, and no second reason", async () => {
    const { events, finalReport } = await runs(
      async (run) => {
        await answered(run, { ...CALL, usage });
        await answered(run, { ...CALL, usage });
      },
      { maxTokens: 250, maxTurns: 2 },
    );
    expect(lasts(events)).toEqual([undefined, "max_turns"]);
    expect(events.map(({ type }) => type)).not.toContain("budget-exceeded");
    expect(finalReport?.metadata).toEqual({ reason: "max_turns_exhausted" });
  });
});
