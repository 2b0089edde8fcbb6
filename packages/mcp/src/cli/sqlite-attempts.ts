import { closeSync, openSync } from "node:fs";
import { sqliteAttempts } from "@toolcontract/stores/sqlite";
import { UsageError } from "./failure.ts";
import type { OpenStore } from "./open-store.ts";

/**
 * Opens a store in a file of SQLite, which the processes of one machine share.
 *
 * @throws UsageError if Node is older than 22.5, or the file cannot be opened or is not a database.
 */
export function openSqlite(file: string, idleTime: number): OpenStore {
  // Not an import: bundlers and older versions of Node do not know it.
  const sqlite = process.getBuiltinModule?.("node:sqlite") as
    | typeof import("node:sqlite")
    | undefined;
  if (sqlite === undefined) {
    throw new UsageError("--store <file> needs Node 22.5 or later; --store redis://… does not");
  }
  try {
    createPrivately(file);
    const database = new sqlite.DatabaseSync(file);
    return { store: sqliteAttempts(database, { idleTime }), close: () => database.close() };
  } catch (thrown) {
    const { errstr = "unknown reason" } = Object(thrown) as { readonly errstr?: string };
    throw new UsageError(
      `--store ${file} cannot be opened as a database (${errstr}): choose a file of its own in a folder that exists and is writable`,
    );
  }
}

/** A new file is its owner's alone, since names of tools and arguments' places are private; SQLite gives those beside it the same mode. */
function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch {
    // It is there, or SQLite says what is wrong with it.
  }
}
