import { isPromiseLike } from "@toolcontract/explain/adapter";
import type { FaultReport } from "./report.ts";

const MAX_REPORTED = 1_000;
const MAX_PLACES = 20;
const MAX_POINTER = 200;

/** Reports faults of this library and of the host's callbacks; calls continue. */
export interface Faults {
  /** Reports a fault: each counts, and the first of a stage and tool is also logged and emitted. */
  readonly fault: (
    stage: string,
    thrown: unknown,
    toolName?: string,
    places?: readonly string[],
  ) => void;
  /** Reports that a stage works again; its next fault is a first one. */
  readonly restored: (stage: string) => void;
  /** Runs a host callback; what it throws or rejects with is reported as a fault of the stage. */
  readonly guard: (stage: string, callback: () => unknown, toolName?: string) => void;
}

/** Creates what tells first faults from later ones. */
export function createFaults(report: (report: FaultReport) => void): Faults {
  const reported = new Set<string>();

  const fault: Faults["fault"] = (stage, thrown, toolName, places) => {
    const key = JSON.stringify([stage, toolName ?? ""]);
    const isFirst = !reported.has(key) && reported.size < MAX_REPORTED;
    if (isFirst) reported.add(key);
    report({
      kind: "degraded",
      stage,
      errorClass: errorClass(thrown),
      toolName,
      places: places?.slice(0, MAX_PLACES).map((pointer) => pointer.slice(0, MAX_POINTER)),
      isFirst,
    });
  };

  return {
    fault,
    restored(stage) {
      if (reported.delete(JSON.stringify([stage, ""]))) report({ kind: "restored", stage });
    },
    guard(stage, callback, toolName) {
      try {
        const answer = callback();
        if (isPromiseLike(answer))
          void answer.then(undefined, (thrown: unknown) => fault(stage, thrown, toolName));
      } catch (thrown) {
        fault(stage, thrown, toolName);
      }
    },
  };
}

/** Names the class of something thrown; its message is left out because messages quote data. */
export function errorClass(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return typeof thrown;
    const name: unknown = thrown.constructor.name;
    return typeof name === "string" && /^[A-Za-z_$][\w$]{0,63}$/.test(name) ? name : "Error";
  } catch {
    // A proxy that throws.
    return "Error";
  }
}
