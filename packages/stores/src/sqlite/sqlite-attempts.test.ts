import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AttemptState, ToolContractError } from "@toolcontract/core";
import { afterAll, describe, expect, test } from "vitest";
import { describeStore } from "../cases/index.ts";
import { countInProcess } from "../testing/run-process.ts";
import { sqliteAttempts } from "./index.ts";

const sqlite = process.getBuiltinModule("node:sqlite") as typeof import("node:sqlite") | undefined;
const one: AttemptState = { failed: 1, history: [], turnId: "t", turnOutcome: "counted" };
const folder = mkdtempSync(join(tmpdir(), "toolcontract-attempts-"));
const closing: (() => void)[] = [];

afterAll(() => {
  for (const close of closing) close();
  rmSync(folder, { recursive: true });
});

let files = 0;
function newFile(): string {
  files += 1;
  return join(folder, `${files}.db`);
}

function open(file: string): import("node:sqlite").DatabaseSync {
  if (!sqlite) throw new Error("This Node has no node:sqlite.");
  const database = new sqlite.DatabaseSync(file);
  closing.push(() => database.close());
  return database;
}

function closed(): import("node:sqlite").DatabaseSync {
  const database = open(":memory:");
  closing.pop();
  database.close();
  return database;
}

function foreignFile(): string {
  const file = newFile();
  writeFileSync(file, "not a database\n".repeat(500));
  return file;
}

function readOnly(): import("node:sqlite").DatabaseSync {
  const file = newFile();
  open(file).exec("CREATE TABLE other (id)");
  if (!sqlite) throw new Error("This Node has no node:sqlite.");
  const database = new sqlite.DatabaseSync(file, { readOnly: true });
  closing.push(() => database.close());
  return database;
}

test("what is not an open database is an error that says which Node has one", () => {
  const message =
    'sqliteAttempts: pass an open database, such as new DatabaseSync("attempts.db") of node:sqlite, which Node has from 22.5 on.';
  for (const database of [undefined, null, "attempts.db", {}, { prepare: () => undefined }]) {
    expect(() => sqliteAttempts(database as never)).toThrow(new ToolContractError(message));
  }
});

// Node 20 has no node:sqlite.
describe.skipIf(sqlite === undefined)("sqliteAttempts", () => {
  describeStore<string>(
    {
      place: newFile,
      open: (file) => sqliteAttempts(open(file)),
      clear: (file) => open(file).exec("DELETE FROM toolcontract_attempts"),
      poison: (file, value) =>
        open(file).prepare("UPDATE toolcontract_attempts SET value = ?").run(value),
      fork: async (file, job) => countInProcess({ file }, job),
    },
    test,
  );

  const HOUR = 3_600_000;

  test("an entry expires an hour after it was last used, and reading is using", () => {
    let now = 1e12;
    const store = sqliteAttempts(open(newFile()), { clock: () => now });
    store.update("a", () => one);
    for (let hour = 0; hour < 5; hour += 1) {
      now += HOUR - 1;
      expect(store.get("a")).toEqual(one);
    }
    now += HOUR;
    expect(store.get("a")).toBeUndefined();
    expect(store.update("a", () => one)).toEqual({ before: undefined, after: one });
    expect(store.get("a")).toEqual(one);
  });

  test("what has expired is removed, at most once a minute, when something is written", () => {
    let now = 1e12;
    const database = open(newFile());
    const store = sqliteAttempts(database, { clock: () => now, idleTime: 1_000 });
    const rows = (): unknown =>
      database.prepare("SELECT count(*) AS rows FROM toolcontract_attempts").get();
    for (let index = 0; index < 100; index += 1) store.update(`${index}`, () => one);
    expect(rows()).toEqual({ rows: 100 });
    now += 2_000;
    store.update("later", () => one);
    expect(rows()).toEqual({ rows: 101 });
    now += 60_000;
    store.update("much later", () => one);
    expect(rows()).toEqual({ rows: 1 });
  });

  test("a tool that never fails only reads", () => {
    const database = open(newFile());
    const store = sqliteAttempts(database);
    const changes = (): unknown => database.prepare("SELECT total_changes() AS changes").get();
    const before = changes();
    for (let call = 0; call < 10; call += 1) store.update("a", (state) => state);
    expect(changes()).toEqual(before);
    store.update("a", () => one);
    const written = changes();
    for (let call = 0; call < 10; call += 1) store.get("a");
    expect(changes()).toEqual(written);
  });

  test("it waits for other processes, and survives a power cut", () => {
    const database = open(newFile());
    sqliteAttempts(database);
    const settingOf = (name: string): unknown =>
      Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(["busy_timeout", "journal_mode", "synchronous"].map(settingOf)).toEqual([
      1_000,
      "wal",
      1,
    ]);
    sqliteAttempts(database, { busyTimeout: 7 });
    expect(settingOf("busy_timeout")).toBe(7);
  });

  test.each<[string, () => import("node:sqlite").DatabaseSync, string]>([
    ["is closed", () => closed(), "database is not open"],
    ["is not a SQLite file", () => open(foreignFile()), "file is not a database"],
    ["is read-only", () => readOnly(), "attempt to write a readonly database"],
  ])("a database that %s is an error at once", (_, database, reason) => {
    expect(() => sqliteAttempts(database())).toThrow(
      new ToolContractError(
        `sqliteAttempts: the database cannot keep attempts: ${reason}. Pass one that is open, of SQLite and writable.`,
      ),
    );
  });

  test("keeps attempts in memory as well", () => {
    const store = sqliteAttempts(open(":memory:"));
    store.update("a", () => one);
    expect(store.get("a")).toEqual(one);
  });

  test("a read needs no lock, even if it is time to renew the entry", () => {
    const file = newFile();
    let now = 1e12;
    const store = sqliteAttempts(open(file), { clock: () => now, busyTimeout: 0 });
    store.update("a", () => one);
    open(file).exec("BEGIN IMMEDIATE");
    now += HOUR / 2;
    expect(store.get("a")).toEqual(one);
    expect(() => store.update("a", () => ({ ...one, failed: 2 }))).toThrow("locked");
  });

  test("what was written is reported as written, even if nothing can be swept then", () => {
    const database = open(newFile());
    const store = sqliteAttempts({
      exec: (sql) => database.exec(sql),
      prepare: (sql) =>
        sql.includes("LIMIT")
          ? {
              get: () => undefined,
              run: () => {
                throw new Error("database is locked");
              },
            }
          : database.prepare(sql),
    });
    expect(store.update("a", () => one)).toEqual({ before: undefined, after: one });
    expect(store.get("a")).toEqual(one);
  });

  test("a busyTimeout that is not a time is an error at once", () => {
    expect(() => sqliteAttempts(open(newFile()), { busyTimeout: -1 })).toThrow(
      new ToolContractError(
        "sqliteAttempts: `busyTimeout` must be a whole number of milliseconds.",
      ),
    );
  });
});
