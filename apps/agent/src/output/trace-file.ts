import { closeSync, openSync, writeSync } from "node:fs";
import { RunError, type SessionEvent } from "@toolcontract/session";
import type { RefusedCall } from "./refused-call.ts";
import { visibleJson } from "@toolcontract/core/adapter";

/** A file with a line of JSON for each event of a run. */
export interface TraceFile {
  readonly write: (
    event: SessionEvent | RefusedCall | { readonly type: "end"; readonly success: boolean },
  ) => void;
  readonly close: () => void;
}

/** What the file needs of the output. */
interface TraceOptions {
  readonly warn: (line: string) => void;
  /** Takes secrets out of a line. */
  readonly hide: (event: unknown) => unknown;
}

/** Names of tools and users are private: a new file is its owner's alone. */
const OWNERS = 0o600;

/** What may repeat a value: what the model or a tool wrote, or an error that quotes it. */
const WITH_VALUES: ReadonlySet<string> = new Set(["payload", "reason", "error", "given", "detail"]);

/**
 * Opens the file before anything runs. Its lines name turns, tools, targets, times, tokens and outcomes, and hold no values.
 *
 * @throws RunError if it cannot be opened.
 */
export function openTrace(
  path: string | undefined,
  { warn, hide }: TraceOptions,
  clock: () => number = Date.now,
): TraceFile {
  if (path === undefined) return { write: () => undefined, close: () => undefined };
  let file: number | undefined;
  const failed = (thrown: unknown): string =>
    `--trace ${path} cannot be written (${(thrown as NodeJS.ErrnoException).code}).`;
  try {
    file = openSync(path, "w", OWNERS);
  } catch (thrown) {
    throw new RunError("configuration", failed(thrown));
  }
  return {
    write(event) {
      if (file === undefined) return;
      try {
        writeSync(file, `${visibleJson(hide(withoutValues({ ts: clock(), ...event })))}\n`);
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

function withoutValues(event: object): unknown {
  return JSON.parse(
    JSON.stringify(event, (key, value: unknown) =>
      WITH_VALUES.has(key) && typeof value === "string" ? undefined : value,
    ),
  );
}
