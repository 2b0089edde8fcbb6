import { closeSync, openSync, writeSync } from "node:fs";
import { type AccountingEntry, RunError } from "@toolcontract/session";

/** A file of JSON lines, one for each request and each execution of a tool. */
export interface AccountingFile {
  /** Appends entries, and closes the file. */
  write(entries: readonly AccountingEntry[]): void;
}

/**
 * Opens the file before anything is paid for.
 *
 * @throws RunError if it cannot be opened.
 */
export function openAccounting(
  path: string | undefined,
  warn: (line: string) => void,
): AccountingFile {
  if (path === undefined) return { write: () => undefined };
  let file: number;
  try {
    file = openSync(path, "a");
  } catch (thrown) {
    throw new RunError("configuration", failure(path, thrown));
  }
  return {
    write(entries) {
      try {
        writeSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
      } catch (thrown) {
        // A full disk must not lose the report.
        warn(failure(path, thrown));
      }
      closeSync(file);
    },
  };
}

function failure(path: string, thrown: unknown): string {
  return `--accounting ${path} cannot be written (${(thrown as NodeJS.ErrnoException).code}).`;
}
