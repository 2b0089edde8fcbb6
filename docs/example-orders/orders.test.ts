import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isWhole } from "@toolcontract/case-table/whole";
import { POSTGRES_URL, WHY_NO_POSTGRES, newPrefix } from "@toolcontract/postgres-server";
import { createTables, createTablesSql, postgresLedger } from "@toolcontract/stores/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOrders } from "./orders.ts";

const PROGRAM = fileURLToPath(new URL("order-process.ts", import.meta.url));
const STATEMENTS = 6;
// Node from 22.18 on runs the sources as they are.
const isSkipped = WHY_NO_POSTGRES !== undefined || process.features.typescript !== "strip";

// The gate of the tests says once that there is no server.
describe.skipIf(isSkipped)("an order and its payment", () => {
  const schema = newPrefix();
  const prefix = `${schema}.shop_`;
  const pool = new Pool({ connectionString: POSTGRES_URL });
  beforeAll(async () => {
    await pool.query(`CREATE SCHEMA ${schema}`);
    await createTables(pool, { prefix });
    await pool.query(
      `CREATE TABLE ${prefix}orders (buyer text NOT NULL, item text NOT NULL, price numeric NOT NULL)`,
    );
  });
  afterAll(async () => {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.end();
  });

  /** Orders in a process of its own; returns what it printed, nothing if it was killed. */
  const orderedBy = async (user: string, ...end: string[]): Promise<string> =>
    new Promise((resolve) => {
      const args = [PROGRAM, POSTGRES_URL, prefix, user, ...end];
      execFile(process.execPath, args, (_error, stdout) => resolve(stdout));
    });

  async function booksOf(user: string) {
    const { rows } = await pool.query(
      `SELECT coalesce(sum(price), 0)::float8 AS ordered FROM ${prefix}orders WHERE buyer = $1`,
      [user],
    );
    const account = JSON.stringify(["budget", "ever", "user", user]);
    return {
      ...(rows[0] as object),
      ...(await postgresLedger(pool, { prefix }).totals({ account })),
    };
  }

  const NOTHING = { ordered: 0, spent: 0, reserved: 0, inDoubt: 0 };
  const ORDERED = { ...NOTHING, ordered: 60, spent: 60 };

  test("is ordered once, and paid once", async () => {
    expect(await orderedBy("ana")).toBe(`executed ${STATEMENTS}\n`);
    expect(await booksOf("ana")).toEqual(ORDERED);
    expect(await orderedBy("ana")).toContain("rejected");
    expect(await booksOf("ana")).toEqual(ORDERED);
  });

  const kills = Array.from({ length: STATEMENTS }, (_, index) => [
    { statement: index + 1, when: "before" },
    { statement: index + 1, when: "after" },
  ]).flat();
  // Those after a statement are the ones before the next.
  const everyDay = kills.filter(
    ({ when, statement }) => when === "after" || statement === STATEMENTS,
  );
  test.each(isWhole ? kills : everyDay)(
    "killed $when statement $statement, both are there, or neither, and the next one orders",
    async ({ statement, when }) => {
      const user = `killed ${when} ${statement}`;
      expect(await orderedBy(user, `${statement}`, when)).toBe("");
      const isDone = statement === STATEMENTS && when === "after";
      // A server that reads COMMIT may do it after its client is gone; it never does half.
      await expect.poll(async () => booksOf(user)).toEqual(isDone ? ORDERED : NOTHING);
      if (isDone) return;
      const order = createOrders(pool, prefix);
      const call = { id: "call_2", name: "order", arguments: { item: "lamp", price: 60 } };
      expect((await order(call, user)).status).toBe("executed");
      expect(await booksOf(user)).toEqual(ORDERED);
    },
  );

  test("a tool that fails, and a ledger that fails after it, leave neither", async () => {
    const order = createOrders(pool, prefix);
    const call = { id: "call_3", name: "order", arguments: { item: "a\0b", price: 60 } };
    await order(call, "bo");
    expect(await booksOf("bo")).toEqual(NOTHING);
    const other = `${schema}.other_`;
    await pool.query(createTablesSql({ prefix: other }));
    await pool.query(`CREATE TABLE ${other}orders (buyer text, item text, price numeric)`);
    await pool.query(`DROP FUNCTION ${other}ledger_end`);
    const broken = createOrders(pool, other);
    await expect(broken({ ...call, arguments: { item: "lamp", price: 60 } }, "bo")).rejects.toThrow(
      "The order was not kept",
    );
    const { rows } = await pool.query(`SELECT FROM ${other}orders`);
    expect(rows).toEqual([]);
  });
});
