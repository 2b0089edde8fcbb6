import { ToolContractError } from "@toolcontract/core";
import { beforeEach, describe, expect, test } from "vitest";
import type { Staged, StateStore } from "../shared/index.ts";
import type { SqliteDatabase } from "./sqlite-handles.ts";
import { sqliteStore } from "./sqlite-store.ts";

const sqlite = process.getBuiltinModule("node:sqlite") as typeof import("node:sqlite") | undefined;

test("sqliteStore refuses what is not a database", () => {
  const act = () => sqliteStore("shop.db" as unknown as SqliteDatabase);
  expect(act).toThrow(ToolContractError);
  expect(act).toThrow(/^sqliteStore: pass an open database, such as new DatabaseSync/);
});

// Node 20 has no node:sqlite.
describe.skipIf(sqlite === undefined)("sqliteStore", () => {
  let store: StateStore<SqliteDatabase>;
  let database: SqliteDatabase;

  beforeEach(() => {
    if (sqlite === undefined) return;
    database = new sqlite.DatabaseSync(":memory:");
    database.exec("PRAGMA foreign_keys = ON");
    database.exec(
      "CREATE TABLE stock (sku TEXT PRIMARY KEY, qty INTEGER); INSERT INTO stock VALUES ('A1', 5)",
    );
    database.exec(
      "CREATE TABLE line (sku TEXT REFERENCES stock (sku) DEFERRABLE INITIALLY DEFERRED)",
    );
    store = sqliteStore(database);
  });

  const add = ({ state }: Staged<SqliteDatabase>, sku: string): void => {
    state.prepare("INSERT INTO stock VALUES (?, 1)").run(sku);
  };
  const skus = (of: Pick<SqliteDatabase, "prepare">): unknown =>
    of
      .prepare("SELECT sku FROM stock ORDER BY sku")
      .all()
      .map((row) => (row as { sku: string }).sku);

  function expectMisuse(act: () => unknown, words: RegExp): void {
    expect(act).toThrow(ToolContractError);
    expect(act).toThrow(words);
  }

  test("is one part", () => {
    expect(store.slots).toBeUndefined();
  });

  test("what is rolled back was never there", async () => {
    const stage = store.begin();
    add(stage, "B2");
    stage.state.exec("DELETE FROM stock WHERE sku = 'A1'; CREATE TABLE more (a)");
    expect(skus(stage.state)).toEqual(["B2"]);
    expect(stage.touched()).toEqual(["database"]);
    await stage.rollback();
    await stage.rollback();
    expect(skus(store.state)).toEqual(["A1"]);
    expect(() => store.state.prepare("SELECT * FROM more")).toThrow(/no such table/);
  });

  test("what is committed stays", async () => {
    const stage = store.begin();
    add(stage, "B2");
    expect(skus(stage.seal())).toEqual(["A1", "B2"]);
    await stage.commit();
    await stage.rollback();
    expect(skus(store.state)).toEqual(["A1", "B2"]);
    await expect(async () => stage.commit()).rejects.toThrow(/the attempt is closed/);
  });

  test("a transaction of the program's own goes on, and can still be rolled back", async () => {
    database.exec("BEGIN");
    const release = await store.hold?.(new AbortController().signal);
    const stage = store.begin();
    add(stage, "B2");
    await stage.commit();
    release?.();
    expect(database.isTransaction).toBe(true);
    database.exec("ROLLBACK");
    expect(skus(store.state)).toEqual(["A1"]);
  });

  test("a view prepares nothing once its attempt is over", async () => {
    const stage = store.begin();
    add(stage, "B2");
    const view = stage.seal();
    expect(stage.seal()).toBe(view);
    await stage.commit();
    expectMisuse(() => view.prepare("SELECT 1"), /the attempt is closed/);
  });

  test("an attempt that uses nothing begins nothing", async () => {
    const stage = store.begin();
    expect(stage.touched()).toEqual([]);
    expect(skus(store.state)).toEqual(["A1"]);
    const view = stage.seal();
    expect(skus(view)).toEqual(["A1"]);
    await stage.commit();
    add(store.begin(), "B2");
    expectMisuse(() => skus(view), /another attempt is under way/);
  });

  test("named and several parameters", () => {
    const { state } = store.begin();
    state.prepare("INSERT INTO stock VALUES ($sku, $qty)").run({ sku: "B2", qty: 7n });
    expect(state.prepare("SELECT qty FROM stock WHERE sku = ? AND qty > ?").get("B2", 1)).toEqual({
      qty: 7,
    });
  });

  test("store.state never shows what is staged: it refuses meanwhile", async () => {
    const earlier = store.state.prepare("SELECT count(*) AS n FROM stock");
    const stage = store.begin();
    add(stage, "B2");
    expectMisuse(
      () => skus(store.state),
      /store\.state cannot be read while an attempt has staged something/,
    );
    expectMisuse(() => earlier.get(), /cannot be read while/);
    stage.seal();
    expectMisuse(() => earlier.get(), /cannot be read while/);
    await stage.commit();
    expect(earlier.get()).toEqual({ n: 2 });
  });

  const WRITES: readonly (readonly [string, (view: SqliteDatabase) => unknown])[] = [
    ["exec", (view) => view.exec("DELETE FROM stock")],
    ["run", (view) => view.prepare("DELETE FROM stock").run()],
    [
      "get of a statement that writes",
      (view) => view.prepare("DELETE FROM stock RETURNING sku").get(),
    ],
    [
      "all of a statement that writes",
      (view) => view.prepare("INSERT INTO stock VALUES ('X', 1) RETURNING sku").all(),
    ],
  ];

  test.each(WRITES)("a view only reads: %s", async (_name, write) => {
    expect(() => write(store.state)).toThrow(/read-?only/);
    const stage = store.begin();
    add(stage, "B2");
    const view = stage.seal();
    expect(() => write(view)).toThrow(/read-?only/);
    expect(skus(view)).toEqual(["A1", "B2"]);
    await stage.rollback();
    add(store.begin(), "C3");
  });

  test("a view leaves the connection as it was", () => {
    database.exec("PRAGMA query_only = 1");
    expect(skus(store.state)).toEqual(["A1"]);
    expect(() => database.exec("DELETE FROM stock")).toThrow(/readonly/);
  });

  test.each([
    ["sealed", (stage: Staged<SqliteDatabase>) => stage.seal()],
    ["committed", (stage: Staged<SqliteDatabase>) => stage.commit()],
    ["rolled back", (stage: Staged<SqliteDatabase>) => stage.rollback()],
  ])(
    "an attempt that was %s is refused everything, statements of before as well",
    async (_name, end) => {
      const stage = store.begin();
      const { state } = stage;
      const insert = state.prepare("INSERT INTO stock VALUES (?, 1)");
      const select = state.prepare("SELECT * FROM stock");
      await end(stage);
      expectMisuse(() => insert.run("late"), /the attempt is closed/);
      expectMisuse(() => select.all(), /the attempt is closed/);
      expectMisuse(() => select.get(), /the attempt is closed/);
      expectMisuse(() => state.exec("DELETE FROM stock"), /the attempt is closed/);
      expectMisuse(() => state.prepare("SELECT 1"), /the attempt is closed/);
      await stage.rollback();
      expect(skus(store.state)).toEqual(["A1"]);
    },
  );

  test("a view of an attempt ends with it", async () => {
    const stage = store.begin();
    add(stage, "B2");
    const view = stage.seal();
    await stage.rollback();
    expectMisuse(() => skus(view), /the attempt is closed/);
  });

  describe("an attempt inside another", () => {
    test("is undone with it", async () => {
      const outer = store.begin();
      const inner = store.begin(outer);
      add(inner, "B2");
      await inner.commit();
      expect(skus(outer.state)).toEqual(["A1", "B2"]);
      await outer.rollback();
      expect(skus(store.state)).toEqual(["A1"]);
    });

    test("is undone alone", async () => {
      const outer = store.begin();
      add(outer, "B2");
      const inner = store.begin(outer);
      expect(skus(inner.state)).toEqual(["A1", "B2"]);
      add(inner, "C3");
      await inner.rollback();
      await outer.commit();
      expect(skus(store.state)).toEqual(["A1", "B2"]);
    });

    test("that has staged nothing shows what the outer one has, as long as that is there", async () => {
      const outer = store.begin();
      add(outer, "B2");
      const probe = store.begin(outer);
      const view = probe.seal();
      await probe.rollback();
      expect(skus(view)).toEqual(["A1", "B2"]);
      await outer.rollback();
      expectMisuse(() => skus(view), /the attempt is closed/);
    });

    test("keeps the outer one waiting", async () => {
      const outer = store.begin();
      const inner = store.begin(outer);
      add(inner, "B2");
      expectMisuse(() => add(outer, "C3"), /another attempt is under way/);
      await inner.commit();
      add(outer, "C3");
      await outer.commit();
      expect(skus(store.state)).toEqual(["A1", "B2", "C3"]);
    });

    test.each([
      ["sealed", "commit", ["A1", "B2"]],
      ["rolled back", "rollback", ["A1"]],
    ] as const)("left open, is rolled back when the outer one is %s", async (_, end, left) => {
      const outer = store.begin();
      add(outer, "B2");
      const inner = store.begin(outer);
      add(inner, "C3");
      await outer[end]();
      expect(skus(store.state)).toEqual(left);
      expectMisuse(() => add(inner, "D4"), /the attempt is closed/);
      const next = store.begin();
      add(next, "E5");
      await next.commit();
      expect(skus(store.state)).toEqual([...left, "E5"]);
    });

    test("cannot begin when the outer one is over", async () => {
      const outer = store.begin();
      const inner = store.begin(outer);
      await outer.commit();
      expectMisuse(() => add(inner, "B2"), /the attempt is closed/);
    });
  });

  test("two attempts cannot overlap", async () => {
    const [one, two] = [store.begin(), store.begin()];
    add(one, "B2");
    expectMisuse(() => add(two, "C3"), /another attempt is under way on this connection/);
    await two.rollback();
    await one.commit();
    expect(skus(store.state)).toEqual(["A1", "B2"]);
  });

  test("a commit that the database refuses can be rolled back", async () => {
    const stage = store.begin();
    stage.state.exec("INSERT INTO line VALUES ('no such sku')");
    stage.seal();
    await expect(async () => stage.commit()).rejects.toThrow(/FOREIGN KEY/);
    await stage.rollback();
    expect(store.state.prepare("SELECT * FROM line").all()).toEqual([]);
  });

  test.each([
    "COMMIT",
    " begin immediate",
    "-- so\nROLLBACK",
    "/* a */ END",
    "savepoint a",
    "Release a",
  ])("a tool cannot run %j", (sql) => {
    const { state } = store.begin();
    const words = /a tool cannot run [A-Z]+: its attempt is the transaction/;
    expectMisuse(() => state.exec(sql), words);
    expectMisuse(() => state.prepare(sql), words);
  });

  test.each([
    "REPLACE INTO stock VALUES ('D4', 1); COMMIT",
    "DELETE FROM stock; ROLLBACK; BEGIN",
    "REPLACE INTO stock VALUES ('E5', 1); RELEASE toolcontract_1",
    "UPDATE stock SET qty = 0; SAVEPOINT mine",
  ])("a statement that would end the attempt is refused among others: %s", async (sql) => {
    const stage = store.begin();
    add(stage, "C3");
    expectMisuse(() => stage.state.exec(sql), /one of several statements begins or ends/);
    // Words in a text are not statements, and what is authorized for the attempt is for nobody else.
    stage.state.exec("INSERT INTO stock VALUES ('commit', 1); INSERT INTO stock VALUES ('end', 1)");
    await stage.rollback();
    database.exec("BEGIN; COMMIT");
    expect(skus(database)).toEqual(["A1"]);
  });

  test("without an authorizer, a COMMIT among several statements is found at the end", async () => {
    const plain: SqliteDatabase = {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => database.prepare(sql),
    };
    const stage = sqliteStore(plain).begin();
    stage.state.exec("INSERT INTO stock VALUES ('B2', 1); COMMIT");
    await expect(async () => stage.rollback()).rejects.toThrow(
      /the transaction ended inside the attempt/,
    );
    add(store.begin(), "C3");
  });

  test("with no locks there is no database", () => {
    const { state } = store.begin(undefined, []);
    expectMisuse(
      () => state.prepare("SELECT 1"),
      /the tool used the database, but its locks are \[\]/,
    );
  });

  test("the outer attempt must be of the same database", () => {
    const other = sqliteStore(
      new (sqlite as NonNullable<typeof sqlite>).DatabaseSync(":memory:"),
    ).begin();
    expectMisuse(() => store.begin(other), /the parent must be an attempt of the same store/);
  });
});
