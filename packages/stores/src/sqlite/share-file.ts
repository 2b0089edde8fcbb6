import type { AttemptsDatabase } from "../tables/index.ts";

const PAUSE_MS = 5;
/** SQLITE_BUSY, also with an extended code. */
const BUSY = 5;

/**
 * Makes a connection wait for those of other processes, and turns WAL mode on. Processes that turn it on in a new file at once are
 * refused without waiting, since each waits for the other; so this tries again until `busyTimeout` is over.
 */
export function shareFile(database: Pick<AttemptsDatabase, "exec">, busyTimeout: number): void {
  database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  const until = performance.now() + busyTimeout;
  for (;;) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (thrown) {
      if (!isBusy(thrown) || performance.now() >= until) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

/** Reads the error of node:sqlite, or of better-sqlite3. */
function isBusy(thrown: unknown): boolean {
  const { errcode, code } = Object(thrown) as {
    readonly errcode?: unknown;
    readonly code?: unknown;
  };
  if (typeof errcode === "number") return errcode % 256 === BUSY;
  return typeof code === "string" && code.startsWith("SQLITE_BUSY");
}
