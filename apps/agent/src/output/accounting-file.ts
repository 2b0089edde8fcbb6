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
 * @throws RunError if it cannot be written.
 */
export function openAccounting(path: string | undefined): AccountingFile {
  if (path === undefined) return { write: () => undefined };
  const file = open(path);
  return {
    write(entries) {
      writeSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
      closeSync(file);
    },
  };
}

function open(path: string): number {
  try {
    return openSync(path, "a");
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw new RunError("configuration", `--accounting ${path} cannot be written (${code}).`);
  }
}
