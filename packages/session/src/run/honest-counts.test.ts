import { describe, expect, test } from "vitest";
import { createSession, type SessionRun } from "./index.ts";
import type {
  ReplyFacts,
  SessionEvent,
  SessionLimits,
  Target,
  TokenUsage,
} from "../shared/index.ts";
import { answered, characters, type Message, reply, runs, streamed } from "../testing/index.ts";

const SIZE = 100;
/** A prompt that grows by one message of the same size in each turn. */
const grown = (turn: number): readonly Message[] =>
  Array.from({ length: turn + 1 }, () => ({ role: "user", text: "x".repeat(SIZE) }));
const used = (inputTokens: number, outputTokens = 0): TokenUsage => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
});
const calling = (turn: number, usage?: TokenUsage): ReplyFacts =>
  reply({
    calls: [{ id: `c${turn}`, name: "t" }],
    finishReason: "tool-calls",
    ...(usage && { usage }),
  });

/** Runs turns that only call, until the last one; returns the requests and the events. */
async function play(
  usageOf: (prompt: number, turn: number) => TokenUsage | undefined,
  options: Partial<SessionLimits> & { readonly target?: Partial<Target<string>> },
): Promise<{ readonly requests: readonly number[]; readonly events: readonly SessionEvent[] }> {
  const { target, ...limits } = options;
  const requests: number[] = [];
  const { events } = await runs(
    async (run) => {
      for (let turn = 0; !run.isOver; turn += 1) {
        const messages = grown(turn);
        const prompt = messages.length * SIZE;
        requests.push(prompt);
        const usage = usageOf(prompt, turn);
        const facts = run.isForced
          ? reply({ text: "so far", ...(usage && { usage }) })
          : calling(turn, usage);
        await answered(run, facts, messages);
      }
    },
    { targets: [{ model: "a", ...target }], estimateTokens: characters, maxTurns: 30, ...limits },
  );
  return { requests, events };
}

const forcedBy = (events: readonly SessionEvent[]): readonly unknown[] =>
  events.flatMap((event) =>
    event.type === "llm-request" && event.forcedFinalTurnReason
      ? [event.forcedFinalTurnReason]
      : [],
  );
const said = (events: readonly SessionEvent[], what: string): number =>
  events.filter((event) => event.type === "not-judged" && event.what === what).length;

describe("usage that cannot be true does not open the window (F8)", () => {
  const target = { contextWindow: 1_000, contextWindowBufferTokens: 0 };
  test.each<readonly [string, (prompt: number, turn: number) => TokenUsage, number]>([
    ["honest", (prompt) => used(prompt), 0],
    ["honest, four times less than the estimate", (prompt) => used(prompt / 4), 0],
    ["what was not cached alone", (prompt, turn) => used(turn === 0 ? prompt : SIZE), 1],
    ["counted after its own truncation", (prompt) => used(Math.min(prompt, 300)), 1],
  ])("%s", async (name, usageOf, times) => {
    const { requests, events } = await play(usageOf, { target });
    expect(said(events, "usage")).toBe(times);
    if (name.includes("four times")) return;
    expect(forcedBy(events)).toContain("context");
    expect(Math.max(...requests)).toBeLessThanOrEqual(1_100);
  });

  test("another target has a tokenizer of its own", async () => {
    const usages = [used(100), used(60)];
    const { events } = await runs(
      async (run) => {
        await answered(run, calling(0, usages[0]), grown(0));
        await run.turn({ tools: [], messages: () => grown(1) }, async (attempt) => {
          if (attempt.target.model === "a") throw new Error("down");
          attempt.end(calling(1, usages[1]));
        });
      },
      {
        estimateTokens: characters,
        targets: [{ model: "a", contextWindow: 1_000 }, { model: "b" }],
      },
    );
    expect(said(events, "usage")).toBe(0);
  });

  test("fewer tools take tokens away", async () => {
    const { events } = await runs(
      async (run) => {
        const tools = [{ name: "t", description: "d".repeat(200) }];
        await answered(run, calling(0, used(400)), grown(0), { tools });
        await answered(run, calling(1, used(210)), grown(1));
      },
      { estimateTokens: characters, targets: [{ model: "a", contextWindow: 10_000 }] },
    );
    expect(said(events, "usage")).toBe(0);
  });
});

describe("a budget counts what nobody reports (F9)", () => {
  test.each<readonly [string, (prompt: number) => TokenUsage | undefined]>([
    ["reported", (prompt) => used(prompt)],
    ["not reported", () => undefined],
    ["reported as nothing", () => used(0)],
  ])("%s", async (_, usageOf) => {
    const { requests, events } = await play(usageOf, { maxTokens: 1_500 });
    const total = requests.reduce((sum, one) => sum + one, 0);
    expect(total).toBeLessThanOrEqual(1_500);
    expect(total).toBeGreaterThan(900);
    expect(events.filter(({ type }) => type === "budget-exceeded")).toHaveLength(1);
  });

  test("in dollars, too, while the log keeps that nothing was reported", async () => {
    const price = { input: 1_000_000, output: 0 };
    const { requests, events } = await play(() => undefined, { maxCost: 1_500, target: { price } });
    expect(requests.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1_500);
    const costs = events.flatMap((event) =>
      event.type === "entry" && event.entry.type === "llm" ? [event.entry.costUsd] : [],
    );
    expect(costs.every((one) => one === undefined)).toBe(true);
  });
});

test("a request that broke off counts what had begun, and one that did not begin counts nothing (F13)", async () => {
  const exceeded = async (begins: boolean): Promise<boolean> => {
    const { events } = await runs(
      async (run) => {
        for (const turn of [0, 1]) {
          const attempt = await streamed(run, grown(5));
          if (begins) attempt.heard();
          attempt.fail(new Error(`broke off ${turn}`));
        }
        await answered(run, calling(2, used(600)), grown(5));
        await answered(run, calling(3, used(700)), grown(6));
      },
      { estimateTokens: characters, maxTokens: 3_000, targets: [{ model: "a" }] },
    );
    return events.some(({ type }) => type === "budget-exceeded");
  };
  expect(await exceeded(true)).toBe(true);
  expect(await exceeded(false)).toBe(false);
});

describe("a budget holds for runs at the same time (F10)", () => {
  const HOST = {
    where: "family",
    nameOf: ({ model }: Target<string>) => ({ provider: "own", model }),
  };
  const usage = used(490, 10);
  const messages = () => [{ role: "user", text: "t".repeat(485) }];

  /** One run whose first answer calls so many sub-agents at once; returns the tokens that were taken, and who finished. */
  async function family(
    children: number,
    turns: number,
    limits: Partial<SessionLimits>,
    target: Partial<Target<string>> = {},
  ): Promise<{ readonly taken: number; readonly finished: number; readonly success: boolean }> {
    let taken = 0;
    let finished = 0;
    const take = async (
      run: SessionRun<Target<string>>,
      calls: (isLast: boolean) => ReplyFacts["calls"],
    ): Promise<ReplyFacts["calls"]> =>
      run.turn({ tools: [], messages }, async (attempt) => {
        await Promise.resolve();
        taken += usage.totalTokens;
        const made = calls(attempt.onlyReport);
        attempt.end(reply({ text: made.length > 0 ? "" : "done", calls: made, usage }));
        return made;
      });
    const session = (more: Partial<SessionLimits>) =>
      createSession<Target<string>>(
        { targets: [{ model: "m", ...target }], estimateTokens: characters, ...more },
        HOST,
      );
    const child = async (index: number): Promise<void> => {
      const { success } = await session({}).run({
        conversation: () => [],
        async call(run) {
          for (let turn = 1; !run.isOver; turn += 1) {
            const made = await take(run, (isLast) =>
              isLast || turn === turns ? [] : [{ id: `${index}-${turn}`, name: "look" }],
            );
            if (made.length === 0) return;
          }
        },
      });
      if (success) finished += 1;
    };
    const { success } = await session(limits).run({
      conversation: () => [],
      async call(run) {
        const calls = Array.from({ length: children }, (_, n) => ({ id: `c${n}`, name: "child" }));
        await take(run, () => calls);
        await Promise.all(calls.map(async (_, index) => child(index)));
        if (!run.isOver) await take(run, () => []);
      },
    });
    return { taken, finished, success };
  }

  test.each([
    [1, 6, 4_000],
    [6, 6, 6_000],
    [25, 2, 5_000],
    [50, 4, 10_000],
  ])(
    "%i runs of %i turns in %i tokens pass it by one request at most",
    async (children, turns, max) => {
      const { taken, success } = await family(children, turns, { maxTokens: max });
      expect(taken).toBeLessThanOrEqual(max + usage.totalTokens);
      expect(success).toBe(true);
    },
  );

  test("and in dollars", async () => {
    const price = { input: 1_000_000, output: 1_000_000 };
    const { taken } = await family(50, 4, { maxCost: 10_000 }, { price });
    expect(taken).toBeLessThanOrEqual(10_500);
  });

  test("with room for all, all of them finish", async () => {
    expect(await family(10, 3, { maxTokens: 50_000 })).toEqual({
      taken: 10 * 3 * 500 + 1_000,
      finished: 10,
      success: true,
    });
  });
});

describe("dollars that cannot be counted are said before the first request (F11)", () => {
  const ask = async (
    model: string,
    options: Partial<SessionLimits>,
    target: Partial<Target<string>> = {},
  ): Promise<readonly [requests: number, thrown: string]> => {
    let requests = 0;
    const session = createSession<Target<string>>(
      { targets: [{ model, ...target }], ...options },
      { where: "agentSession", nameOf: () => ({ provider: "own", model }) },
    );
    const thrown: unknown = await session
      .run({
        conversation: () => [],
        call: async (run) => {
          requests += 1;
          await answered(run, reply({ text: "done", usage: used(5, 5) }));
        },
      })
      .then(() => "", String);
    return [requests, String(thrown)];
  };

  test("a model that no list has", async () => {
    const [, thrown] = await ask("house-model-v3", { maxCost: 1 });
    expect(thrown).toContain("the price of own/house-model-v3 is unknown");
  });

  test.each<readonly [string, string, Partial<SessionLimits>, Partial<Target<string>>]>([
    ["a list price", "gpt-4o", { maxCost: 1 }, {}],
    ["a price of the target", "house-model-v3", { maxCost: 1 }, { price: { input: 1, output: 2 } }],
    ["a function", "house-model-v3", { maxCost: 1, price: () => 0.1 }, {}],
    ["no limit in dollars", "house-model-v3", {}, {}],
  ])("not with %s", async (_, model, options, target) => {
    expect(await ask(model, options, target)).toEqual([1, ""]);
  });
});

test("a name in the answer that no list knows takes no price away (F28)", async () => {
  const { accounting } = await runs(
    async (run) =>
      answered(run, reply({ text: "ok", model: "deployment-b", usage: used(1_000_000) })),
    { targets: [{ model: "gpt-4.1" }] },
    {},
    { nameOf: ({ model }) => ({ provider: "openai.chat", model }) },
  );
  expect(accounting).toMatchObject([{ costUsd: 2, actualModel: "deployment-b" }]);
});
