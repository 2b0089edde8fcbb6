import { closeSync, openSync, writeSync } from "node:fs";
import { RunError, type SessionEvent } from "@toolcontract/session";
import type { RefusedCall } from "./refused-call.ts";

/** A file with a line of JSON for each event of a run. */
export interface TraceFile {
  readonly write: (
    event: SessionEvent | RefusedCall | { readonly type: "end"; readonly success: boolean },
  ) => void;
  readonly close: () => void;
}

/** What may repeat a value: what the model or a tool wrote, or an error that quotes it. */
const WITH_VALUES: ReadonlySet<string> = new Set(["payload", "reason", "error", "given", "detail"]);

/**
 * Opens the file before anything runs. Its lines name turns, tools, targets, times, tokens and outcomes, and hold no values.
 *
 * @throws RunError if it cannot be opened.
 */
export function openTrace(
  path: string | undefined,
  warn: (line: string) => void,
  clock: () => number = Date.now,
): TraceFile {
  if (path === undefined) return { write: () => undefined, close: () => undefined };
  let file: number | undefined;
  const failed = (thrown: unknown): string =>
    `--trace ${path} cannot be written (${(thrown as NodeJS.ErrnoException).code}).`;
  try {
    file = openSync(path, "w");
  } catch (thrown) {
    throw new RunError("configuration", failed(thrown));
  }
  return {
    write(event) {
      if (file === undefined) return;
      try {
        writeSync(file, `${JSON.stringify({ ts: clock(), ...event }, withoutValues)}\n`);
      } catch (thrown) {
        // A full disk must not lose the report.
        warn(failed(thrown));
      }
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

function withoutValues(key: string, value: unknown): unknown {
  return WITH_VALUES.has(key) && typeof value === "string" ? undefined : value;
}
