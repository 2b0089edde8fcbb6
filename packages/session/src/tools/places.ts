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
 * Whether a queue will have a free place some day: it has one now, or a run that holds one does not wait for ever itself.
 * Runs that hold places and wait for each other's would.
 */
export function canGive(lane: Lane): boolean {
  const giving = new Set<Lane>();
  const lanes = reachable(lane);
  for (let before = -1; before < giving.size;) {
    before = giving.size;
    for (const each of lanes) if (givesSomeDay(each, giving)) giving.add(each);
  }
  return giving.has(lane);
}

function givesSomeDay({ limit, holders }: Lane, giving: ReadonlySet<Lane>): boolean {
  if (holders.size < limit) return true;
  return [...holders].some(({ awaits }) => [...awaits].every((place) => giving.has(place.lane)));
}

/** A queue, and those that the runs in it wait for, and so on. */
function reachable(lane: Lane): ReadonlySet<Lane> {
  const found = new Set([lane]);
  // What is added while a set is walked is walked too.
  for (const each of found) {
    for (const { awaits } of each.holders) for (const place of awaits) found.add(place.lane);
  }
  return found;
}
