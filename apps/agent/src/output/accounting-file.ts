import { closeSync, openSync, writeSync } from "node:fs";
import { type AccountingEntry, RunError } from "@toolcontract/session";
import { visibleJson } from "@toolcontract/core/adapter";

/** Errors of tools hold names and values: a new file is its owner's alone. */
const OWNERS = 0o600;

/** A file of JSON lines, one for each request and each execution of a tool. */
export interface AccountingFile {
  /** Appends an entry at once, so that the end of the process loses none. */
  append(entry: AccountingEntry): void;
  /** Appends what was not appended yet, and closes the file. */
  close(entries: readonly AccountingEntry[]): void;
}

/** What the file needs of the output. */
interface AccountingOptions {
  readonly warn: (line: string) => void;
  /** Takes secrets out of an entry. */
  readonly hide: (entry: AccountingEntry) => AccountingEntry;
}

/**
 * Opens the file before anything is paid for.
 *
 * @throws RunError if it cannot be opened.
 */
export function openAccounting(
  path: string | undefined,
  { warn, hide }: AccountingOptions,
): AccountingFile {
  if (path === undefined) return { append: () => undefined, close: () => undefined };
  let file: number;
  try {
    file = openSync(path, "a", OWNERS);
  } catch (thrown) {
    throw new RunError("configuration", failure(path, thrown));
  }
  const appended = new WeakSet<AccountingEntry>();
  const append = (entry: AccountingEntry): void => {
    if (appended.has(entry)) return;
    appended.add(entry);
    try {
      writeSync(file, `${visibleJson(hide(entry))}\n`);
    } catch (thrown) {
      // A full disk must not lose the report.
      warn(failure(path, thrown));
    }
  };
  return {
    append,
    close(entries) {
      entries.forEach(append);
      closeSync(file);
    },
  };
}

function failure(path: string, thrown: unknown): string {
  return `--accounting ${path} cannot be written (${(thrown as NodeJS.ErrnoException).code}).`;
}
