import { PGlite } from "@electric-sql/pglite";
import { type AttemptState, ToolContractError } from "@toolcontract/core";
import { createRetryTracker } from "@toolcontract/core/adapter";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tablesOn } from "../testing/postgres-tables.ts";
import { postgresStore } from "./index.ts";

const HOUR = 3_600_000;
const one: AttemptState = { failed: 1, history: [], turnId: "t", turnOutcome: "counted" };

describe("postgresStore", () => {
  let database: PGlite;
  const tables = tablesOn(() => database);
  beforeAll(async () => {
    database = await PGlite.create();
  });
  afterAll(async () => database.close());

  /** Lets all entries be that much older. */
  const age = async (prefix: string, milliseconds: number): Promise<unknown> =>
    database.query(
      `UPDATE ${prefix}attempts SET until = until - $1::float8 * interval '1 millisecond'`,
      [milliseconds],
    );

  test("a valid call of a tool that never failed is one statement, a failure is two", async () => {
    const sent: string[] = [];
    const query = async (sql: string, values: unknown[]) => {
      sent.push(sql.trim().slice(0, 6));
      return database.query(sql, values);
    };
    const prefix = await tables.place();
    const store = postgresStore({ query }, { prefix });
    const tracker = createRetryTracker({ scope: "thread", maxAttempts: 3, store });
    const key = { conversationId: "chat", toolName: "write_file" };
    const failure = { argumentsHash: "", errors: [] };
    // The first write sweeps.
    await tracker.recordFailure({ ...key, toolName: "other" }, { turnId: "1", ...failure });
    expect(sent.splice(0)).toEqual(["WITH r", "INSERT", "SELECT"]);
    await tracker.recordValid(key, { turnId: "2" });
    expect(sent.splice(0)).toEqual(["WITH r"]);
    await tracker.recordFailure(key, { turnId: "3", ...failure });
    await tracker.recordFailure(key, { turnId: "4", ...failure });
    expect(sent).toEqual(["WITH r", "INSERT", "WITH r", "UPDATE"]);
  });

  test("an entry expires an hour after it was last used by the clock of the database, and reading is using", async () => {
    const prefix = await tables.place();
    const store = postgresStore(database, { prefix });
    const times: number[] = [];
    await store.update("a", (_, now = Number.NaN) => {
      times.push(now);
      return one;
    });
    expect(Math.abs((times[0] ?? 0) - Date.now())).toBeLessThan(HOUR);
    for (let hour = 0; hour < 3; hour += 1) {
      await age(prefix, HOUR - 60_000);
      expect(await store.get("a")).toEqual(one);
    }
    await age(prefix, HOUR);
    expect(await store.get("a")).toBeUndefined();
    expect(await store.update("a", () => one)).toEqual({ before: undefined, after: one });
    expect(await store.get("a")).toEqual(one);
  });

  test("what has expired is removed when another process writes", async () => {
    const prefix = await tables.place();
    for (const key of ["a", "b", "c"]) {
      await postgresStore(database, { prefix }).update(key, () => one);
      await age(prefix, 2 * HOUR);
    }
    const { rows } = await database.query(`SELECT count(*)::int AS rows FROM ${prefix}attempts`);
    expect(rows).toEqual([{ rows: 1 }]);
  });

  test("what a state holds comes back as it was", async () => {
    const store = postgresStore(database, { prefix: await tables.place() });
    const state = { ...one, turnId: "\0 \uD800 '\"\\ é\u2028" };
    await store.update("\0'\uD800", () => state);
    expect(await store.get("\0'\uD800")).toEqual(state);
  });

  test("a client that fails is the store's failure", async () => {
    const query = async () => Promise.reject(new Error("Connection terminated"));
    await expect(postgresStore({ query }).get("a")).rejects.toThrow("Connection terminated");
  });

  test.each([[[]], [[{ value: 7, now: 1 }]], [[{ value: null, now: "soon" }]]])(
    "an answer %j is not taken for a state",
    async (answer) => {
      const store = postgresStore({ query: async () => answer });
      await expect(store.get("a")).rejects.toThrow("A read must reply with");
    },
  );

  test.each([
    [{ idleTime: 0 }, "`idleTime` must be a whole number of milliseconds, at least 1."],
    [{ prefix: "a b" }, "`prefix` must be letters"],
  ])("options %j are an error at once", (options, message) => {
    expect(() => postgresStore(database, options)).toThrow(message);
    expect(() => postgresStore(database, options)).toThrow(ToolContractError);
  });
});
