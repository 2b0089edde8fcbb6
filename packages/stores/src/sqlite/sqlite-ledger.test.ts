import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolContractError } from "@toolcontract/core";
import { afterAll, describe, expect, test } from "vitest";
import { describeLedger } from "../cases/index.ts";
import { spendInProcess } from "../testing/run-process.ts";
import { sqliteLedger } from "./index.ts";

const sqlite = process.getBuiltinModule("node:sqlite") as typeof import("node:sqlite") | undefined;
const folder = mkdtempSync(join(tmpdir(), "toolcontract-ledger-"));
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

test("what is not an open database is an error that says which Node has one", () => {
  const message =
    'sqliteLedger: pass an open database, such as new DatabaseSync("ledger.db") of node:sqlite, which Node has from 22.5 on.';
  for (const database of [undefined, null, "ledger.db", {}, { prepare: () => undefined }]) {
    expect(() => sqliteLedger(database as never)).toThrow(new ToolContractError(message));
  }
});

// Node 20 has no node:sqlite.
describe.skipIf(sqlite === undefined)("sqliteLedger", () => {
  describeLedger<string>(
    {
      place: newFile,
      open: (file) => sqliteLedger(open(file)),
      fork: async (file, job) => spendInProcess({ file }, job),
    },
    test,
  );

  test("what stops to count leaves the file", () => {
    const database = open(newFile());
    const ledger = sqliteLedger(database);
    const DAY = 86_400_000;
    for (let now = 1_000 * DAY; now < 1_010 * DAY; now += DAY / 2) {
      const claim = { limit: "a", account: "a", amount: 1, max: 100, after: now - 5 };
      const entry = {
        id: `${now}`,
        claims: [claim],
        state: "reserved",
        reservedAt: now,
        facts: {},
      };
      void ledger.reserve(entry as never);
      void ledger.end(entry, { state: now % DAY === 0 ? "spent" : "in-doubt", at: now });
    }
    const rows = (table: string): unknown =>
      database.prepare(`SELECT count(*) AS rows FROM toolcontract_ledger_${table}`).get();
    expect([rows("spent"), rows("claims"), rows("entries")]).toEqual([
      { rows: 2 },
      { rows: 2 },
      { rows: 2 },
    ]);
  });

  test("what is reserved has reached the disk, and it waits for other processes", () => {
    const database = open(newFile());
    const ledger = sqliteLedger(database);
    const settingOf = (name: string): unknown =>
      Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(["busy_timeout", "journal_mode"].map(settingOf)).toEqual([5_000, "wal"]);
    const entry = { id: "1", claims: [], state: "reserved", reservedAt: 0, facts: {} } as const;
    void ledger.reserve(entry);
    // FULL, as SQLite numbers it.
    expect(settingOf("synchronous")).toBe(2);
    sqliteLedger(database, { busyTimeout: 7 });
    expect(settingOf("busy_timeout")).toBe(7);
  });

  test("a write that fails in the middle leaves nothing of itself", () => {
    const database = open(newFile());
    const ledger = sqliteLedger(database);
    const claim = { limit: "a", account: "a", amount: 1, max: 100 };
    const entry = { id: "1", state: "reserved", reservedAt: 0, facts: {} } as const;
    // The same account twice is not an entry that a stage would make.
    expect(() => ledger.reserve({ ...entry, claims: [claim, claim] })).toThrow("UNIQUE");
    expect(ledger.open()).toEqual([]);
    expect(ledger.reserve({ ...entry, claims: [claim] })).toEqual([]);
    expect(ledger.open()).toHaveLength(1);
  });

  test("a transaction that is open on its connection is an error, because it would undo the ledger", () => {
    const database = open(newFile());
    const ledger = sqliteLedger(database);
    database.exec("BEGIN");
    expect(() => ledger.end({ id: "1", claims: [] }, { state: "not-done" })).toThrow(
      "Pass a connection of its own",
    );
  });

  test("another process that writes is waited for, and then it is an error of the database", () => {
    const file = newFile();
    const ledger = sqliteLedger(open(file), { busyTimeout: 0 });
    open(file).exec("BEGIN IMMEDIATE");
    const entry = { id: "1", claims: [], state: "reserved", reservedAt: 0, facts: {} } as const;
    expect(() => ledger.reserve(entry)).toThrow("locked");
  });

  test.each([[-1], [1.5], [Number.NaN]])(
    "a busyTimeout of %s is an error at once",
    (busyTimeout) => {
      expect(() => sqliteLedger(open(newFile()), { busyTimeout })).toThrow(
        new ToolContractError(
          "sqliteLedger: `busyTimeout` must be a whole number of milliseconds.",
        ),
      );
    },
  );

  test("a database that is closed is an error at once", () => {
    const database = open(":memory:");
    closing.pop();
    database.close();
    expect(() => sqliteLedger(database)).toThrow("cannot keep a ledger: database is not open");
  });
});
