import { isPromiseLike } from "../shared/index.ts";
import { type ContractEventMap, EVENT_NAMES, type Events, createEvents } from "./events.ts";
import { type ContractLogger, type LogEntry, errorClass, faultEntry } from "./logger.ts";

const MAX_REPORTED = 1_000;

/** Where faults of our own and of the host's callbacks go: each is reported once, and calls go on. */
export interface Faults {
  readonly events: Events<ContractEventMap>;
  /** Reports a fault of a stage, once per stage and tool. */
  report(stage: string, thrown: unknown, toolName?: string): void;
  /** Writes a log entry; a logger that throws is itself a fault. */
  log(entry: LogEntry): void;
  /** Runs a callback of the host, whose faults change nothing; they are reported as the stage's. */
  guard(stage: string, callback: () => unknown, toolName?: string): void;
}

/** Makes the place where faults are reported. */
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
