import { AsyncLocalStorage } from "node:async_hooks";
import { ToolContractError } from "@toolcontract/core";
import type { Attempt } from "../shared/index.ts";
import type { LiveTransaction } from "./live-transaction.ts";

const RUNNING = Symbol.for("toolcontract.attempts");

/** One for all copies of this package in a process: a tool may import another copy than the contract's. */
function running(): AsyncLocalStorage<LiveTransaction> {
  const shared = globalThis as { [RUNNING]?: AsyncLocalStorage<LiveTransaction> };
  return (shared[RUNNING] ??= new AsyncLocalStorage());
}

/**
 * Returns the attempt in which the calling tool runs: its staged state, and what to do on rollback and commit.
 *
 * @throws ToolContractError outside a tool whose contract has guardrails.
 * @example
 * ```ts
 * const { state } = currentAttempt<{ stock: Record<string, number> }>();
 * state.stock["A1"] = 4; // committed if the call succeeds
 * ```
 * @see docs/attempts-and-rollback.md
 */
export function currentAttempt<State = unknown>(): Attempt<State> {
  const live = running().getStore();
  if (live !== undefined) return live.attempt as Attempt<State>;
  throw new ToolContractError(
    "currentAttempt: no attempt is running. Call it inside a tool whose contract has guardrails, before the tool returns.",
  );
}

/** The transaction around the running code, whichever guardrails it belongs to. */
export function runningTransaction(): LiveTransaction | undefined {
  return running().getStore();
}

/** Runs a tool so that `currentAttempt()` finds its attempt. */
export function runWithin<T>(live: LiveTransaction, run: () => T): T {
  return running().run(live, run);
}
