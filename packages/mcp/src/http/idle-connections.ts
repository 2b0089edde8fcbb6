import type { Socket } from "node:net";

/** Ends the connections of a pool that are not used. */
export interface IdleConnections {
  /** Call when a connection is free; false if it must not be used again. */
  readonly mayStay: () => boolean;
  /** Takes the server's `Keep-Alive` header: how long it keeps a free connection itself. */
  readonly announced: (keepAlive: string) => void;
  readonly stop: () => void;
}

/** What the pool is, and how one of its free connections is closed. */
export interface Pool {
  readonly free: () => readonly Socket[];
  readonly close: (idle: Socket) => void;
}

/** A request may be under way while the server closes a connection, so it is not used as long as the server keeps it. */
const MARGIN_MS = 1_000;

/**
 * Creates the watch of a pool to one server: a free connection is closed after `idleMs` at most, and not before half of
 * it.
 *
 * @remarks Looks at all of them now and then. A timer for each would be set and cleared with every call.
 */
export function createIdleConnections(idleMs: number, { free, close }: Pool): IdleConnections {
  /** How much a connection had written when it was found free. */
  let seen = new WeakMap<Socket, number>();
  let stayMs = idleMs;
  let latest = "";
  let timer: ReturnType<typeof setInterval> | undefined;

  function look(): void {
    const before = seen;
    seen = new WeakMap();
    for (const socket of free()) {
      const { bytesWritten } = socket;
      if (before.get(socket) === bytesWritten) close(socket);
      else seen.set(socket, bytesWritten);
    }
  }
  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    mayStay() {
      if (stayMs <= 0) return false;
      timer ??= setInterval(look, stayMs / 2).unref();
      return true;
    },
    announced(keepAlive) {
      if (keepAlive === latest) return;
      latest = keepAlive;
      const seconds = /timeout=(\d+)/i.exec(keepAlive)?.[1];
      stayMs =
        seconds === undefined ? idleMs : Math.min(idleMs, Number(seconds) * 1_000 - MARGIN_MS);
      stop();
    },
    stop,
  };
}
