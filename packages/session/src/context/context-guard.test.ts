import { ToolContractError } from "@toolcontract/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TokenUsage } from "../shared/index.ts";
import { type ContextGuard, createContextGuard } from "./context-guard.ts";
import type { GuardedTarget } from "./target-limits.ts";

const NAMES = { provider: "pa", model: "ma" };

/** A guard with one target, whose limit is given. */
function guardOf(limit: number): ContextGuard {
  return createContextGuard({
    targets: [{ ...NAMES, contextWindow: limit, contextWindowBufferTokens: 0 }],
  });
}

function usageOf(inputTokens: number, outputTokens: number, cachedTokens?: number): TokenUsage {
  const totalTokens = inputTokens + outputTokens;
  return {
    inputTokens,
    outputTokens,
    totalTokens,
    ...(cachedTokens !== undefined && { cachedTokens }),
  };
}

describe("the counters", () => {
  test("expected is ctx + new + schema, and ctx is 0 on the first turn", () => {
    const guard = guardOf(1_000);
    guard.add(9);
    expect(guard.turn({ schemaTokens: 114 })).toEqual({
      ctxTokens: 0,
      newTokens: 9,
      schemaTokens: 114,
      expectedTokens: 123,
    });
    guard.commit(usageOf(110, 10), 99);
    expect(guard.admit(11)).toBeUndefined();
    expect(guard.turn({ schemaTokens: 50 })).toEqual({
      ctxTokens: 120,
      newTokens: 11,
      schemaTokens: 50,
      expectedTokens: 181,
    });
  });

  test("asking again, for a retry or for fewer tools, counts nothing twice", () => {
    const guard = guardOf(1_000);
    guard.add(40);
    guard.turn({ schemaTokens: 100 });
    expect(guard.turn({ schemaTokens: 20 })).toMatchObject({ newTokens: 40, expectedTokens: 60 });
    guard.add(5);
    expect(guard.turn({ schemaTokens: 20 })).toMatchObject({ newTokens: 45, expectedTokens: 65 });
  });

  test("the request's own count replaces what was added piece by piece", () => {
    const guard = guardOf(1_000);
    guard.add(40);
    expect(guard.turn({ schemaTokens: 0, pendingTokens: 70 }).newTokens).toBe(70);
    expect(guard.turn({ schemaTokens: 0, pendingTokens: 75 }).newTokens).toBe(75);
  });

  test("an answer empties what was pending, not what its tools add meanwhile", () => {
    const guard = guardOf(1_000);
    guard.add(40);
    guard.turn({ schemaTokens: 0 });
    guard.admit(7);
    guard.commit(usageOf(40, 2), 0);
    expect(guard.turn({ schemaTokens: 0 })).toMatchObject({ ctxTokens: 42, newTokens: 7 });
  });
});

describe("the usage of an answer", () => {
  const cases: readonly (readonly [string, unknown, number])[] = [
    ["as counted", usageOf(300, 20), 320],
    ["cached tokens are in the prompt's", usageOf(300, 20, 280), 320],
    ["more cached tokens than tokens were not included", usageOf(30, 20, 280), 330],
    ["missing", undefined, 107],
    ["null", null, 107],
    ["zero", usageOf(0, 0), 107],
    ["not a number", usageOf(Number.NaN, 5), 107],
    ["infinite", usageOf(Number.POSITIVE_INFINITY, 5), 107],
    ["negative", usageOf(-3, 5), 107],
    ["negative output", usageOf(3, -5), 107],
    ["strings", { inputTokens: "300", outputTokens: "20" }, 107],
    ["half of it", { inputTokens: 300 }, 107],
    ["nonsense beside it is ignored", { ...usageOf(300, 20), cachedTokens: "many" }, 320],
  ];
  test.each(cases)("%s", (_, usage, ctxTokens) => {
    const guard = guardOf(1_000);
    guard.add(100);
    guard.turn({ schemaTokens: 50 });
    guard.commit(usage as TokenUsage | undefined, 7);
    expect(guard.turn({ schemaTokens: 50 }).ctxTokens).toBe(ctxTokens);
  });

  test("a provider that never counts still meets the limit, and the schema counts once", () => {
    const guard = guardOf(700);
    const expected: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      guard.add(100);
      const { expectedTokens, exceeded } = guard.turn({ schemaTokens: 150 });
      expected.push(expectedTokens);
      if (exceeded) break;
      guard.commit(undefined, 50);
    }
    expect(expected).toEqual([250, 400, 550, 700, 850]);
  });
});

describe("what does not fit", () => {
  test("a tool's output is refused with the numbers, and smaller ones still fit", () => {
    const guard = guardOf(700);
    guard.add(9);
    guard.turn({ schemaTokens: 114 });
    guard.commit(usageOf(110, 10), 0);
    expect(guard.isExceeded).toBe(false);
    expect(guard.admit(5_000)).toEqual({
      projected_tokens: 5_234,
      limit_tokens: 700,
      remaining_tokens: 466,
      blocked: [NAMES],
    });
    expect(guard.isExceeded).toBe(true);
    expect(guard.admit(466)).toBeUndefined();
    expect(guard.admit(1)).toMatchObject({ projected_tokens: 701, remaining_tokens: 0 });
    // The stub goes in all the same.
    guard.add(9);
    expect(guard.turn({ schemaTokens: 114 }).newTokens).toBe(475);
  });

  test("a request at the limit goes, one token more does not; asking drops nothing", () => {
    const guard = guardOf(700);
    guard.add(600);
    expect(guard.turn({ schemaTokens: 100 }).exceeded).toBeUndefined();
    expect(guard.turn({ schemaTokens: 101 }).exceeded).toEqual({
      projected_tokens: 701,
      limit_tokens: 700,
      remaining_tokens: 0,
      blocked: [NAMES],
    });
    expect(guard.isExceeded).toBe(false);
  });

  test("fewer tools may make room; if not, the second projection says so (post-shrink)", () => {
    const guard = guardOf(200);
    guard.add(150);
    expect(guard.turn({ schemaTokens: 100 }).exceeded?.projected_tokens).toBe(250);
    expect(guard.turn({ schemaTokens: 20 }).exceeded).toBeUndefined();
    guard.add(80);
    expect(guard.turn({ schemaTokens: 20 }).exceeded?.projected_tokens).toBe(250);
  });

  test("with several targets the smallest limit decides, and the blocked ones are named", () => {
    const guard = createContextGuard({
      targets: [
        { provider: "pa", model: "big", contextWindow: 2_000 },
        { provider: "pb", model: "small", contextWindow: 1_000, maxOutputTokens: 100 },
        { provider: "pc", model: "unknown" },
        { provider: "pd", model: "middle", contextWindow: 1_500, contextWindowBufferTokens: 500 },
      ],
    });
    expect(guard.admit(800)).toBeUndefined();
    expect(guard.admit(1)).toEqual({
      projected_tokens: 801,
      limit_tokens: 800,
      remaining_tokens: 0,
      blocked: [{ provider: "pb", model: "small" }],
    });
    expect(guard.admit(300)?.blocked.map(({ model }) => model)).toEqual(["small", "middle"]);
    expect(guard.admit(9_000)?.blocked.map(({ model }) => model)).toEqual([
      "big",
      "small",
      "middle",
    ]);
  });

  test("without a window, everything fits", () => {
    for (const targets of [
      [],
      [{ ...NAMES, contextWindowBufferTokens: 10, maxOutputTokens: 10 }],
    ]) {
      const guard = createContextGuard({ targets });
      expect(guard.admit(Number.MAX_SAFE_INTEGER)).toBeUndefined();
      expect(guard.turn({ schemaTokens: 1e9 }).exceeded).toBeUndefined();
      expect(guard.isExceeded).toBe(false);
    }
  });
});

describe("the limit of a target", () => {
  test.each<readonly [string, Partial<GuardedTarget>, number]>([
    ["the buffer is a tenth by default", { contextWindow: 1_000 }, 900],
    ["rounded up", { contextWindow: 1_001 }, 900],
    ["or what is given", { contextWindow: 1_000, contextWindowBufferTokens: 1 }, 999],
    ["the answer has its room", { contextWindow: 1_000, maxOutputTokens: 250 }, 650],
  ])("%s", (_, target, limit) => {
    const guard = createContextGuard({ targets: [{ ...NAMES, ...target }] });
    expect(guard.admit(limit)).toBeUndefined();
    expect(guard.admit(1)?.limit_tokens).toBe(limit);
  });

  test.each<readonly [string, Partial<GuardedTarget>, string]>([
    [
      "a window smaller than its buffer",
      { contextWindow: 1_000, contextWindowBufferTokens: 1_000 },
      "createContextGuard: targets[0]: contextWindow 1000 leaves no room for a prompt: contextWindowBufferTokens takes 1000 and maxOutputTokens takes 0. Raise contextWindow, or lower one of the others.",
    ],
    [
      "no room beside the answer",
      { contextWindow: 1_000, maxOutputTokens: 950 },
      "createContextGuard: targets[0]: contextWindow 1000 leaves no room for a prompt: contextWindowBufferTokens takes 100 and maxOutputTokens takes 950. Raise contextWindow, or lower one of the others.",
    ],
    [
      "no number",
      { contextWindow: Number.NaN },
      "createContextGuard: targets[0].contextWindow must be a whole number of at least 1.",
    ],
    [
      "a string",
      { contextWindowBufferTokens: "10 %" as unknown as number },
      "createContextGuard: targets[0].contextWindowBufferTokens must be a whole number of at least 0.",
    ],
    [
      "below zero",
      { maxOutputTokens: -1 },
      "createContextGuard: targets[0].maxOutputTokens must be a whole number of at least 0.",
    ],
  ])("%s throws at once", (_, target, message) => {
    const create = (): unknown => createContextGuard({ targets: [{ ...NAMES, ...target }] });
    expect(create).toThrow(new ToolContractError(message));
  });
});

test("any sequence of estimates and usage keeps the sums, and admits nothing over the limit", () => {
  const tokens = fc.oneof(fc.nat(400), fc.double(), fc.constant(Number.NaN));
  const step = fc.oneof(
    fc.record({ admit: tokens }),
    fc.record({ turn: tokens }),
    fc.record({ usage: fc.anything(), output: tokens }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const guard = guardOf(1_000);
      for (const next of steps) {
        if ("admit" in next) {
          const refused = guard.admit(next.admit);
          expect(refused === undefined || refused.projected_tokens > refused.limit_tokens).toBe(
            true,
          );
        } else if ("turn" in next) {
          const { ctxTokens, newTokens, schemaTokens, expectedTokens, exceeded } = guard.turn({
            schemaTokens: next.turn,
          });
          expect(expectedTokens).toBe(ctxTokens + newTokens + schemaTokens);
          expect(exceeded !== undefined).toBe(expectedTokens > 1_000);
        } else {
          guard.commit(next.usage as TokenUsage | undefined, next.output);
        }
      }
    }),
  );
});

test("usage whose getters throw is none", () => {
  const guard = guardOf(1_000);
  guard.add(10);
  guard.turn({ schemaTokens: 0 });
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error("no");
      },
    },
  );
  guard.commit(hostile as TokenUsage, 1);
  expect(guard.turn({ schemaTokens: 0 }).ctxTokens).toBe(11);
});
