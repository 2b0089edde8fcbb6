import type { Readable, Writable } from "node:stream";
import type { Gate } from "../gate/index.ts";
import type { ErrorOutput } from "./error-output.ts";
import type { Log } from "./log.ts";

/** Where the command reads and writes. */
export interface StandardStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** What a run needs besides its plan. */
export interface ProxyRun {
  readonly log: Log;
  readonly streams: StandardStreams;
  readonly errors: ErrorOutput;
  readonly loadGate: () => Promise<Gate>;
  /** Called when the proxy takes no more requests and waits for calls in flight. */
  readonly onStopping: () => void;
}
