import type { AttemptStore } from "@toolcontract/core";
import type { MaybePromise } from "@toolcontract/core/adapter";
import type { CountingJob, CountingResult } from "./job.ts";

/** How the cases reach a store; `Place` is where it keeps attempts, such as a file or a prefix of keys. */
export interface StoreHarness<Place> {
  /** Makes an empty place. */
  place(): MaybePromise<Place>;
  /** Opens a store there, as one of several processes would. */
  open(place: Place): MaybePromise<AttemptStore>;
  /** Removes all that is kept there, as an engine that starts again empty; without it, no case needs it. */
  clear?(place: Place): MaybePromise<unknown>;
  /** Replaces all values that are kept there by a foreign one; without it, no case needs it. */
  poison?(place: Place, value: string): MaybePromise<unknown>;
  /**
   * Returns what runCountingJob() returns in a process of its own, with a store that is opened there; without it, the
   * stores that should be in four processes are in one.
   */
  fork?(place: Place, job: CountingJob): Promise<CountingResult>;
}

/** A case: its name, and a function that rejects if the store does something else. */
export interface StoreCase {
  readonly name: string;
  run<Place>(harness: StoreHarness<Place>): Promise<void>;
}

/** Opens several stores at a new place, as that many processes would. */
export async function openAll<Place>(
  harness: StoreHarness<Place>,
  count: number,
): Promise<{ readonly place: Place; readonly stores: readonly AttemptStore[] }> {
  const place = await harness.place();
  const stores: AttemptStore[] = [];
  while (stores.length < count) stores.push(await harness.open(place));
  return { place, stores };
}
