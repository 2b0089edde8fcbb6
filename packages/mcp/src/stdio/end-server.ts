import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "./server-process.ts";

/** Ends a server: closed input, then SIGTERM, then SIGKILL. */
export interface EndServer {
  /** Call when its input is closed: it gets SIGTERM if it does not end in time. */
  readonly afterInput: () => void;
  /** Call when it was sent SIGTERM: it gets SIGKILL if it does not end in time. */
  readonly afterSignal: () => void;
  /** Call when it has ended: ends its descendants and its output. Resolves when nothing is left. */
  readonly remains: () => Promise<void>;
}

const POLL_MS = 20;

/** Creates the steps, with `graceMs` between them. */
export function createEndServer(server: ServerProcess, graceMs: number): EndServer {
  const { tree, ended } = server;
  const waits = new Set<NodeJS.Timeout>();
  let isOver = false;
  // Once the server has ended, its pid may belong to another process.
  const later = (step: () => void): void => {
    if (!isOver) waits.add(setTimeout(step, graceMs));
  };
  const kill = (): void => {
    tree.signal("SIGKILL");
  };
  const afterSignal = once(() => {
    later(kill);
  });
  void ended.then(() => {
    isOver = true;
    for (const wait of waits) clearTimeout(wait);
  });
  return {
    afterInput: once(() => {
      later(() => {
        tree.signal("SIGTERM");
        afterSignal();
      });
    }),
    afterSignal,
    async remains() {
      if (tree.signal("SIGTERM")) await upTo(graceMs, () => !tree.isAlive());
      kill();
      await outputEnd(server, graceMs);
    },
  };
}

/** A process outside the group may hold the output open, so `graceMs` without output ends it. */
async function outputEnd({ fromServer }: ServerProcess, graceMs: number): Promise<void> {
  const isOver = (): boolean => fromServer.readableEnded || fromServer.destroyed;
  let heard = true;
  fromServer.on("data", () => {
    heard = true;
  });
  while (heard && !isOver()) {
    // A paused stream is not silent; the client is slow.
    heard = fromServer.isPaused();
    await upTo(graceMs, isOver);
  }
  fromServer.destroy();
}

async function upTo(milliseconds: number, isDone: () => boolean): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!isDone() && Date.now() < deadline) {
    await sleep(POLL_MS);
  }
}

function once(step: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) step();
    isDone = true;
  };
}
