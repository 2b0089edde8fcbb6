import { lazyWorker, reasonOf } from "../lazy-worker.ts";
import { keyOf } from "./key-of.ts";
import { knownCounts } from "./known-counts.ts";
import type { TokenCount } from "./token-count.ts";

/** Counts tokens; the tokenizer is a megabyte, so a worker loads it for the first string whose count is unknown. */
export interface TokenCounter {
  /** The count if it is known, or else a promise. */
  count(text: string): TokenCount | Promise<TokenCount>;
}

/** What the worker is asked. */
export interface CountRequest {
  readonly key: string;
  readonly text: string;
}

/** What it answers. */
export interface CountReply {
  readonly key: string;
  readonly count: TokenCount;
}

interface Pending {
  readonly resolve: (count: TokenCount) => void;
  readonly reject: (reason: Error) => void;
}

/** How many counts are kept. */
const MOST_KEPT = 500;

/** Creates a counter that knows some counts, those of the examples by default. */
export function createTokenCounter(
  known: ReadonlyMap<string, number> = knownCounts,
  startWorker: () => Worker = () =>
    new Worker(new URL("./count.worker.ts", import.meta.url), { type: "module" }),
): TokenCounter {
  const kept = new Map<string, TokenCount | Promise<TokenCount>>();
  const pending = new Map<string, Pending>();

  const worker = lazyWorker<CountRequest, CountReply>(startWorker, {
    onReply: ({ key, count }) => {
      if (kept.has(key)) kept.set(key, count);
      pending.get(key)?.resolve(count);
      pending.delete(key);
    },
    onFailure: (event) => {
      const reason = new Error(`The tokens could not be counted: ${reasonOf(event)}`);
      for (const [key, { reject }] of pending) {
        kept.delete(key);
        reject(reason);
      }
      pending.clear();
    },
  });

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
      worker.post({ key, text });
      const promise = new Promise<TokenCount>((resolve, reject) => {
        pending.set(key, { resolve, reject });
      });
      kept.set(key, promise);
      return promise;
    },
  };
}
