import type { Gate } from "../gate/index.ts";
import type { ErrorOutput } from "./error-output.ts";
import type { Log } from "./log.ts";

/** What a run needs besides its plan. */
export interface ProxyRun {
  readonly log: Log;
  readonly errors: ErrorOutput;
  readonly loadGate: () => Promise<Gate>;
  /** Called when the proxy takes no more requests and waits for calls in flight. */
  readonly onStopping: () => void;
}
