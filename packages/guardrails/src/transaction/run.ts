import { ToolContractError } from "@toolcontract/core";
import { isPromiseLike, isTimeLimit, within } from "@toolcontract/core/adapter";
import type { CallReservation } from "../ledger/index.ts";
import { isFailedResult, isOutcome } from "../outcome/index.ts";
import type { LiveTransaction } from "./live-transaction.ts";
import type { Engine, TransactionRequest } from "./request.ts";

/** What a tool did, not judged yet. */
export type Ran =
  | Returned
  | FailedRun
  /** What it did to the state cannot be read or copied. */
  | { readonly kind: "unsaved"; readonly thrown: unknown };

/** The tool returned, and its access to the state is over. */
interface Returned {
  readonly kind: "returned";
  readonly value: unknown;
  /** The state as a commit would make it. */
  readonly state: unknown;
}

/** What the tool threw, or returned as an error. */
export interface FailedRun {
  readonly kind: "failed";
  readonly error: unknown;
  readonly thrown: boolean;
}

/** Runs the tool until it has returned or its time is up, and ends its access to the state. */
export async function runTool(
  live: LiveTransaction,
  request: TransactionRequest,
  engine: Engine,
  reservation: CallReservation | undefined,
  isLocked: boolean,
): Promise<Ran> {
  const { access } = request.policy;
  // Without locks nobody waits for the tool. If it takes locks while it runs, its own signal carries the limit.
  const isAwaited = isLocked || reservation !== undefined;
  const limit = isAwaited ? engine.limits.tool : undefined;
  const signal = access === "unlocked" ? live.attempt.signal : request.signal;
  let value: unknown;
  try {
    // From here on the tool may have done anything.
    request.signal?.throwIfAborted();
    reservation?.start();
    const running = live.run(request.run);
    if (isPromiseLike(running)) reservation?.follow(running);
    const returned = isPromiseLike(running) ? await within(running, limit, signal) : running;
    reservation?.read(returned);
    const isOk = isOutcome(returned) && returned.status === "ok";
    if (!isOk && isFailedResult(returned))
      return { kind: "failed", error: returned, thrown: false };
    value = isOk ? returned.value : returned;
  } catch (thrown) {
    reservation?.read(thrown);
    if (isTimeLimit(thrown)) live.abandon(thrown);
    return { kind: "failed", error: thrown, thrown: true };
  }
  try {
    if (request.policy.stateChange) await changeState(live, value, request);
    registerCompensation(live, value, request);
    const state = live.seal() ?? engine.store?.state;
    return { kind: "returned", value, state };
  } catch (thrown) {
    return { kind: "unsaved", thrown };
  }
}

/** Applies what a call does to the state if its tool cannot. */
async function changeState(
  { staged }: LiveTransaction,
  result: unknown,
  { policy: { stateChange }, tool, args }: TransactionRequest,
): Promise<void> {
  if (!stateChange || !staged) return;
  await stateChange({
    tool,
    args: args as never,
    result: result as never,
    state: staged.state as never,
  });
}

/** Registers what undoes a call if its tool cannot. */
function registerCompensation(
  { attempt }: LiveTransaction,
  result: unknown,
  { policy: { compensation }, tool, args, callTool }: TransactionRequest,
): void {
  if (!compensation) return;
  attempt.onRollback(async () => {
    const { idempotencyKey: key } = attempt;
    const performed = { tool, args: args as never, result: result as never, idempotencyKey: key };
    const inverse = await compensation(performed);
    if (!inverse) return;
    if (!callTool)
      throw new ToolContractError("The host cannot make the call that undoes this one.");
    const undone = await callTool(inverse.name, inverse.arguments);
    if (isFailedResult(undone)) throw new Error("The call that undoes this one failed.");
  });
}
