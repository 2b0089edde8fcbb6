/** What calls have reserved that wait for somebody: the same call goes on with it. */
export interface PausedReservations<T> {
  /** Keeps what a call has reserved until it goes on. */
  keep(call: string, reservation: T): void;
  /** Takes what this call has reserved; undefined if it does not go on. */
  take(call: string): T | undefined;
}

const MAX_PAUSED = 1_000;

/** Creates the register; of calls that are never answered, the oldest come to be in doubt. */
export function createPausedReservations<
  T extends { readonly end: () => Promise<void> },
>(): PausedReservations<T> {
  const paused = new Map<string, T>();

  function take(call: string): T | undefined {
    const reservation = paused.get(call);
    paused.delete(call);
    return reservation;
  }

  return {
    keep(call, reservation) {
      void take(call)?.end();
      const [oldest] = paused.size < MAX_PAUSED ? [] : paused.keys();
      if (oldest !== undefined) void take(oldest)?.end();
      paused.set(call, reservation);
    },
    take,
  };
}
