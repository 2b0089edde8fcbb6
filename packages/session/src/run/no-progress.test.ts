import { describe, expect, test } from "vitest";
import { createProgress } from "./progress.ts";
import { reply, type Run, runs } from "../testing/index.ts";

interface Played {
  /** The request in which the model first read of it, and the one that was the last; -1 for none. */
  readonly told: number;
  readonly last: number;
  readonly turns: number;
  readonly events: number;
}

/** Repeats calls, turn by turn, until the run forces its end. */
async function play(
  callsAt: (turn: number) => readonly unknown[],
  outcome: (turn: number) => string,
  fails: boolean,
): Promise<Played> {
  let [told, last, turns] = [-1, -1, 0];
  const call = async (run: Run, id: string, input: unknown, turn: number): Promise<void> => {
    const limits = run.tool({ id, name: "look", input });
    if (limits.refusal() !== undefined) return;
    try {
      await limits.run(() => {
        if (fails) throw new Error(outcome(turn));
      });
      limits.shown([outcome(turn)]);
    } catch (thrown) {
      limits.failed(thrown);
    }
  };
  const { events } = await runs(
    async (run) => {
      while (!run.isOver) {
        turns += 1;
        const turn = turns;
        const inputs = callsAt(turn);
        const calls = inputs.map((_, index) => ({ id: `${turn}-${index}`, name: "look" }));
        const isLast = await run.turn(
          { tools: [{ name: "look" }], messages: () => [] },
          async (attempt) => {
            if (told < 0 && attempt.notices.some((one) => one.includes("the same"))) told = turn;
            if (attempt.onlyReport) last = turn;
            attempt.end(attempt.onlyReport ? reply({ text: "so far" }) : reply({ calls }));
            return attempt.onlyReport;
          },
        );
        if (isLast) return;
        for (const [index, input] of inputs.entries())
          await call(run, `${turn}-${index}`, input, turn);
      }
    },
    { maxTurns: 20, targets: [{ model: "m" }] },
  );
  return { told, last, turns, events: events.filter(({ type }) => type === "no-progress").length };
}

test.each([
  ["a request id", (turn: number) => `502 Bad Gateway (trace ${turn * 37}f)`],
  ["a clock", (turn: number) => `timed out at 12:00:0${turn % 10}`],
])("a call that fails each time with %s in its words is not progress (F23)", async (_, words) => {
  expect(await play(() => [{ q: "a" }], words, true)).toEqual({
    told: 4,
    last: 5,
    turns: 5,
    events: 2,
  });
});

test("a call whose result goes on is progress", async () => {
  expect(
    await play(
      () => [{ q: "a" }],
      (turn) => `${turn} of 90`,
      false,
    ),
  ).toMatchObject({
    told: -1,
    last: 20,
  });
});

test("of a failure, a result and a failure, nothing is the same", () => {
  const progress = createProgress([]);
  const note = (turn: number, isFailed: boolean) =>
    progress.note({ turn, tool: "t", input: {}, result: `${turn}`, isFailed });
  expect([true, true, false, true, true].map((one, turn) => note(turn, one))).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});

describe("the model is told before the end comes, and not with it (F24)", () => {
  test.each<readonly [string, (turn: number) => readonly unknown[]]>([
    ["one call", () => [{ q: "a" }]],
    ["two calls of one answer", () => [{ q: "a" }, { q: "b" }]],
    ["the same call twice in one answer", () => [{ q: "a" }, { q: "a" }]],
  ])("%s", async (_, callsAt) => {
    const { told, last } = await play(callsAt, () => "nothing new", false);
    expect([told, last]).toEqual([4, 5]);
  });

  test("two polls that end after they were told finish the run in peace", async () => {
    const { last } = await play(
      (turn) => (turn <= 3 ? [{ q: "a" }, { q: "b" }] : [{ q: turn }]),
      () => "pending",
      false,
    );
    expect(last).toBe(20);
  });
});

describe("a run reports, whatever fails around it (F31)", () => {
  const fails = (): never => {
    throw new Error("out of order");
  };
  const later = ((): unknown => Promise.reject(new Error("late"))) as () => void;
  test.each<readonly [string, Parameters<typeof runs>[1], Parameters<typeof runs>[2]]>([
    ["the clock", { clock: fails }, {}],
    ["a clock that says nothing", { clock: () => Number.NaN }, {}],
    ["the listener", { onEvent: fails }, {}],
    ["the listener, later", { onEvent: later }, {}],
    ["the estimate", { estimateTokens: fails, maxTokens: 1_000_000 }, {}],
    ["the price", { price: fails }, {}],
    ["the server of a tool", { serverOf: fails }, {}],
    ["the conversation", {}, { conversation: fails }],
    ["the end", {}, { end: fails }],
  ])("%s", async (_, options, drive) => {
    const result = await runs(
      async (run) =>
        run.turn({ tools: [], messages: () => [] }, async (attempt) =>
          attempt.end(
            reply({ text: "done", usage: { inputTokens: 5, outputTokens: 5, totalTokens: 10 } }),
          ),
        ),
      options,
      drive,
    );
    expect(result).toMatchObject({ finalReport: { content: "done" } });
    expect(result.accounting[0]?.timestamp).toEqual(expect.any(Number));
  });
});

test("a tool over its time has failed, also if a contract around it answers for it (M7)", async () => {
  const { accounting } = await runs(
    async (run) => {
      await run.turn({ tools: [], messages: () => [] }, async (attempt) =>
        attempt.end(reply({ calls: [{ id: "c", name: "slow" }] })),
      );
      const limits = run.tool({ id: "c", name: "slow", input: {} });
      await limits.run(() => new Promise(() => undefined)).catch(() => undefined);
      limits.shown(["the contract's answer"]);
    },
    { toolTimeout: 5, targets: [{ model: "m" }] },
  );
  expect(accounting.at(-1)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("(tool failed: timeout)") as unknown,
  });
});
