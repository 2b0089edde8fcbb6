import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "./server-process.ts";

/** How a server is brought to its end. */
export interface EndServer {
  /** Its input has ended: if it does not follow, it is asked to, then made to. */
  readonly afterInput: () => void;
  /** It was asked to end: if it does not, it is made to. */
  readonly afterSignal: () => void;
  /** It has ended: what it left running ends too, and so does its output. Resolves when nothing is left. */
  readonly remains: () => Promise<void>;
}

const POLL_MS = 20;

/** Makes the ladder from a closed input over SIGTERM to SIGKILL, with `graceMs` between its steps. */
export function createEndServer(server: ServerProcess, graceMs: number): EndServer {
  const { tree, ended } = server;
  const waits = new Set<NodeJS.Timeout>();
  let isOver = false;
  // Once it has ended, its number may be another process's.
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

/** What left the process group may hold the output open: silence for `graceMs` ends it. */
async function outputEnd({ fromServer }: ServerProcess, graceMs: number): Promise<void> {
  const isOver = (): boolean => fromServer.readableEnded || fromServer.destroyed;
  let heard = true;
  fromServer.on("data", () => {
    heard = true;
  });
  while (heard && !isOver()) {
    // A paused stream is not silent: the client is slow.
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
