import fc from "fast-check";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { PricedUsage } from "../shared/index.ts";

// 500 new tokens at 3, 30,000 read at 0.30, 60,000 written at 3.75 or 6, 100 of output at 15 dollars for a million.
const WRITTEN = {
  inputTokens: 90_500,
  cachedTokens: 30_000,
  outputTokens: 100,
  totalTokens: 90_600,
};
const usage = { inputTokens: 1_000, cachedTokens: 800, outputTokens: 50, totalTokens: 1_050 };
let priceOf: typeof import("./index.ts").priceOf;
let contextWindowOf: typeof import("./index.ts").contextWindowOf;

/** A copy that has asked for no price yet; the prices themselves take a tenth of a second to load. */
async function loadAnew(): Promise<void> {
  vi.resetModules();
  ({ contextWindowOf, priceOf } = await import("./index.ts"));
}

beforeAll(loadAnew);

describe("the list price", () => {
  // 200 new tokens at 2.50, 800 cached ones at 1.25, 50 of output at 10 dollars for a million.
  const rows: readonly (readonly [
    name: string,
    usage: PricedUsage,
    dollars: number | undefined,
  ])[] = [
    ["a known model", { ...usage, provider: "openai", model: "gpt-4o" }, 0.002],
    ["the SDK's name of a provider", { ...usage, provider: "openai.chat", model: "gpt-4o" }, 0.002],
    [
      "a provider that is known by its first word",
      { ...usage, provider: "xai.chat", model: "grok-3" },
      0.001_95,
    ],
    [
      "a model that is known under its provider only",
      { ...usage, provider: "groq.chat", model: "llama-3.3-70b-versatile" },
      0.000_629_5,
    ],
    [
      "a model of a router behind a gateway",
      { ...usage, provider: "gateway", model: "openrouter/openai/gpt-4o" },
      0.003,
    ],
    ["a model behind a gateway", { ...usage, provider: "gateway", model: "openai/gpt-4o" }, 0.002],
    ["a model of an unknown provider", { ...usage, provider: "proxy", model: "gpt-4o" }, 0.002],
    [
      "nothing cached",
      {
        inputTokens: 1_000,
        outputTokens: 50,
        totalTokens: 1_050,
        provider: "openai",
        model: "gpt-4o",
      },
      0.003,
    ],
    [
      "cached tokens beside the input",
      { ...usage, inputTokens: 200, provider: "openai", model: "gpt-4o" },
      0.002,
    ],
    [
      "tokens written to a cache for five minutes",
      { ...WRITTEN, cacheWriteTokens: 60_000, provider: "anthropic", model: "claude-sonnet-4-5" },
      0.237,
    ],
    [
      "tokens written to a cache for an hour",
      {
        ...WRITTEN,
        cacheWriteTokens: 60_000,
        cacheWriteHourTokens: 60_000,
        provider: "anthropic",
        model: "claude-sonnet-4-5",
      },
      0.372,
    ],
    [
      "an input that was cached as a whole",
      { ...usage, inputTokens: 800, provider: "openai", model: "gpt-4o" },
      0.001_5,
    ],
    ["an unknown model", { ...usage, provider: "openai", model: "gpt-nil" }, undefined],
    [
      "an unknown model of an unknown provider",
      { ...usage, provider: "scripted", model: "scripted" },
      undefined,
    ],
    ["no names", { ...usage, provider: "", model: "" }, undefined],
    [
      "tokens that are not numbers",
      { ...usage, inputTokens: Number.NaN, provider: "openai", model: "gpt-4o" },
      undefined,
    ],
    [
      "negative tokens",
      { ...usage, outputTokens: -1, provider: "openai", model: "gpt-4o" },
      undefined,
    ],
  ];

  test.each(rows)("of %s", async (_, asked, dollars) => {
    const price = await priceOf(asked);
    if (dollars === undefined) expect(price).toBeUndefined();
    else expect(price).toBeCloseTo(dollars, 10);
  });
});

test.each([
  ["a known model", "openai", "gpt-4o", 128_000],
  ["a model behind a gateway", "gateway", "openai/gpt-4o", 128_000],
  ["an unknown model", "openai", "gpt-nil", undefined],
])("the context window of %s", async (_, provider, model, tokens) => {
  expect(await contextWindowOf({ provider, model })).toBe(tokens);
});

describe("the cost that a gateway reports", () => {
  test.each([
    ["AI Gateway", { gateway: { cost: "0.0042" } }, 0.0042],
    ["OpenRouter", { openrouter: { usage: { cost: 0.5 } } }, 0.5],
    ["AI Gateway, free", { gateway: { cost: 0 } }, 0],
  ])("is taken as it is: %s", (_, metadata, dollars) => {
    expect(priceOf({ ...usage, provider: "gateway", model: "openai/gpt-4o", metadata })).toBe(
      dollars,
    );
  });

  test.each([
    { gateway: { cost: "free" } },
    { gateway: { cost: "" } },
    { gateway: { cost: -1 } },
    { openrouter: "usage" },
    "gateway",
    null,
  ])("is ignored if it is not a number: %j", async (metadata) => {
    const asked = { ...usage, provider: "gateway", model: "openai/gpt-4o", metadata };
    expect(await priceOf(asked)).toBeCloseTo(0.002, 10);
  });
});

test("only the first price waits", async () => {
  await loadAnew();
  const asked = { ...usage, provider: "openai", model: "gpt-4o" };
  const first = priceOf(asked);
  expect(first).toBeInstanceOf(Promise);
  expect(await contextWindowOf(asked)).toBe(128_000);
  await first;
  expect(priceOf(asked)).toBeCloseTo(0.002, 10);
});

test("without the package there is no price, and it is looked for once", async () => {
  const imported = vi.fn();
  vi.doMock("@pydantic/genai-prices", () => {
    imported();
    throw new Error("Cannot find package '@pydantic/genai-prices'");
  });
  await loadAnew();
  onTestFinished(async () => {
    vi.doUnmock("@pydantic/genai-prices");
    await loadAnew();
  });
  const asked = { ...usage, provider: "openai", model: "gpt-4o" };
  expect(await Promise.all([priceOf(asked), priceOf(asked)])).toEqual([undefined, undefined]);
  expect(priceOf(asked)).toBeUndefined();
  expect(await contextWindowOf(asked)).toBeUndefined();
  expect(imported).toHaveBeenCalledTimes(1);
});

test("nothing that a provider reports makes it throw", async () => {
  const anything = fc.anything({ withBigInt: true, withNullPrototype: true });
  const asked = fc.record({
    inputTokens: anything,
    outputTokens: anything,
    totalTokens: anything,
    cachedTokens: anything,
    provider: fc.string(),
    model: fc.string(),
    metadata: anything,
  });
  await fc.assert(
    fc.asyncProperty(asked, async (reported) => {
      const price = await priceOf(reported as PricedUsage);
      expect(price === undefined || price >= 0).toBe(true);
    }),
  );
});
