import { AsyncLocalStorage } from "node:async_hooks";
import type { TraceIds } from "../shared/index.ts";

const current = new AsyncLocalStorage<TraceIds>();

/**
 * Runs a function under the ids of a run. Inside another run with ids, such as in one of its tools, the run is nested:
 * its parent is that run, its origin the outermost one, and its call path continues the parent's.
 *
 * @param ids - The run's own ids. What is given stays; `txnId` is made if it is missing. Without ids, and outside of a
 * run that has some, there are none.
 * @example
 * ```ts
 * await withTrace({ txnId: "run-1", agentId: "planner" }, () => ask("fast"));
 * ```
 * @see packages/session/README.md
 */
export function withTrace<T>(ids: TraceIds | undefined, run: (ids: TraceIds | undefined) => T): T {
  const parent = current.getStore();
  if (ids === undefined && parent === undefined) return run(undefined);
  const own = nest(ids ?? {}, parent);
  return current.run(own, () => run(own));
}

function nest(ids: TraceIds, parent: TraceIds | undefined): TraceIds {
  const { agentId, txnId = crypto.randomUUID() } = ids;
  const parentTxnId = ids.parentTxnId ?? parent?.txnId;
  const callPath = ids.callPath ?? joinPath(parent?.callPath, agentId);
  return {
    ...(agentId !== undefined && { agentId }),
    ...(callPath !== undefined && { callPath }),
    txnId,
    ...(parentTxnId !== undefined && { parentTxnId }),
    originTxnId: ids.originTxnId ?? parent?.originTxnId ?? parentTxnId ?? txnId,
  };
}

function joinPath(path: string | undefined, agentId: string | undefined): string | undefined {
  return path === undefined || agentId === undefined ? (agentId ?? path) : `${path}:${agentId}`;
}
