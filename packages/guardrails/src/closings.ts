import { type MaybePromise, createRecentMap } from "@toolcontract/core/adapter";
import { type Records, type RunOfTool, runKey } from "./trace/index.ts";

/** Which tools are closed in which runs. */
export interface Closings {
  /** Why the tool is closed in this run, if it is; few tools ever are. */
  reasonFor(run: RunOfTool): MaybePromise<string | undefined>;
  /** Remembers that no call of the tool can succeed in this run; in a run that is not known, nothing is remembered. */
  close(run: RunOfTool, reason: string | undefined): Promise<void>;
  /** Counts a call that guardrails refused in this run: after too many, whatever succeeded between them, the tool is closed. */
  refused(run: RunOfTool): Promise<void>;
  /** Opens the tool again; false if it was not closed. */
  reopen(run: RunOfTool): Promise<boolean>;
  /** Whether the tool was opened again: the host's own count may still say that it is closed. */
  isReopened(run: RunOfTool): boolean;
}

const MAX_CLOSED = 10_000;

/** Creates the register; with records, what another process has closed is known to this one, once for each run and tool. */
export function createClosings(records: Records | undefined, mostRefused: number): Closings {
  const closed = createRecentMap<string, string>(MAX_CLOSED);
  const reopened = createRecentMap<string, true>(MAX_CLOSED);
  const read = createRecentMap<string, true>(MAX_CLOSED);
  const refusals = createRecentMap<string, number>(MAX_CLOSED);

  async function readReason(key: string, from: Records): Promise<string | undefined> {
    const piece = await from.read(["closed", key]);
    read.set(key, true);
    const reason = piece?.["reason"];
    if (typeof reason === "string" && closed.get(key) === undefined) closed.set(key, reason);
    return closed.get(key);
  }

  const closings: Closings = {
    async refused(run) {
      if (mostRefused === Number.MAX_SAFE_INTEGER || run.knowsRun === false) return;
      const count = (refusals.get(runKey(run)) ?? 0) + 1;
      refusals.set(runKey(run), count);
      if (count >= mostRefused) await closings.close(run, "refusals_exhausted");
    },
    reasonFor(run) {
      if (run.knowsRun === false || (closed.size === 0 && records === undefined)) return undefined;
      const key = runKey(run);
      const known = closed.get(key);
      if (known !== undefined || records === undefined || read.get(key) === true) return known;
      // A check alone knows no run.
      return run.conversationId === undefined ? undefined : readReason(key, records);
    },
    async close(run, reason) {
      if (reason === undefined || run.knowsRun === false) return;
      const key = runKey(run);
      closed.set(key, reason);
      reopened.take(key);
      await records?.change(["closed", key], () => ({ reason }));
    },
    async reopen(run) {
      const key = runKey(run);
      const known = closed.take(key) ?? (await records?.read(["closed", key]))?.["reason"];
      reopened.set(key, true);
      refusals.take(key);
      read.set(key, true);
      await records?.remove(["closed", key]);
      return known !== undefined;
    },
    isReopened: (run) => reopened.get(runKey(run)) === true,
  };
  return closings;
}
