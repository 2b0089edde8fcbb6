import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  Outcome,
  type SqliteDatabase,
  createGuardrails,
  currentAttempt,
  sqliteStore,
} from "../index.ts";
import { endOf, idle, loopOf } from "../testing/index.ts";
import { savepointsOf, tryToBegin } from "./sqlite-savepoint.ts";

const sqlite = process.getBuiltinModule("node:sqlite") as typeof import("node:sqlite") | undefined;

type Pay = readonly [amount: number, isGood?: boolean];

/** A loop of its own on a database: a budget of 100 for all. */
function shop(database: SqliteDatabase, options: object = {}) {
  const guardrails = createGuardrails({
    store: sqliteStore(database),
    effects: { pay: "state", mail: "irreversible" },
    guardrails: [
      {
        name: "budget",
        needs: "state",
        check: ({ state, args }) => spentIn(state) + args.amount > 100 && "too much",
      },
    ],
    ...options,
  });
  const { call } = loopOf(guardrails);
  return async (tool: string, [amount, isGood = true]: Pay): Promise<string> => {
    const execute = async (): Promise<unknown> => {
      const { state } = currentAttempt<SqliteDatabase>();
      state.prepare("UPDATE budget SET spent = spent + ?").run(amount);
      await idle();
      return isGood ? "paid" : Outcome.error("bounced", "it bounced", { retriable: true });
    };
    return endOf(await call(tool, execute, { amount }));
  };
}

function spentIn(database: Pick<SqliteDatabase, "prepare">): number {
  return (database.prepare("SELECT spent FROM budget").get() as { spent: number }).spent;
}

// Node 20 has no node:sqlite.
describe.skipIf(sqlite === undefined)("a database that several stores share", () => {
  let folder = "";
  const open = (): SqliteDatabase & { close(): void } =>
    new (sqlite as NonNullable<typeof sqlite>).DatabaseSync(join(folder, "shop.db"));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "toolcontract-sqlite-"));
    const database = open();
    database.exec("CREATE TABLE budget (spent INTEGER); INSERT INTO budget VALUES (0)");
    database.close();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("on one connection: a refused call and a good one undo their own changes alone", async () => {
    const database = open();
    const [left, right] = [shop(database), shop(database)];
    const ends = await Promise.all([left("pay", [50, false]), right("pay", [1])]);
    expect(ends).toEqual(["rejected outcome 1/2", "paid"]);
    expect(spentIn(database)).toBe(1);
    database.close();
  });

  test("on one connection: a tool of one joins the attempt of the other", async () => {
    const database = open();
    const other = shop(database);
    const { call } = loopOf(
      createGuardrails({
        store: sqliteStore(database),
        guardrails: [],
        effects: { outer: "state" },
      }),
    );
    const answer = await call("outer", async () => {
      expect(await other("pay", [10])).toBe("paid");
      return Outcome.error("bounced", "it bounced", { retriable: true });
    });
    expect(endOf(answer)).toBe("rejected outcome 1/2");
    expect(spentIn(database)).toBe(0);
    database.close();
  });

  test.each(["pay", "mail"])(
    "on two connections: what a guardrail read is true when '%s' commits",
    async (tool) => {
      const [a, b] = [open(), open()];
      const ends = await Promise.all([shop(a)(tool, [80]), shop(b)(tool, [80])]);
      expect(ends.toSorted()).toEqual(["paid", "rejected guardrail 1/3"]);
      expect(spentIn(a)).toBe(80);
      for (const database of [a, b]) database.close();
    },
  );

  test("a connection that another process keeps is waited for, until the time is over", async () => {
    const [own, other] = [open(), open()];
    other.exec("BEGIN IMMEDIATE");
    const pay = shop(own, { timeLimits: { store: 20 } });
    expect(await pay("pay", [10])).toBe("blocked outcome 1/2 dependency_unavailable");
    other.exec("ROLLBACK");
    expect(await shop(own)("pay", [10])).toBe("paid");
    for (const database of [own, other]) database.close();
  });

  test("a constraint that is checked at the commit leaves nothing behind", async () => {
    const database = open();
    database.exec(
      "PRAGMA foreign_keys = ON; CREATE TABLE sku (id TEXT PRIMARY KEY); CREATE TABLE line (sku TEXT REFERENCES sku DEFERRABLE INITIALLY DEFERRED)",
    );
    const guardrails = createGuardrails<SqliteDatabase>({
      store: sqliteStore(database),
      effects: { add: "state" },
      guardrails: [
        { name: "g", needs: "state", check: ({ state }) => spentIn(state) > 900 && "no" },
      ],
    });
    const { call } = loopOf(guardrails);
    const add = (): void =>
      currentAttempt<SqliteDatabase>().state.exec("INSERT INTO line VALUES ('none')");
    expect(endOf(await call("add", add))).toBe("blocked outcome 1/2 state_not_committed");
    expect(database.prepare("SELECT count(*) AS n FROM line").get()).toEqual({ n: 0 });
    expect(await shop(database)("pay", [10])).toBe("paid");
    database.close();
  });
});

test.each<readonly [string, object, boolean]>([
  ["node:sqlite", { errcode: 5 }, true],
  ["node:sqlite, after a crash", { errcode: 261 }, true],
  ["better-sqlite3", { code: "SQLITE_BUSY_SNAPSHOT" }, true],
  ["node:sqlite, for another reason", { errcode: 11 }, false],
  ["better-sqlite3, for another reason", { code: "SQLITE_CORRUPT" }, false],
  ["a driver with other codes", { code: 5 }, false],
  ["a driver without codes", {}, false],
])(
  "a transaction that cannot begin is tried again if the database is busy: %s",
  (_, members, isBusy) => {
    const thrown = Object.assign(new Error("it failed"), members);
    const exec = (): never => {
      throw thrown;
    };
    const begun = (): unknown => {
      try {
        return tryToBegin(savepointsOf({ exec } as unknown as SqliteDatabase));
      } catch (error) {
        return error;
      }
    };
    expect(begun()).toBe(isBusy ? false : thrown);
  },
);
