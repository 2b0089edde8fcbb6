import type { LedgerEntry } from "@toolcontract/core";
import type { MaybePromise } from "../shared/index.ts";

/** What calls have reserved that wait for somebody: the same call goes on with it. */
export interface PausedReservations<T> {
  /** Keeps what a call has reserved until it goes on. */
  keep(call: string, reservation: T): MaybePromise<void>;
  /** Takes what this call has reserved; undefined if it does not go on. `adopt` makes it of an entry that another process has kept. */
  take(call: string, adopt: (entry: LedgerEntry) => T): MaybePromise<T | undefined>;
}

/** The entries of paused calls, for processes that go on with them. */
export interface SharedEntries {
  keep(call: string, entry: LedgerEntry): Promise<void>;
  take(call: string): Promise<LedgerEntry | undefined>;
}

interface Pausable {
  readonly entry: LedgerEntry;
  readonly end: () => Promise<void>;
}

const MAX_PAUSED = 1_000;

/** Creates the register; of calls that are never answered, the oldest come to be in doubt. */
export function createPausedReservations<T extends Pausable>(
  shared: SharedEntries | undefined,
): PausedReservations<T> {
  const paused = new Map<string, T>();

  function takeOwn(call: string): T | undefined {
    const reservation = paused.get(call);
    paused.delete(call);
    return reservation;
  }

  return {
    keep(call, reservation) {
      void takeOwn(call)?.end();
      const [oldest] = paused.size < MAX_PAUSED ? [] : paused.keys();
      if (oldest !== undefined) void takeOwn(oldest)?.end();
      paused.set(call, reservation);
      return shared?.keep(call, reservation.entry);
    },
    take(call, adopt) {
      const own = takeOwn(call);
      if (shared === undefined) return own;
      return shared.take(call).then((entry) => own ?? (entry && adopt(entry)));
    },
  };
}
