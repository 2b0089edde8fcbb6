import { type PricedUsage, priceOf } from "@toolcontract/session";
import type { Stream } from "./output.ts";

/** A line that says what runs now, for how long, and what it has cost; only on a terminal. */
export interface Status {
  /** Names what runs now. */
  readonly show: (what: string) => void;
  /** Adds what a request took. */
  readonly add: (usage: PricedUsage) => void;
  /** Takes the line away, once; what it said last stays if there was a request. */
  readonly end: () => void;
}

/** Shows the line on stderr; Ctrl-C keeps its meaning. */
export async function createStatus(stderr: Stream, clock = Date.now): Promise<Status> {
  // A pseudo-terminal without a size has no columns, in which ora would count lines forever.
  if (stderr.isTTY !== true || stderr.columns === 0) {
    return { show: () => undefined, add: () => undefined, end: () => undefined };
  }
  const { default: ora } = await import("ora");
  const startedAt = clock();
  let tokens = 0;
  let costUsd = 0;
  let isEnded = false;
  const taken = (): string =>
    [
      `${Math.round((clock() - startedAt) / 1000)} s`,
      ...(tokens > 0 ? [`${tokens} tokens`] : []),
      ...(costUsd > 0 ? [`$${costUsd.toFixed(4)}`] : []),
    ].join(" · ");
  const spinner = ora({ stream: stderr, discardStdin: false, suffixText: () => `· ${taken()}` });
  return {
    show(what) {
      spinner.text = what;
      if (!spinner.isSpinning) spinner.start();
    },
    add(usage) {
      tokens += usage.totalTokens;
      // Only the first price waits.
      void Promise.resolve(priceOf(usage)).then((price = 0) => (costUsd += price));
    },
    end() {
      if (isEnded) return;
      isEnded = true;
      spinner.stop();
      if (tokens > 0) stderr.write(`${taken()}\n`);
    },
  };
}
