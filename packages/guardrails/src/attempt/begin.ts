import { ToolContractError } from "@toolcontract/core";
import { errorClass } from "@toolcontract/core/adapter";
import { type LiveAttempt, createLiveAttempt } from "./live-attempt.ts";
import { type ToolPolicy, lockNames, locksOf, viewOf } from "./policy.ts";
import type { AttemptRequest, Engine } from "./request.ts";

/** A store that failed before the tool ran. */
export class StoreFailedError extends Error {
  override readonly name: string = "StoreFailedError";
}

/** Begins an attempt: a rehearsal, whose changes are dropped, or one for good. */
export function begin(
  request: AttemptRequest,
  { owner, store, limits }: Engine,
  parent: LiveAttempt | undefined,
  dryRun: boolean,
): LiveAttempt {
  const { policy, trace, tool, callId, signal, args, log } = request;
  const slots = slotsOf(policy, parent, tool);
  // Whatever a tool may do itself, the calls inside it join what is around it.
  const isStaged =
    parent?.staged !== undefined || (policy.access !== "none" && policy.access !== "view");
  const staged = isStaged ? asked(() => store?.begin(parent?.staged, slots)) : undefined;
  if (staged) trace.isolated(() => staged.isolationMs);
  return createLiveAttempt({
    id: trace.id,
    callId,
    tool,
    number: trace.number,
    dryRun,
    owner,
    slots,
    staged,
    parent,
    signal,
    hasStore: store !== undefined,
    isIrreversible: policy.effect === "irreversible" && !dryRun,
    idempotencyKey: () => trace.keyOf(args),
    effectLimit: limits.effect,
    lockLimit: limits.tool,
    onEffectFailed: (what, name, thrown) =>
      log(what === "outbox" ? "An effect after the commit failed" : "A compensation failed", {
        effect: name,
        error: errorClass(thrown),
      }),
    ...(policy.access === "view" &&
      store && { view: { state: asked(() => viewOf(store, parent?.staged)) } }),
    ...(policy.access === "unlocked" &&
      store && { lock: () => locksOf(store).acquire(lockNames(store, undefined), signal) }),
  });
}

/** Asks the store; mistakes of a program come through, all else is a store that failed. */
export function asked<T>(ask: () => T): T {
  try {
    return ask();
  } catch (thrown) {
    if (thrown instanceof ToolContractError) throw thrown;
    throw new StoreFailedError("The store failed", { cause: thrown });
  }
}

/** A nested attempt may only touch what its parent has locked: waiting for more could end in a deadlock. */
function slotsOf(
  { slots }: ToolPolicy,
  parent: LiveAttempt | undefined,
  tool: string,
): readonly string[] | undefined {
  if (parent?.slots === undefined) return slots;
  const missing = slots?.find((slot) => parent.slots?.includes(slot) !== true);
  if (missing !== undefined) {
    throw new ToolContractError(
      `createGuardrails: '${tool}' locks '${missing}' and is called by '${parent.attempt.tool}', which does not. Add '${missing}' to the locks of '${parent.attempt.tool}'.`,
    );
  }
  return slots ?? parent.slots;
}
