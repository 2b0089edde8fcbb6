/** The bodies that are arriving, bounded together in memory, and each in time. */
export interface BodyBudget {
  /** Adds a body; `giveUp` is called if it takes too long or if memory runs out. */
  readonly open: (giveUp: (reason: BodyGivenUp) => void) => BodyShare;
}

/** What one body uses. */
interface BodyShare {
  readonly add: (bytes: number) => void;
  /** Call when the body is complete or will never be. */
  readonly close: () => void;
}

/** A body that is not waited for any longer. */
export class BodyGivenUp extends Error {
  /** The status of the response. */
  readonly status: 408 | 503;

  constructor(status: 408 | 503) {
    super(status === 408 ? "the body took too long" : "too many bodies are arriving");
    this.status = status;
  }
}

/** The limits of all bodies. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

interface Arriving {
  bytes: number;
  readonly giveUp: (reason: BodyGivenUp) => void;
}

/** Creates the budget. If it is spent, the oldest body is given up: an honest one is complete in no time. */
export function createBodyBudget({ maxBytes, timeoutMs }: BodyLimits): BodyBudget {
  const arriving = new Set<Arriving>();
  let total = 0;

  function remove(one: Arriving): void {
    if (arriving.delete(one)) total -= one.bytes;
  }

  return {
    open(giveUp) {
      const own: Arriving = { bytes: 0, giveUp };
      arriving.add(own);
      const timer = setTimeout(() => {
        remove(own);
        giveUp(new BodyGivenUp(408));
      }, timeoutMs);
      return {
        add(bytes) {
          if (!arriving.has(own)) return;
          own.bytes += bytes;
          total += bytes;
          for (const oldest of arriving) {
            if (total <= maxBytes) return;
            remove(oldest);
            oldest.giveUp(new BodyGivenUp(503));
          }
        },
        close() {
          clearTimeout(timer);
          remove(own);
        },
      };
    },
  };
}
