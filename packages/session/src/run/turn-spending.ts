import { RunOver, type Target } from "../shared/index.ts";
import type { ExceededBudget, Reservation } from "./budget.ts";
import { checkPrices, priceOfRequest } from "./request-price.ts";
import type { RequestTokens } from "./request-tokens.ts";
import { force, forcedReason, type RunState } from "./state.ts";
import type { NamedTarget } from "./target-request.ts";

/** What the requests of a run set aside of its budget before they are sent. */
export interface TurnSpending {
  /**
   * Makes this turn the last one if the budget has no room for another after it, and sets aside what its request may take.
   *
   * @throws RunOver if a run around this one has no room for the request.
   */
  readonly setAside: (tokens: RequestTokens) => Promise<Reservation>;
  /** Sets aside what an attempt may take while it is under way. */
  readonly hold: (tokens: RequestTokens) => Reservation;
}

/** What a run without a budget sets aside. */
const UNLIMITED: Reservation = { release: () => undefined };

/** Creates what is set aside for the turns of one run. */
export function createTurnSpending<T extends Target<unknown, object>>(
  state: RunState,
  targets: readonly NamedTarget<T>[],
  where: string,
): TurnSpending {
  const { limits, budget } = state;
  const isLimited = (): boolean => budget.hasMaxTokens || budget.hasMaxCost;
  let known: Promise<void> | undefined;

  function outOf(exceeded: ExceededBudget): void {
    limits.onEvent({ type: "budget-exceeded", ...exceeded });
    force(state, "budget", state.turns);
    state.overBudget = exceeded.limit;
  }

  /** The tokens of a request and its answer: no answer is longer than its limit, or taken to be longer than those before it. */
  function takes({ expectedTokens }: RequestTokens): number {
    const longest = targets.map(({ target }) => target.maxOutputTokens ?? budget.last.output);
    return expectedTokens + Math.max(...longest);
  }

  /** Ends the run as misused if dollars are limited and cannot be counted. */
  async function pricesKnown(): Promise<void> {
    try {
      await (known ??= checkPrices(where, limits, targets));
    } catch (thrown) {
      state.misuse ??= thrown;
      throw thrown;
    }
  }

  async function dollarsOf(tokens: RequestTokens): Promise<number> {
    const { dollars } = budget.last;
    if (dollars > 0) return dollars;
    const [first] = targets;
    if (!first) return 0;
    const inputTokens = tokens.expectedTokens;
    const totalTokens = takes(tokens);
    const outputTokens = totalTokens - inputTokens;
    try {
      const usd = priceOfRequest(limits, first, { inputTokens, outputTokens, totalTokens });
      return (await usd) ?? 0;
    } catch {
      // The function of the application; its failure is reported when a request is priced.
      return 0;
    }
  }

  return {
    async setAside(tokens) {
      if (!isLimited()) return UNLIMITED;
      if (budget.hasMaxCost) {
        await Promise.all(state.lookups);
        await pricesKnown();
      }
      const dollars = budget.hasMaxCost ? await dollarsOf(tokens) : 0;
      // From here on nothing waits: another run may reserve in between.
      const exceeded = budget.exceeded(tokens.newTokens);
      if (exceeded && forcedReason(state) === undefined) outOf(exceeded);
      const reserved = budget.reserve({ tokens: takes(tokens), dollars });
      if ("release" in reserved) return reserved;
      if (state.overBudget === undefined) outOf(reserved);
      throw new RunOver();
    },
    hold: (tokens) =>
      isLimited()
        ? budget.hold({ tokens: takes(tokens), dollars: budget.last.dollars })
        : UNLIMITED,
  };
}
