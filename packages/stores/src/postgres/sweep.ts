import type { RowsOf } from "./client.ts";
import type { TableNames } from "./names.ts";

const SWEEP_MS = 60_000;

/** Removes what is over, at most once a minute; what fails is left to the next time, or to another process. */
export function createSweep(rowsOf: RowsOf, { sweep }: TableNames): () => Promise<void> {
  let sweptAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = Date.now();
    if (now - sweptAt < SWEEP_MS) return;
    sweptAt = now;
    try {
      // Inside a transaction of somebody else, which has written by now, it would hold rows until that ends.
      await rowsOf(`SELECT ${sweep}() WHERE txid_current_if_assigned() IS NULL`);
    } catch {
      // What was written is right without it.
    }
  };
}
