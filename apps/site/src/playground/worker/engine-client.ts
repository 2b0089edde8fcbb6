import type { Replay } from "../engine/index.ts";
import { lazyWorker } from "../lazy-worker.ts";
import { type PlaygroundState, zodCodeOf } from "../state/index.ts";
import { startZodWorker } from "../zod-tool/index.ts";
import { BEGUN } from "./begun.ts";
// oxlint-disable-next-line import/default -- Vite exports the address of the bundled worker.
import engineUrl from "./engine.worker.ts?worker&url";

/** Replays conversations in a worker, so that the page stays responsive. */
interface EngineClient {
  /** The newest state wins: an older one that has not begun is dropped and returns `undefined`. */
  replay(state: PlaygroundState): Promise<Replay | undefined>;
  /** Ends the worker; the running request returns `undefined`. */
  stop(): void;
}

interface Job {
  readonly state: PlaygroundState;
  readonly done: (replay: Replay | undefined) => void;
}

/** A replay gives way to a newer one after this time since it began, in milliseconds. */
const PATIENCE = 1_000;

/** Creates a client; its worker starts with the first replay. */
export function createEngineClient(
  startWorker: (code: string | undefined) => Worker = startEngineWorker,
): EngineClient {
  let running: (Job & { since?: number }) | undefined;
  let waiting: Job | undefined;
  let impatience: ReturnType<typeof setTimeout> | undefined;

  const worker = lazyWorker<PlaygroundState, Replay | typeof BEGUN>(startWorker, {
    onReply: (reply) => (reply === BEGUN ? begin() : finish(reply)),
    onFailure: (event, code) => finish(faultOf(event, code !== undefined)),
  });

  function start(job: Job): void {
    running = { ...job };
    worker.post(job.state, zodCodeOf(job.state.tool));
  }

  function begin(): void {
    if (running === undefined) return;
    running.since = Date.now();
    if (waiting !== undefined) limitRunning();
  }

  /** While the worker loads there is no limit: another would load no faster. */
  function limitRunning(): void {
    clearTimeout(impatience);
    if (running?.since === undefined) return;
    impatience = setTimeout(giveUp, Math.max(0, running.since + PATIENCE - Date.now()));
  }

  function finish(replay: Replay | undefined): void {
    const job = running;
    running = undefined;
    clearTimeout(impatience);
    job?.done(replay);
    const next = waiting;
    waiting = undefined;
    if (next !== undefined) start(next);
  }

  function giveUp(): void {
    worker.end();
    finish(undefined);
  }

  return {
    replay: (state) =>
      new Promise((done) => {
        waiting?.done(undefined);
        waiting = undefined;
        if (running === undefined) {
          start({ state, done });
          return;
        }
        waiting = { state, done };
        limitRunning();
      }),
    stop: () => {
      waiting?.done(undefined);
      waiting = undefined;
      giveUp();
    },
  };
}

function startEngineWorker(code: string | undefined): Worker {
  return code === undefined
    ? new Worker(engineUrl, { type: "module" })
    : startZodWorker(code, engineUrl);
}

function faultOf({ message, lineno }: ErrorEvent, isZod: boolean): Replay {
  // A module that cannot be parsed fails without a message.
  const reason = isZod
    ? "This is not JavaScript that can run here. Write one expression, or a module with `export default` that imports only zod."
    : "The worker could not be started.";
  const said = message?.replace(/^Uncaught /, "");
  const text = said ? `${said}${lineno > 0 ? ` (line ${lineno})` : ""}` : reason;
  return { faults: [{ place: "Tool", severity: "error", message: text }], turns: [] };
}
