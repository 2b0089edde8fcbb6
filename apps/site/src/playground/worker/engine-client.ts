import type { Replay } from "../engine/index.ts";
import { lazyWorker, type StartedWorker, WorkerFailedError } from "../requests/index.ts";
import { startSandboxed } from "../sandbox/index.ts";
// oxlint-disable-next-line import/default -- The build exports the address of the bundled script.
import toolUrl from "./tool.sandboxed.ts?url";
import { type PlaygroundState, zodCodeOf } from "../state/index.ts";
// oxlint-disable-next-line import/default -- Vite exports the address of the bundled worker.
import engineUrl from "./engine.worker.ts?worker&url";
import { readReplay } from "./read-replay.ts";

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

/** Said if the code of a tool sent what only the engine may send. */
export const ANSWERED_IN_PLACE = "The code of this tool answered in place of the engine.";

/** A replay gives way to a newer one after this time since it began, in milliseconds. */
const PATIENCE = 1_000;

/** Creates a client; its worker starts with the first replay. */
export function createEngineClient(
  startWorker: (code: string | undefined) => StartedWorker = startEngine,
): EngineClient {
  let running: (Job & { since?: number }) | undefined;
  let waiting: Job | undefined;
  let impatience: ReturnType<typeof setTimeout> | undefined;
  const worker = lazyWorker<PlaygroundState, Replay>(startWorker, readReplay);

  function start(job: Job): void {
    const { state } = job;
    const code = zodCodeOf(state.tool);
    running = { ...job };
    const started = running;
    const end = (replay: Replay | undefined): void => {
      if (running === started) finish(replay);
    };
    worker
      .ask(state, { code, onBegun: begin })
      .then(end, (reason: unknown) => end(faultOf(reason, code)));
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

function startEngine(code: string | undefined): StartedWorker {
  const worker = new Worker(engineUrl, { type: "module" });
  return code === undefined
    ? { worker, end: () => worker.terminate() }
    : startSandboxed(worker, toolUrl);
}

function faultOf(reason: unknown, code: string | undefined): Replay {
  const unasked = code === undefined ? "The worker sent no replay." : ANSWERED_IN_PLACE;
  const message = reason instanceof WorkerFailedError ? reason.message : unasked;
  return { faults: [{ place: "Tool", severity: "error", message }], turns: [] };
}
