import { describe, expect, test } from "vitest";
import { type Budget, withBudget } from "./budget.ts";

const spend = (budget: Budget, tokens: number, dollars: number): void => {
  budget.spend(tokens);
  budget.pay(dollars);
};

describe("a budget has to hold two more turns like the last one", () => {
  test.each([
    ["tokens that just fit", { maxTokens: 300 }, undefined],
    ["tokens", { maxTokens: 299 }, { limit: "maxTokens", spent: 100, max: 299 }],
    ["dollars that just fit", { maxCost: 3 }, undefined],
    ["dollars", { maxCost: 2.9 }, { limit: "maxCost", spent: 1, max: 2.9 }],
    [
      "tokens before dollars",
      { maxTokens: 1, maxCost: 1 },
      { limit: "maxTokens", spent: 100, max: 1 },
    ],
    ["nothing", {}, undefined],
  ])("%s", async (_, allowed, expected) => {
    const exceeded = await withBudget(allowed, async (budget) => {
      spend(budget, 100, 1);
      return budget.exceeded(0);
    });
    expect(exceeded).toEqual(expected);
  });

  test("and what was added to the prompt since", async () => {
    const exceeded = await withBudget({ maxTokens: 300 }, async (budget) => {
      spend(budget, 100, 0);
      return [budget.exceeded(0), budget.exceeded(1)?.limit];
    });
    expect(exceeded).toEqual([undefined, "maxTokens"]);
  });

  test("a run inside another spends from both", async () => {
    const seen = await withBudget({ maxTokens: 1_000, maxCost: 3 }, async (outer) => {
      spend(outer, 400, 1);
      const inner = await withBudget({ maxTokens: 500 }, async (budget) => {
        spend(budget, 100, 1);
        return [budget.exceeded(0), budget.hasMaxTokens, budget.hasMaxCost];
      });
      return [inner, outer.exceeded(0)?.limit];
    });
    expect(seen).toEqual([[{ limit: "maxCost", spent: 2, max: 3 }, true, true], "maxTokens"]);
  });
});

test.each([
  [{}, false, false],
  [{ maxTokens: 1 }, true, false],
  [{ maxCost: 1 }, false, true],
])("%j needs tokens: %s, dollars: %s", async (allowed, tokens, dollars) => {
  const needs = await withBudget(allowed, async ({ hasMaxTokens, hasMaxCost }) => [
    hasMaxTokens,
    hasMaxCost,
  ]);
  expect(needs).toEqual([tokens, dollars]);
});
