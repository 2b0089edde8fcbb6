import { describe, expect, test } from "vitest";
import { shareFile } from "./share-file.ts";

/** A database that refuses WAL mode some times, as SQLite does while another process turns it on. */
function busyDatabase(refusals: number, error: object) {
  const asked: string[] = [];
  return {
    asked,
    exec(sql: string) {
      asked.push(sql);
      const isRefused = sql.includes("journal_mode") && asked.length <= refusals + 1;
      if (isRefused) throw Object.assign(new Error("refused"), error);
    },
  };
}

const WAL = "PRAGMA journal_mode = WAL";

describe("a file that processes open at once", () => {
  test.each<[what: string, error: object]>([
    ["busy for node:sqlite", { code: "ERR_SQLITE_ERROR", errcode: 5 }],
    ["busy with its recovery", { code: "ERR_SQLITE_ERROR", errcode: 261 }],
    ["busy for better-sqlite3", { code: "SQLITE_BUSY" }],
    ["busy with its recovery for better-sqlite3", { code: "SQLITE_BUSY_RECOVERY" }],
  ])("is asked again while it is %s", (_, error) => {
    const database = busyDatabase(2, error);
    shareFile(database, 60_000);
    expect(database.asked).toEqual(["PRAGMA busy_timeout = 60000", WAL, WAL, WAL]);
  });

  test.each<[what: string, error: object, busyTimeout: number]>([
    ["another error", { code: "ERR_SQLITE_ERROR", errcode: 26 }, 60_000],
    ["another error of better-sqlite3", { code: "SQLITE_NOTADB" }, 60_000],
    ["an error without a code", {}, 60_000],
    ["no time left", { errcode: 5 }, 0],
  ])("is not asked again with %s", (_, error, busyTimeout) => {
    const database = busyDatabase(1, error);
    expect(() => shareFile(database, busyTimeout)).toThrow("refused");
    expect(database.asked).toHaveLength(2);
  });
});
