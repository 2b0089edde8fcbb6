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
  /**
   * Sets aside what a request may take, until it is released; returns the limit of a run around this one that has no room for it.
   * A run's own limit never refuses: its last turn is the one request by which it may be passed.
   */
  reserve(next: Spending): Reservation | ExceededBudget;
  /** The same for a request that is made in any case. */
  hold(next: Spending): Reservation;
  /** What the last request took, and the most tokens that an answer had in this run or in one that shares a limit. */
  readonly last: Spending & { readonly output: number };
  /** Notes the tokens of an answer. */
  noteOutput(tokens: number): void;
  /** Whether tokens have to be known. */
  readonly hasMaxTokens: boolean;
  /** Whether dollars have to be known. */
  readonly hasMaxCost: boolean;
}

/** Tokens and US dollars of a request. */
interface Spending {
  readonly tokens: number;
  readonly dollars: number;
}

/** What is set aside for a request that is under way. */
export interface Reservation {
  /** Gives it back; a second time does nothing. */
  release(): void;
}

/** A limit that the next turn would pass. */
export interface ExceededBudget {
  readonly limit: "maxTokens" | "maxCost";
  readonly spent: number;
  readonly max: number;
}

type Allowed = Pick<SessionLimits, "maxTokens" | "maxCost">;

/** What a run has used, including the runs inside it. */
interface BudgetAccount {
  tokens: number;
  dollars: number;
  /** What requests that are under way may take. */
  reservedTokens: number;
  reservedDollars: number;
  /** The most tokens that an answer had. */
  output: number;
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
    reservedTokens: 0,
    reservedDollars: 0,
    output: 0,
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

  function hold({ tokens, dollars }: Spending): Reservation {
    let sign = 1;
    const add = (): void => {
      for (const one of accounts) {
        one.reservedTokens += sign * tokens;
        one.reservedDollars += sign * dollars;
      }
    };
    add();
    return {
      release() {
        if (sign < 0) return;
        sign = -1;
        add();
      },
    };
  }

  return {
    hold,
    reserve(next) {
      for (const one of accounts.slice(1)) {
        const { maxTokens = Infinity, maxCost = Infinity } = one.allowed;
        if (one.tokens + one.reservedTokens + next.tokens > maxTokens) {
          return { limit: "maxTokens", spent: one.tokens, max: maxTokens };
        }
        if (one.dollars + one.reservedDollars + next.dollars > maxCost) {
          return { limit: "maxCost", spent: one.dollars, max: maxCost };
        }
      }
      return hold(next);
    },
    get last() {
      const output = Math.max(...accounts.map((one) => one.output));
      return { tokens: lastTokens, dollars: lastDollars, output };
    },
    noteOutput(tokens) {
      for (const one of accounts) one.output = Math.max(one.output, tokens);
    },
    spend(tokens) {
      lastTokens = tokens;
      for (const one of accounts) one.tokens += tokens;
    },
    pay(dollars) {
      lastDollars = dollars;
      for (const one of accounts) one.dollars += dollars;
    },
    exceeded(addedTokens) {
      for (const { tokens, dollars, reservedTokens, reservedDollars, allowed } of accounts) {
        const { maxTokens, maxCost } = allowed;
        if (wouldExceed(tokens + reservedTokens, lastTokens + addedTokens, maxTokens)) {
          return { limit: "maxTokens", spent: tokens, max: maxTokens };
        }
        if (wouldExceed(dollars + reservedDollars, lastDollars, maxCost)) {
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
