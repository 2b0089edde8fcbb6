import type { Replay } from "../engine/index.ts";
import type { PlaygroundState } from "../state/index.ts";

/** What the page asks a worker; the reply has the same id. */
export interface Request {
  readonly id: number;
  readonly state: PlaygroundState;
}

/** What a worker answers. */
export interface Reply {
  readonly id: number;
  readonly replay: Replay;
}
