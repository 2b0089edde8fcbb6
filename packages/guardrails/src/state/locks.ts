import type { MaybePromise } from "../shared/index.ts";

/** Gives slots back; more than once changes nothing. */
export type Release = () => void;

/** Who may use which slots. */
export interface Locks {
  /**
   * Takes all the slots at once, when nobody has any of them and nobody who came earlier waits for one.
   *
   * @returns What gives them back: at once if they are free, otherwise a promise of it.
   * @throws The reason of the signal, if it aborts before.
   */
  acquire(slots: readonly string[], signal?: AbortSignal): MaybePromise<Release>;
}

interface WaitingForLock {
  readonly slots: readonly string[];
  grant(): void;
}

/**
 * Makes locks: first come, first served for each slot.
 *
 * Nobody holds one slot while waiting for another, so two who want the same slots in different order cannot block each other.
 */
export function createLocks(): Locks {
  const held = new Set<string>();
  let queue: readonly WaitingForLock[] = [];

  const take = (slots: readonly string[]): Release => {
    for (const slot of slots) held.add(slot);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      for (const slot of slots) held.delete(slot);
      grantWhatIsFree();
    };
  };

  const grantWhatIsFree = (): void => {
    const wanted = new Set<string>();
    const free: WaitingForLock[] = [];
    const waiting: WaitingForLock[] = [];
    for (const one of queue) {
      const isFree = one.slots.every((slot) => !held.has(slot) && !wanted.has(slot));
      (isFree ? free : waiting).push(one);
      for (const slot of one.slots) wanted.add(slot);
    }
    queue = waiting;
    for (const one of free) one.grant();
  };

  const isFree = (slots: readonly string[]): boolean =>
    slots.every((slot) => !held.has(slot) && !queue.some((one) => one.slots.includes(slot)));

  return {
    acquire(slots, signal) {
      signal?.throwIfAborted();
      if (isFree(slots)) return take(slots);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          queue = queue.filter((one) => one !== waiting);
          reject(signal?.reason as Error);
          grantWhatIsFree();
        };
        const waiting: WaitingForLock = {
          slots,
          grant() {
            signal?.removeEventListener("abort", leave);
            resolve(take(slots));
          },
        };
        queue = [...queue, waiting];
        signal?.addEventListener("abort", leave, { once: true });
      });
    },
  };
}
