import { isRecord } from "@toolcontract/core/adapter";
import type { PricedUsage } from "../shared/index.ts";

type Prices = Pick<typeof import("@pydantic/genai-prices"), "calcPrice" | "findProvider">;

/** What the import gave: undefined until it has ended. */
let loadedPrices: { readonly prices: Prices | undefined } | undefined;
let loading: Promise<Prices | undefined> | undefined;

/**
 * US dollars of a request: what the provider itself reported (AI Gateway, OpenRouter), else the list price by
 * `@pydantic/genai-prices`, if that is installed and knows the model.
 *
 * Only the first price waits, for the import. Never throws.
 *
 * @example
 * ```ts
 * await priceOf({ provider: "openai", model: "gpt-5-mini", ...usage }); // US dollars
 * ```
 * @see packages/session/README.md
 */
export function priceOf(usage: PricedUsage): number | undefined | Promise<number | undefined> {
  const reported = reportedCost(usage.metadata);
  if (reported !== undefined) return reported;
  if (loadedPrices !== undefined) return listPrice(usage, loadedPrices.prices);
  loading ??= loadPrices();
  return loading.then((prices) => listPrice(usage, prices));
}

/** The capacity of a model in tokens, if `@pydantic/genai-prices` is installed and knows it. Never throws. */
export async function contextWindowOf(
  named: Pick<PricedUsage, "provider" | "model">,
): Promise<number | undefined> {
  const prices =
    loadedPrices === undefined ? await (loading ??= loadPrices()) : loadedPrices.prices;
  try {
    const { model, options } = listedAs({ ...named, ...NO_TOKENS }, prices as Prices);
    return prices?.calcPrice({}, model, options)?.model.context_window;
  } catch {
    return undefined;
  }
}

const NO_TOKENS = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

async function loadPrices(): Promise<Prices | undefined> {
  const prices = await import("@pydantic/genai-prices").catch(() => undefined);
  loadedPrices = { prices };
  return prices;
}

function listPrice(usage: PricedUsage, prices: Prices | undefined): number | undefined {
  if (prices === undefined) return undefined;
  try {
    const listed = listedAs(usage, prices);
    const found = prices.calcPrice(pricedTokens(usage), listed.model, listed.options);
    return found?.total_price;
  } catch {
    // Tokens that are not numbers.
    return undefined;
  }
}

/** Tokens by the units of the list. A unit that a model has no price for costs as the one around it. */
function pricedTokens({
  inputTokens,
  outputTokens,
  cachedTokens = 0,
  cacheWriteTokens = 0,
  cacheWriteHourTokens = 0,
  audioInputTokens = 0,
  audioOutputTokens = 0,
}: PricedUsage): Record<string, number> {
  // The total contains what went through a cache; a provider that reports less counted it apart.
  const isApart = cachedTokens + cacheWriteTokens > inputTokens;
  return {
    input_tokens: isApart ? inputTokens + cachedTokens + cacheWriteTokens : inputTokens,
    cache_read_tokens: cachedTokens,
    output_tokens: outputTokens,
    ...(cacheWriteTokens > 0 && { cache_write_tokens: cacheWriteTokens }),
    ...(cacheWriteHourTokens > 0 && { cache_write_1h_tokens: cacheWriteHourTokens }),
    ...(audioInputTokens > 0 && { input_audio_tokens: audioInputTokens }),
    ...(audioOutputTokens > 0 && { output_audio_tokens: audioOutputTokens }),
  };
}

interface ListedModel {
  readonly model: string;
  readonly options?: { readonly providerId: string };
}

/** Under which provider a model is listed: `openai.chat`, `azure.responses`, `anthropic/claude…` behind a gateway. */
function listedAs({ provider, model }: PricedUsage, { findProvider }: Prices): ListedModel {
  for (const providerId of [provider, provider.split(".", 1)[0] ?? provider]) {
    if (findProvider({ providerId })) return { model, options: { providerId } };
  }
  const [maker = "", ...rest] = model.split("/");
  if (rest.length > 0 && findProvider({ providerId: maker })) {
    return { model: rest.join("/"), options: { providerId: maker } };
  }
  return { model };
}

/** The cost that a gateway reports in the provider's metadata. */
function reportedCost(metadata: unknown): number | undefined {
  if (!isRecord(metadata)) return undefined;
  const { gateway, openrouter } = metadata;
  const usage = isRecord(openrouter) ? openrouter["usage"] : undefined;
  return writtenDollars(
    isRecord(gateway) ? gateway["cost"] : isRecord(usage) ? usage["cost"] : undefined,
  );
}

function writtenDollars(cost: unknown): number | undefined {
  const isWritten = typeof cost === "number" || (typeof cost === "string" && cost.trim() !== "");
  const value = isWritten ? Number(cost) : Number.NaN;
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
