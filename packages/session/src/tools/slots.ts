import type PQueue from "p-queue";

/** A queue, and the runs that hold its slots. */
export interface QueueLane {
  readonly limit: number;
  readonly queue: PQueue;
  readonly holders: Set<Slot>;
}

/** A slot in a queue that a run holds or waits for. */
export interface Slot {
  readonly lane: QueueLane;
  /** The slots that were held when this one was asked for, the innermost first. */
  readonly around: readonly Slot[];
  /** The slots that calls inside this run wait for. */
  readonly awaits: Set<Slot>;
}

/** The slots that the running code holds; slots that were given back do not count. */
export function slotsAround(innermost: Slot | undefined): readonly Slot[] {
  if (!innermost) return [];
  return [innermost, ...innermost.around].filter((slot) => slot.lane.holders.has(slot));
}

/**
 * Whether a call that holds slots may wait for one of this queue: one is free, or a run that holds one waits for none itself.
 * Runs that hold slots and wait for each other's would wait for ever.
 */
export function mayWait({ limit, holders }: QueueLane): boolean {
  return holders.size < limit || [...holders].some(({ awaits }) => awaits.size === 0);
}
