import * as v from "valibot";
import { ANSWER, type Asked } from "./messages.ts";

/** Asks a worker, and matches what it sends with what it was asked. */
export interface Asker {
  /**
   * Sends a request with a number of its own.
   *
   * @param read - Checks the reply, and throws if it is none.
   * @param onBegun - Called when the worker begins with it.
   */
  ask<Reply>(
    request: unknown,
    read: (reply: unknown) => Reply,
    onBegun?: () => void,
  ): Promise<Reply>;
  /** Takes what the worker sent. */
  take(message: unknown): void;
  /** Rejects everything that is not answered. */
  fail(reason: Error): void;
}

/** A worker sent something that nobody asked it for. */
class UnaskedError extends Error {
  override readonly name = "UnaskedError";
}

interface Pending {
  readonly settle: (reply: unknown) => void;
  readonly reject: (reason: Error) => void;
  onBegun: (() => void) | undefined;
}

/**
 * Creates an asker.
 *
 * @param onUnasked - The worker sent something else than one answer to each request; everything is rejected.
 */
export function createAsker(post: (message: Asked<unknown>) => void, onUnasked: () => void): Asker {
  const pending = new Map<number, Pending>();
  let last = 0;

  function fail(reason: Error): void {
    const failed = [...pending.values()];
    pending.clear();
    for (const { reject } of failed) reject(reason);
  }

  function refuse(): void {
    fail(new UnaskedError("A worker sent what it was not asked for."));
    onUnasked();
  }

  return {
    fail,
    ask: (request, read, onBegun) =>
      new Promise((resolve, reject) => {
        last += 1;
        const settle = (reply: unknown): void => resolve(read(reply));
        pending.set(last, { settle, reject, onBegun: onBegun ?? (() => undefined) });
        post({ id: last, request });
      }),
    take: (message) => {
      const answer = v.is(ANSWER, message) ? message : undefined;
      const asked = answer && pending.get(answer.id);
      if (answer === undefined || asked === undefined) return refuse();
      if ("begun" in answer) {
        const { onBegun } = asked;
        if (onBegun === undefined) return refuse();
        asked.onBegun = undefined;
        return onBegun();
      }
      try {
        asked.settle(answer.reply);
        pending.delete(answer.id);
      } catch {
        refuse();
      }
    },
  };
}

/** Creates an asker of the worker behind a port, which is heard no more once it sends something else than answers. */
export function askThrough(port: MessagePort, onUnasked: () => void): Asker {
  const asker = createAsker(
    (message) => port.postMessage(message),
    () => {
      port.close();
      onUnasked();
    },
  );
  port.addEventListener("message", ({ data }: MessageEvent<unknown>) => asker.take(data));
  port.start();
  return asker;
}
