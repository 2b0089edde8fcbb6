import type { Replay } from "../engine/index.ts";
import type { PlaygroundState } from "../state/index.ts";
import { startZodWorker } from "../zod-tool/index.ts";
import type { Reply, Request } from "./protocol.ts";
// oxlint-disable-next-line import/default -- Vite exports the address of the bundled worker.
import engineUrl from "./engine.worker.ts?worker&url";
// oxlint-disable-next-line import/default -- Vite exports the address of the bundled worker.
import zodUrl from "./zod.worker.ts?worker&url";

/** Replays conversations in a worker, so that the page answers meanwhile. */
export interface EngineClient {
  /** The newest state wins: what was asked before and has not begun is dropped and returns `undefined`. */
  replay(state: PlaygroundState): Promise<Replay | undefined>;
  /** Ends what is running; its request returns `undefined`. */
  stop(): void;
}

interface Job {
  readonly state: PlaygroundState;
  readonly done: (replay: Replay | undefined) => void;
}

interface Running extends Job {
  readonly id: number;
  readonly since: number;
}

/** A running replay gives way to a newer one after this time, in milliseconds. */
const PATIENCE = 1_000;

export function createEngineClient(): EngineClient {
  let worker: { readonly worker: Worker; readonly code: string | undefined } | undefined;
  let running: Running | undefined;
  let waiting: Job | undefined;
  let requests = 0;
  let impatience: ReturnType<typeof setTimeout> | undefined;

  function finish(replay: Replay | undefined): void {
    const job = running;
    running = undefined;
    clearTimeout(impatience);
    job?.done(replay);
    const next = waiting;
    waiting = undefined;
    if (next !== undefined) start(next);
  }

  function end(): void {
    worker?.worker.terminate();
    worker = undefined;
  }

  function workerFor({ tool }: PlaygroundState): Worker {
    const code = tool.language === "zod" ? tool.text : undefined;
    if (worker !== undefined && worker.code === code) return worker.worker;
    end();
    const made =
      code === undefined
        ? new Worker(engineUrl, { type: "module" })
        : startZodWorker(code, [zodUrl, engineUrl]);
    made.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      if (data.id === running?.id) finish(data.replay);
    });
    made.addEventListener("error", (event) => {
      // Otherwise the browser reports it as an error of the page.
      event.preventDefault();
      if (worker?.worker !== made) return;
      end();
      finish(faultOf(event, code !== undefined));
    });
    worker = { worker: made, code };
    return made;
  }

  function start(job: Job): void {
    requests += 1;
    running = { ...job, id: requests, since: Date.now() };
    const request: Request = { id: requests, state: job.state };
    workerFor(job.state).postMessage(request);
  }

  function giveUp(): void {
    end();
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
        clearTimeout(impatience);
        impatience = setTimeout(giveUp, Math.max(0, running.since + PATIENCE - Date.now()));
      }),
    stop: () => {
      waiting?.done(undefined);
      waiting = undefined;
      if (running !== undefined) giveUp();
    },
  };
}

function faultOf({ message, lineno }: ErrorEvent, isZod: boolean): Replay {
  // A module that cannot be parsed fails without a message.
  const reason = isZod
    ? "This is not JavaScript that can run. Write one expression, or a module with `export default`."
    : "The worker could not be started.";
  const said = message?.replace(/^Uncaught /, "");
  const text = said ? `${said}${lineno > 0 ? ` (line ${lineno})` : ""}` : reason;
  return { faults: [{ place: "Tool", severity: "error", message: text }], turns: [] };
}
