import { type HostContext, ToolContractError } from "@toolcontract/core";
import { chain, nearestName } from "@toolcontract/core/adapter";
import type { MaybePromise } from "../shared/index.ts";
import type { SpendingLimit } from "./limits.ts";

/** A call that is about to spend. */
export interface SpendContext<Args = unknown> {
  /** The tool's name. */
  readonly tool: string;
  /** The arguments that the tool gets: the validator's output. */
  readonly args: Args;
  /** What the host passed as `context`; empty if it passed nothing. */
  readonly context: HostContext;
  /** The provider's id of the call. */
  readonly callId: string;
  /** The conversation in which the call was made. */
  readonly conversationId: string | undefined;
}

/** Amounts by the names of limits. */
export type Amounts<Name extends string = string> = { readonly [Key in Name]?: number };

/**
 * What a call spends from limits: a function of the call, or an object with one, and another that knows better once the tool has
 * succeeded.
 *
 * @remarks Each amount must be finite and at least 0, otherwise the call is refused.
 */
export type Spend<Name extends string = string, Args = unknown, Result = unknown> =
  | ((call: SpendContext<Args>) => MaybePromise<Amounts<Name>>)
  | {
      /** The most that the call may spend: reserved before the tool runs. */
      readonly reserve: (call: SpendContext<Args>) => MaybePromise<Amounts<Name>>;
      /** What it has spent; without it, what was reserved. */
      readonly settle: (
        call: SpendContext<Args> & { readonly result: Result },
      ) => MaybePromise<Amounts<Name>>;
    };

/** An amount of a limit. */
export interface Spending {
  readonly limit: SpendingLimit;
  readonly amount: number;
}

/** What a call spends, or which amounts are invalid. */
export type Spent =
  | { readonly kind: "amounts"; readonly amounts: readonly Spending[] }
  | { readonly kind: "unusable"; readonly limits: readonly string[] };

/** How a tool spends, whatever its arguments are. */
export type AnySpend = Spend<string, never, never>;

/** Asks what a call spends. Throws what the function throws, and a ToolContractError if it names no limit. */
export function spentBy(
  spend: AnySpend,
  call: SpendContext,
  limits: ReadonlyMap<string, SpendingLimit>,
): MaybePromise<Spent> {
  const ask = typeof spend === "function" ? spend : spend.reserve;
  return chain(ask(call as never), (given) => {
    const spent = readAmounts(call.tool, given, limits);
    // What is settled later may be more than nothing.
    if (spent.kind === "unusable" || typeof spend !== "function") return spent;
    return { kind: "amounts", amounts: spent.amounts.filter(({ amount }) => amount > 0) };
  });
}

/** Asks what a call that succeeded has spent; undefined if it is what was reserved. */
export function settledBy(
  spend: AnySpend,
  call: SpendContext,
  result: unknown,
  limits: ReadonlyMap<string, SpendingLimit>,
): MaybePromise<Spent | undefined> {
  if (typeof spend === "function") return undefined;
  const settled = spend.settle({ ...call, result } as never);
  return chain(settled, (amounts) => readAmounts(call.tool, amounts, limits));
}

function readAmounts(
  tool: string,
  given: unknown,
  limits: ReadonlyMap<string, SpendingLimit>,
): Spent {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new ToolContractError(
      `createGuardrails: \`spends\` of '${tool}' must answer amounts by limit, such as { budget: 10 }.`,
    );
  }
  const all = Object.entries(given).map(([name, amount]: [string, unknown]) => {
    const limit = limits.get(name);
    if (limit) return { limit, amount };
    const near = nearestName(name, [...limits.keys()]);
    const help = near === undefined ? `There are ${[...limits.keys()].join(", ")}` : "";
    throw new ToolContractError(
      `createGuardrails: \`spends\` of '${tool}' names '${name.slice(0, 64)}', which is not a limit. ${help || `Did you mean '${near}'?`}`,
    );
  });
  const unusable = all.filter(({ amount }) => !isAmount(amount));
  if (unusable.length > 0) {
    return { kind: "unusable", limits: unusable.map(({ limit }) => limit.name) };
  }
  // An amount of 0 is kept: a call that has spent nothing must not be charged what it reserved.
  return { kind: "amounts", amounts: all as readonly Spending[] };
}

function isAmount(amount: unknown): amount is number {
  return typeof amount === "number" && Number.isFinite(amount) && amount >= 0;
}
