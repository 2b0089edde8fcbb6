import { ToolContractError } from "@toolcontract/core";
import { priceOf } from "../accounting/index.ts";
import type { ReplyFacts, Target, TokenPrice, TokenUsage } from "../shared/index.ts";
import type { RunLimits } from "./options.ts";

interface Pricing {
  /** The options, of which only the price is read. */
  readonly given: Pick<RunLimits["given"], "price">;
}

interface Named {
  /** The target, which may have a price. */
  readonly target: Target<unknown, object>;
  /** The provider's name. */
  readonly provider: string;
  /** The model's name. */
  readonly model: string;
}

/**
 * US dollars of a request, by the application's own function, by the target's price, or by the list; for a name in the answer that
 * no list knows, the price of the model that was asked.
 */
export function priceOfRequest(
  { given }: Pricing,
  { target, provider, model }: Named,
  tokens: TokenUsage,
  reply: Partial<Pick<ReplyFacts, "provider" | "model" | "metadata">> = {},
): number | undefined | Promise<number | undefined> {
  const asked = { ...tokens, provider, model, metadata: reply.metadata };
  const answered = {
    ...asked,
    provider: reply.provider ?? provider,
    model: reply.model ?? model,
  };
  if (given.price) {
    const own: unknown = given.price(answered, target);
    return own instanceof Promise ? own.then(dollarsIn) : dollarsIn(own);
  }
  if (target.price) return byTokens(target.price, tokens);
  const listed = priceOf(answered);
  if (listed instanceof Promise) {
    return listed.then(async (usd) => dollarsIn(usd) ?? dollarsIn(await priceOf(asked)));
  }
  return dollarsIn(listed) ?? priceOf(asked);
}

function byTokens({ input, output, cachedInput = input }: TokenPrice, tokens: TokenUsage): number {
  const { inputTokens, outputTokens, cachedTokens = 0 } = tokens;
  // A provider that reports fewer tokens than it read from its cache counted these apart.
  const fresh = cachedTokens > inputTokens ? inputTokens : inputTokens - cachedTokens;
  return (fresh * input + cachedTokens * cachedInput + outputTokens * output) / 1_000_000;
}

function dollarsIn(usd: unknown): number | undefined {
  return typeof usd === "number" && usd >= 0 && Number.isFinite(usd) ? usd : undefined;
}

/** Gateways that report the cost of each request themselves. */
const REPORTS_COST = /gateway|openrouter/i;

/** Throws if dollars are limited and a target has no price, so that they could not be counted. */
export async function checkPrices(
  where: string,
  limits: Pricing,
  targets: readonly Named[],
): Promise<void> {
  if (limits.given.price) return;
  for (const named of targets) {
    const { provider, model } = named;
    if (REPORTS_COST.test(provider)) continue;
    const usd = await priceOfRequest(limits, named, {
      inputTokens: 1_000,
      outputTokens: 1_000,
      totalTokens: 2_000,
    });
    if (usd !== undefined) continue;
    throw new ToolContractError(
      `${where}: maxCost (max_cost) cannot be counted: the price of ${provider}/${model} is unknown. Give the target a price, such as { input: 2.5, output: 10 } (US dollars for a million tokens), pass option 'price', or limit maxTokens (max_tokens) instead.`,
    );
  }
}
