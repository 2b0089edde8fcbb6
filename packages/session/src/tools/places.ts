import type PQueue from "p-queue";

/** A queue, and the runs that hold its places. */
export interface Lane {
  readonly limit: number;
  readonly queue: PQueue;
  readonly holders: Set<Place>;
}

/** A place in a queue that a run holds or waits for. */
export interface Place {
  readonly lane: Lane;
  /** The places that were held when this one was asked for, the innermost first. */
  readonly around: readonly Place[];
  /** The places that calls inside this run wait for. */
  readonly awaits: Set<Place>;
}

/** The places that the running code holds; a place that was given back since is none. */
export function placesAround(innermost: Place | undefined): readonly Place[] {
  if (!innermost) return [];
  return [innermost, ...innermost.around].filter((place) => place.lane.holders.has(place));
}

/**
 * Whether a call that holds places may wait for one of this queue: one is free, or a run that holds one waits for none itself.
 * Runs that hold places and wait for each other's would wait for ever.
 */
export function mayWait({ limit, holders }: Lane): boolean {
  return holders.size < limit || [...holders].some(({ awaits }) => awaits.size === 0);
}
