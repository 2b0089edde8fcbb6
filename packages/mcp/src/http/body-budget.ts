/** The bodies that the proxy holds, bounded together in memory, and each in the time that it may take to arrive. */
export interface BodyBudget {
  /** Adds a body; `giveUp` is called if it takes too long or if memory runs out before it has arrived. */
  readonly open: (giveUp: (reason: BodyGivenUp) => void) => BodyShare;
}

/** What one body uses. */
export interface BodyShare {
  readonly add: (bytes: number) => void;
  /** Call when the body is complete: it keeps its memory until it is closed, and is no longer dropped. */
  readonly arrived: () => void;
  /** Call it once the body is no longer held. */
  readonly close: () => void;
}

/** A body whose reader is gone. */
export class BodyGivenUp extends Error {
  /** The status of the response. */
  readonly status: 408 | 503;

  constructor(status: 408 | 503) {
    super(status === 408 ? "the body took too long" : "too many large bodies are under way");
    this.status = status;
  }
}

/** The limits of all bodies. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

interface Held {
  bytes: number;
  /** Keeps the body in memory, so it is dropped as soon as it is not needed. */
  giveUp: ((reason: BodyGivenUp) => void) | undefined;
  /** Holds all of this while it runs. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Creates the budget. If it is used up, the oldest body that is still arriving is dropped: an honest one is complete in no
 * time.
 */
export function createBodyBudget({ maxBytes, timeoutMs }: BodyLimits): BodyBudget {
  const arriving = new Set<Held>();
  const complete = new Set<Held>();
  let total = 0;

  function remove(one: Held): void {
    if (arriving.delete(one) || complete.delete(one)) total -= one.bytes;
  }
  /** From now on the body can be collected, unless somebody else holds it. */
  function release(one: Held): Held["giveUp"] {
    const { giveUp } = one;
    clearTimeout(one.timer);
    one.giveUp = undefined;
    return giveUp;
  }
  function lose(one: Held, status: BodyGivenUp["status"]): void {
    remove(one);
    release(one)?.(new BodyGivenUp(status));
  }

  return {
    open(giveUp) {
      const own: Held = { bytes: 0, giveUp, timer: undefined };
      arriving.add(own);
      own.timer = setTimeout(lose, timeoutMs, own, 408);
      return {
        add(bytes) {
          if (!arriving.has(own)) return;
          own.bytes += bytes;
          total += bytes;
          for (const oldest of arriving) {
            if (total <= maxBytes) return;
            lose(oldest, 503);
          }
        },
        arrived() {
          release(own);
          if (arriving.delete(own)) complete.add(own);
        },
        close() {
          release(own);
          remove(own);
        },
      };
    },
  };
}
