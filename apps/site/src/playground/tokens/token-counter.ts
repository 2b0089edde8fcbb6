import { keyOf } from "./key-of.ts";
import { knownCounts } from "./known-counts.ts";
import type { TokenCount } from "./token-count.ts";

/** Counts tokens; the tokenizer is a megabyte, so it is loaded in a worker for the first text that is not known. */
export interface TokenCounter {
  /** The count if it is known, or else a promise. Throws a `DOMException` named "AbortError" if it was stopped. */
  count(text: string): TokenCount | Promise<TokenCount>;
  /** Stops what is not counted yet. The next text starts a worker again. */
  stop(): void;
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
  let worker: Worker | undefined;

  function end(reason: Error): void {
    worker?.terminate();
    worker = undefined;
    for (const [key, { reject }] of pending) {
      kept.delete(key);
      reject(reason);
    }
    pending.clear();
  }

  function start(): Worker {
    const started = startWorker();
    started.addEventListener("message", ({ data: { key, count } }: MessageEvent<CountReply>) => {
      if (started !== worker) return;
      if (kept.has(key)) kept.set(key, count);
      pending.get(key)?.resolve(count);
      pending.delete(key);
    });
    started.addEventListener("error", (event) => {
      // Otherwise the browser reports it as an error of the page.
      event.preventDefault();
      // What cannot be loaded or parsed fails without a message.
      const reason = event.message ?? "the worker could not be started";
      if (started === worker) end(new Error(`The tokens could not be counted: ${reason}`));
    });
    return started;
  }

  return {
    stop: () => {
      if (pending.size > 0) end(new DOMException("Counting was stopped.", "AbortError"));
    },
    count: (text) => {
      if (text === "") return { tokens: 0, isCut: false };
      const key = keyOf(text);
      const tokens = known.get(key);
      if (tokens !== undefined) return { tokens, isCut: false };
      const count = kept.get(key);
      if (count !== undefined) return count;
      const [oldest] = kept.keys();
      if (oldest !== undefined && kept.size === MOST_KEPT) kept.delete(oldest);
      worker ??= start();
      const request: CountRequest = { key, text };
      worker.postMessage(request);
      const promise = new Promise<TokenCount>((resolve, reject) => {
        pending.set(key, { resolve, reject });
      });
      kept.set(key, promise);
      return promise;
    },
  };
}
