import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "./server-process.ts";

/** Ends a server: closed input, then SIGTERM, then SIGKILL. */
export interface EndServer {
  /** Call when its input is closed: it gets SIGTERM if it does not end in time, and then SIGKILL. */
  readonly afterInput: () => void;
  /** Sends SIGTERM at once, and SIGKILL if it does not end in time. */
  readonly now: () => void;
  /** Call when it has ended: ends its descendants and its output. Resolves when nothing is left. */
  readonly remains: () => Promise<void>;
}

const POLL_MS = 20;

/** Creates the steps, with `stepMs` between them. */
export function createEndServer(server: ServerProcess, stepMs: number): EndServer {
  const { tree, ended } = server;
  const waits = new Set<NodeJS.Timeout>();
  let isOver = false;
  // Once the server has ended, its pid may belong to another process.
  const later = (step: () => void): void => {
    if (!isOver) waits.add(setTimeout(step, stepMs));
  };
  const kill = (): void => {
    tree.signal("SIGKILL");
  };
  const now = once(() => {
    tree.signal("SIGTERM");
    later(kill);
  });
  void ended.then(() => {
    isOver = true;
    for (const wait of waits) clearTimeout(wait);
  });
  return {
    afterInput: once(() => {
      later(now);
    }),
    now,
    async remains() {
      if (tree.signal("SIGTERM")) await upTo(stepMs, () => !tree.isAlive());
      kill();
      const outputs = server.errors ? [server.fromServer, server.errors] : [server.fromServer];
      await Promise.all(outputs.map(async (output) => outputEnd(output, stepMs)));
    },
  };
}

/** A process outside the group may hold the output open, so `stepMs` without output ends it. */
async function outputEnd(output: Readable, stepMs: number): Promise<void> {
  const isOver = (): boolean => output.readableEnded || output.destroyed;
  let heard = true;
  output.on("data", () => {
    heard = true;
  });
  while (heard && !isOver()) {
    // A paused stream is not silent; the client is slow.
    heard = output.isPaused();
    await upTo(stepMs, isOver);
  }
  output.destroy();
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
