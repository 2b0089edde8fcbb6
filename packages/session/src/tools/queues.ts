import { AsyncLocalStorage } from "node:async_hooks";
import { ToolContractError } from "@toolcontract/core";
import { isObject, isRecord, wholeFrom } from "@toolcontract/core/adapter";
import PQueue from "p-queue";

import type { QueueConfig, Queues } from "../shared/index.ts";
import { type QueueLane, type Slot, mayWait, slotsAround } from "./slots.ts";

const DEFAULT = "default";

/** The innermost slot that the running code holds, in whichever queues. */
const innermostSlot = new AsyncLocalStorage<Slot>();

/**
 * Creates the queues of tools; `default` is added, without a limit. Pass the result to several sessions to share them.
 * What is already a `Queues` is returned as it is.
 *
 * @remarks A call inside one that holds a slot of the same queue takes none, through sub-agents and other queues too. Nor
 * does a call inside another slot while all that hold one of this queue wait for slots too. A slot is given
 * back when its run has ended: put `withTimeout` inside, so that a tool that hangs does not keep it.
 *
 * @throws ToolContractError if a queue is not `{ concurrent }` with a whole number of at least 1.
 * @example
 * ```ts
 * const queues = createQueues({ browser: { concurrent: 2 } });
 * ```
 * @see packages/session/README.md
 */
export function createQueues(config: Readonly<Record<string, QueueConfig>> | Queues = {}): Queues {
  if (isQueues(config)) return config;
  const all = { [DEFAULT]: { concurrent: Number.POSITIVE_INFINITY }, ...checked(config) };
  const lanes = new Map(
    Object.entries(all).map(([name, { concurrent }]) => [name, createLane(concurrent)]),
  );
  const names = Object.freeze([...lanes.keys()]);
  const laneOf = (name: string): QueueLane => {
    const lane = lanes.get(name);
    if (lane) return lane;
    throw new ToolContractError(`Queues: ${undefinedQueue(name, names)}`);
  };
  return {
    names,
    run: async (name, run, signal) => runIn(laneOf(name), run, signal),
    depth(name) {
      const { holders, queue } = laneOf(name);
      return { running: holders.size, waiting: queue.size };
    },
  };
}

/**
 * Checks that every tool is bound to a queue that exists; `where` is the function that the error names.
 *
 * @throws ToolContractError `queue "nope" is not defined; known queues: …`
 * @example
 * ```ts
 * checkQueues(createQueues({ browser: { concurrent: 2 } }), { open_page: "browser" }, "myLoop");
 * ```
 * @see docs/session-limits.md
 */
export function checkQueues(
  queues: Queues,
  queueOf: Readonly<Record<string, string>>,
  where: string,
): void {
  for (const [tool, queue] of Object.entries(queueOf)) {
    if (queues.names.includes(queue)) continue;
    throw new ToolContractError(
      `${where}: ${undefinedQueue(queue, queues.names)} \`queueOf\` binds tool ${quote(tool)} to it: define it in \`queues\`.`,
    );
  }
}

function undefinedQueue(name: string, names: readonly string[]): string {
  return `queue ${quote(name)} is not defined; known queues: ${names.map((known) => known.slice(0, 64)).join(", ")}.`;
}

function quote(name: unknown): string {
  return JSON.stringify(String(name).slice(0, 64));
}

function isQueues(config: unknown): config is Queues {
  return isRecord(config) && typeof config["run"] === "function";
}

function checked(
  config: Readonly<Record<string, QueueConfig>>,
): Readonly<Record<string, QueueConfig>> {
  if (!isObject.fits(config)) {
    throw new ToolContractError(
      "createQueues: `queues` must be an object of { concurrent }, by name.",
    );
  }
  for (const [name, queue] of Object.entries(config)) {
    if (isObject.fits(queue) && wholeFrom(1).fits(queue.concurrent)) continue;
    throw new ToolContractError(
      `createQueues: queue ${quote(name)} must be { concurrent: N }, with a whole number of at least 1.`,
    );
  }
  return config;
}

function createLane(limit: number): QueueLane {
  return { limit, queue: new PQueue({ concurrency: limit }), holders: new Set() };
}

async function runIn<T>(
  lane: QueueLane,
  run: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  signal?.throwIfAborted();
  const around = slotsAround(innermostSlot.getStore());
  if (around.some((slot) => slot.lane === lane)) return run();
  const slot: Slot = { lane, around, awaits: new Set() };
  const leave = await enter(slot, signal);
  if (!leave) return run();
  try {
    signal?.throwIfAborted();
    return await innermostSlot.run(slot, run);
  } finally {
    lane.holders.delete(slot);
    leave();
  }
}

/** Waits for a slot. Returns what gives it back, or undefined if it might wait for ever. */
async function enter(
  slot: Slot,
  signal: AbortSignal | undefined,
): Promise<(() => void) | undefined> {
  const { lane, around } = slot;
  for (const holder of around) holder.awaits.add(slot);
  // The queue's own signal would also end its wait for a run that has begun, and give its slot away.
  const waiting = new AbortController();
  const giveUp = (): void => waiting.abort(signal?.reason);
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    if (around.length > 0 && !mayWait(lane)) return undefined;
    return await new Promise<() => void>((resolve, reject) => {
      const hold = (): Promise<void> =>
        new Promise((leave) => {
          lane.holders.add(slot);
          resolve(leave);
        });
      lane.queue.add(hold, { signal: waiting.signal }).catch(reject);
    });
  } finally {
    for (const holder of around) holder.awaits.delete(slot);
    signal?.removeEventListener("abort", giveUp);
  }
}
