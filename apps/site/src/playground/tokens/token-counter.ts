import type { TokenCount } from "./count-tokens.ts";
import * as v from "valibot";
import { lazyWorker, type StartedWorker } from "../requests/index.ts";
// oxlint-disable-next-line import/default -- Vite exports the address of the bundled worker.
import workerUrl from "./count.worker.ts?worker&url";
import { keyOf } from "./key-of.ts";
import { knownCounts } from "./known-counts.ts";

/** Counts tokens; the tokenizer is a megabyte, so a worker loads it for the first string whose count is unknown. */
export interface TokenCounter {
  /** The count if it is known, or else a promise. */
  count(text: string): TokenCount | Promise<TokenCount>;
}

/** How many counts are kept. */
const MOST_KEPT = 500;

const readCount: (reply: unknown) => TokenCount = v.parser(
  v.strictObject({ tokens: v.number(), isCut: v.boolean() }),
);

/** Creates a counter that knows some counts, those of the examples by default. */
export function createTokenCounter(
  known: ReadonlyMap<string, number> = knownCounts,
  startWorker: () => StartedWorker = startCounting,
): TokenCounter {
  const kept = new Map<string, TokenCount | Promise<TokenCount>>();
  const worker = lazyWorker<string, TokenCount>(startWorker, readCount);

  async function counted(key: string, text: string): Promise<TokenCount> {
    try {
      const count = await worker.ask(text);
      if (kept.has(key)) kept.set(key, count);
      return count;
    } catch (reason) {
      kept.delete(key);
      const said = reason instanceof Error ? reason.message : String(reason);
      throw new Error(`The tokens could not be counted: ${said}`, { cause: reason });
    }
  }

  return {
    count: (text) => {
      if (text === "") return { tokens: 0, isCut: false };
      const key = keyOf(text);
      const tokens = known.get(key);
      if (tokens !== undefined) return { tokens, isCut: false };
      const count = kept.get(key);
      if (count !== undefined) return count;
      const [oldest] = kept.keys();
      if (oldest !== undefined && kept.size === MOST_KEPT) kept.delete(oldest);
      const promise = counted(key, text);
      kept.set(key, promise);
      return promise;
    },
  };
}

function startCounting(): StartedWorker {
  const worker = new Worker(workerUrl, { type: "module" });
  return { worker, end: () => worker.terminate() };
}
