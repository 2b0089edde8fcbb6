import type { AttemptState } from "@toolcontract/core";
import { jsonEqual } from "@toolcontract/core/adapter";

/** What was counted without the engine, and from what. */
export interface Divergence {
  /** The state before that. */
  readonly base: AttemptState | undefined;
  /** The state now. */
  readonly own: AttemptState | undefined;
}

/**
 * Joins what others counted with what was counted without the engine. If nobody else counted, that is simply right; else a
 * new run wins over the one before, and in the same run the higher count, and what was closed on either side stays closed.
 */
export function mergeStates(
  shared: AttemptState | undefined,
  { base, own }: Divergence,
): AttemptState | undefined {
  if (jsonEqual(shared, base)) return own;
  if (!shared || !own) return shared ?? own;
  // A run that one side has begun alone ends the count of the run before.
  if (shared.runId !== own.runId) return own.runId === base?.runId ? shared : own;
  const [most, other] = shared.failed > own.failed ? [shared, own] : [own, shared];
  const outcome = most.outcome ?? other.outcome;
  return {
    ...most,
    ...(other.closed === true && { closed: true }),
    ...(outcome && { outcome }),
  };
}
