import type { Ledger } from "@toolcontract/core";
import type { Random } from "./random.ts";

/** A process of a schedule: once it is killed, nothing in it goes on. */
export interface Replica {
  /** Lets others run, some times or not at all; never returns in a process that was killed. */
  pause(most?: number): Promise<void>;
  kill(): void;
  isDead(): boolean;
  /** Resolves once the process is killed. */
  readonly death: Promise<void>;
}

/** Starts a process. */
export function startReplica(random: Random): Replica {
  let isDead = false;
  let die: () => void = () => undefined;
  const death = new Promise<void>((resolve) => (die = resolve));
  return {
    async pause(most = 4) {
      for (let hops = random.below(most + 1); hops > 0; hops -= 1) {
        await (random.percent(15) ? new Promise(setImmediate) : Promise.resolve());
        if (isDead) await new Promise(() => undefined);
      }
      if (isDead) await new Promise(() => undefined);
    },
    kill() {
      isDead = true;
      die();
    },
    isDead: () => isDead,
    death,
  };
}

/** A ledger that is far away: it answers late, fails before or after it has written, or never answers. */
export function faulty(ledger: Ledger, replica: Replica, random: Random, chance: number): Ledger {
  async function pass<T>(task: () => T | PromiseLike<T>): Promise<T> {
    await replica.pause();
    if (random.percent(chance)) throw new Error("The ledger is away");
    const answer = await task();
    await replica.pause();
    if (random.percent(chance)) throw new Error("The acknowledgement was lost");
    if (random.percent(chance / 4)) await new Promise(() => undefined);
    return answer;
  }
  return {
    reserve: async (entry) => pass(() => ledger.reserve(entry)),
    end: async (entry, end) => pass(() => ledger.end(entry, end)),
    totals: (account) => ledger.totals(account),
    open: async () => pass(() => ledger.open()),
  };
}
