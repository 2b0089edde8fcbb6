import { isPromiseLike } from "../shared/index.ts";
import { type ContractEventMap, EVENT_NAMES, type Events, createEvents } from "./events.ts";
import { type ContractLogger, type LogEntry, errorClass, faultEntry } from "./logger.ts";

const MAX_REPORTED = 1_000;

/** Reports faults of this library and of the host's callbacks once each; calls continue. */
export interface Faults {
  readonly events: Events<ContractEventMap>;
  /** Reports a fault, once per stage and tool. */
  report(stage: string, thrown: unknown, toolName?: string): void;
  /** Writes a log entry; a logger that throws is itself reported as a fault. */
  log(entry: LogEntry): void;
  /** Runs a host callback; what it throws or rejects with is reported as a fault of the stage. */
  guard(stage: string, callback: () => unknown, toolName?: string): void;
}

/** Creates the reporter, with the events through which it also reports. */
export function createFaults(logger: ContractLogger): Faults {
  const reported = new Set<string>();
  const events = createEvents<ContractEventMap>(EVENT_NAMES, (thrown) =>
    report("listener", thrown),
  );

  function report(stage: string, thrown: unknown, toolName?: string): void {
    const key = JSON.stringify([stage, toolName ?? ""]);
    if (reported.has(key) || reported.size >= MAX_REPORTED) return;
    reported.add(key);
    log(faultEntry(stage, thrown, toolName === undefined ? undefined : { toolName }));
    const degraded = { stage, errorClass: errorClass(thrown) };
    events.emit("contract-degraded", () =>
      toolName === undefined ? degraded : { ...degraded, toolName },
    );
  }

  function log({ fields, message }: LogEntry): void {
    guard("logger", () => logger(fields, message));
  }

  function guard(stage: string, callback: () => unknown, toolName?: string): void {
    try {
      const answer = callback();
      if (isPromiseLike(answer))
        void answer.then(undefined, (thrown: unknown) => report(stage, thrown, toolName));
    } catch (thrown) {
      report(stage, thrown, toolName);
    }
  }

  return { events, report, log, guard };
}
