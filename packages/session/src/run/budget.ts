import { AsyncLocalStorage } from "node:async_hooks";
import type { SessionLimits } from "../shared/index.ts";

/** What a run may still spend, in tokens and US dollars. */
export interface Budget {
  /** Adds the tokens of a request, to the runs around this one as well. */
  spend(tokens: number): void;
  /** Adds the cost of the last request, once it is known. */
  pay(dollars: number): void;
  /**
   * The limit that this turn and one after it would pass, if each takes what the last one took and the added tokens; undefined
   * if there is room.
   */
  exceeded(addedTokens: number): ExceededBudget | undefined;
  /** Whether tokens have to be known. */
  readonly hasMaxTokens: boolean;
  /** Whether dollars have to be known. */
  readonly hasMaxCost: boolean;
}

/** A limit that the next turn would pass. */
interface ExceededBudget {
  readonly limit: "maxTokens" | "maxCost";
  readonly spent: number;
  readonly max: number;
}

type Allowed = Pick<SessionLimits, "maxTokens" | "maxCost">;

/** What a run has used, including the runs inside it. */
interface BudgetAccount {
  tokens: number;
  dollars: number;
  readonly allowed: Allowed;
  readonly outer: BudgetAccount | undefined;
}

const around = new AsyncLocalStorage<BudgetAccount>();

/** Runs a function with a budget of its own, which is a part of that of the run around it, if there is one. */
export async function withBudget<T>(
  { maxTokens, maxCost }: Allowed,
  run: (budget: Budget) => Promise<T>,
): Promise<T> {
  const account: BudgetAccount = {
    tokens: 0,
    dollars: 0,
    allowed: {
      ...(maxTokens !== undefined && { maxTokens }),
      ...(maxCost !== undefined && { maxCost }),
    },
    outer: around.getStore(),
  };
  return around.run(account, async () => run(budgetOf(account)));
}

function budgetOf(account: BudgetAccount): Budget {
  const accounts: BudgetAccount[] = [];
  for (let one: BudgetAccount | undefined = account; one; one = one.outer) accounts.push(one);
  let lastTokens = 0;
  let lastDollars = 0;
  return {
    spend(tokens) {
      lastTokens = tokens;
      for (const one of accounts) one.tokens += tokens;
    },
    pay(dollars) {
      lastDollars = dollars;
      for (const one of accounts) one.dollars += dollars;
    },
    exceeded(addedTokens) {
      for (const { tokens, dollars, allowed } of accounts) {
        const { maxTokens, maxCost } = allowed;
        if (wouldExceed(tokens, lastTokens + addedTokens, maxTokens)) {
          return { limit: "maxTokens", spent: tokens, max: maxTokens };
        }
        if (wouldExceed(dollars, lastDollars, maxCost)) {
          return { limit: "maxCost", spent: dollars, max: maxCost };
        }
      }
      return undefined;
    },
    hasMaxTokens: accounts.some(({ allowed }) => allowed.maxTokens !== undefined),
    hasMaxCost: accounts.some(({ allowed }) => allowed.maxCost !== undefined),
  };
}

/** The report needs a turn of its own, so both this turn and one more must fit. */
function wouldExceed(spent: number, next: number, max: number | undefined): max is number {
  return max !== undefined && spent + 2 * next > max;
}
