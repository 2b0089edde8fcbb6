import { ToolContractError } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { describeLedger, describeStore } from "../cases/index.ts";
import { type DurableObjectStorage, durableObjectLedger, durableObjectStore } from "./index.ts";

const sqlite = process.getBuiltinModule("node:sqlite") as typeof import("node:sqlite") | undefined;
type Database = import("node:sqlite").DatabaseSync;

/** A storage of that shape on `node:sqlite`; what workerd forbids throws here, too. `test:packages` runs the cases in workerd. */
function storageOn(database: Database): DurableObjectStorage {
  let depth = 0;
  const savepoint = (sql: string): void => database.exec(`${sql} tx_${depth}`);
  return {
    sql: {
      exec(sql, ...values) {
        if (/^\s*(?:PRAGMA|BEGIN|COMMIT|ROLLBACK|SAVEPOINT)\b/i.test(sql)) {
          throw new Error("not authorized: SQLITE_AUTH");
        }
        if (values.length === 0 && sql.includes(";")) {
          database.exec(sql);
          return { rowsWritten: 0, toArray: () => [] };
        }
        const before = written(database);
        const rows = database.prepare(sql).all(...values);
        return { rowsWritten: written(database) - before, toArray: () => rows };
      },
    },
    transactionSync(work) {
      depth += 1;
      savepoint("SAVEPOINT");
      try {
        const result = work();
        savepoint("RELEASE");
        return result;
      } catch (thrown) {
        savepoint("ROLLBACK TO");
        savepoint("RELEASE");
        throw thrown;
      } finally {
        depth -= 1;
      }
    },
  };
}

function written(database: Database): number {
  return Number(database.prepare("SELECT total_changes() AS changes").get()?.["changes"]);
}

function newDatabase(): Database {
  if (!sqlite) throw new Error("This Node has no node:sqlite.");
  return new sqlite.DatabaseSync(":memory:");
}

// Node 20 has no node:sqlite.
describe.skipIf(sqlite === undefined)("a Durable Object does what every store must do", () => {
  describeStore<Database>(
    {
      place: newDatabase,
      open: (database) => durableObjectStore(storageOn(database)),
      clear: (database) => database.exec("DELETE FROM toolcontract_attempts"),
      poison: (database, value) =>
        database.prepare("UPDATE toolcontract_attempts SET value = ?").run(value),
    },
    test,
  );
  describeLedger<Database>(
    { place: newDatabase, open: (database) => durableObjectLedger(storageOn(database)) },
    test,
  );

  test("a write that fails in the middle leaves nothing of itself", async () => {
    const ledger = durableObjectLedger(storageOn(newDatabase()));
    const claim = { limit: "a", account: "a", amount: 1, max: 100 };
    const entry = { id: "1", state: "reserved", reservedAt: 0, facts: {} } as const;
    // The same account twice is not an entry that a stage would make.
    expect(() => ledger.reserve({ ...entry, claims: [claim, claim] })).toThrow("UNIQUE");
    expect(ledger.open()).toEqual([]);
    expect(ledger.reserve({ ...entry, claims: [claim] })).toEqual([]);
  });
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["a database", { exec: () => undefined, prepare: () => undefined }],
  [
    "the storage of an object without SQLite",
    {
      get sql(): never {
        throw new Error("This Durable Object is not backed by SQLite storage");
      },
      transactionSync: () => undefined,
    },
  ],
])("%s is an error that says which class is", (_, storage) => {
  for (const [name, make] of Object.entries({ durableObjectStore, durableObjectLedger })) {
    expect(() => make(storage as never)).toThrow(
      new ToolContractError(
        `${name}: pass ctx.storage of a Durable Object that is backed by SQLite; its class is in \`new_sqlite_classes\` of a migration in wrangler.jsonc.`,
      ),
    );
  }
});
