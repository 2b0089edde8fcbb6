import { PGlite } from "@electric-sql/pglite";
import { type LedgerClaim, type LedgerEntry, ToolContractError } from "@toolcontract/core";
import { POSTGRES_URL, WHY_NO_POSTGRES } from "@toolcontract/postgres-server";
import { Pool, type PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tablesOn } from "../testing/postgres-tables.ts";
import { createTables, createTablesSql, postgresLedger } from "./index.ts";

const NOTHING = { spent: 0, reserved: 0, inDoubt: 0 };

function claimOf(account: string, amount: number, max = 100, after?: number): LedgerClaim {
  return { limit: account, account, amount, max, ...(after !== undefined && { after }) };
}

function entryOf(id: string, ...claims: readonly LedgerClaim[]): LedgerEntry {
  return { id, claims, state: "reserved", reservedAt: 0, facts: { tool: "pay" } };
}

describe("postgresLedger", () => {
  let database: PGlite;
  const tables = tablesOn(() => database);
  beforeAll(async () => {
    database = await PGlite.create();
  });
  afterAll(async () => database.close());
  const newLedger = async () => postgresLedger(database, { prefix: await tables.place() });

  test("each step is one statement with its values, and sweeps once", async () => {
    const sent: string[] = [];
    const prefix = await tables.place();
    const ledger = postgresLedger(
      {
        async query(sql, values) {
          sent.push(sql);
          return (await database.query(sql, values)).rows;
        },
      },
      { prefix },
    );
    const entry = entryOf("e", claimOf("a", 1));
    for (let times = 0; times < 2; times += 1) {
      expect(await ledger.reserve(entry)).toEqual([]);
      await ledger.end(entry, { state: "spent", at: 1 });
    }
    await ledger.totals({ account: "a" });
    expect(sent.map((sql) => /_([a-z]+)"\(/.exec(sql)?.[1])).toEqual([
      "reserve",
      "sweep",
      "end",
      "reserve",
      "end",
      "totals",
    ]);
  });

  test("the query itself is a client", async () => {
    const prefix = await tables.place();
    const query = async (sql: string, values: unknown[]) => database.query(sql, values);
    await createTables(query, { prefix });
    expect(await postgresLedger(query, { prefix }).open()).toEqual([]);
  });

  test("an entry that is reserved again is there already: its answer was lost", async () => {
    const ledger = await newLedger();
    const entry = entryOf("e", claimOf("a", 60));
    for (let times = 0; times < 3; times += 1) expect(await ledger.reserve(entry)).toEqual([]);
    expect(await ledger.totals({ account: "a" })).toEqual({ ...NOTHING, reserved: 60 });
    await ledger.end(entry, { state: "in-doubt" });
    expect(await ledger.reserve(entry)).toEqual([]);
    expect(await ledger.totals({ account: "a" })).toEqual({ ...NOTHING, inDoubt: 60 });
  });

  test("texts may hold anything that JSON holds", async () => {
    const ledger = await newLedger();
    const text = "\0 \uD800 '\"\\ $toolcontract$ é\u2028";
    const entry = {
      ...entryOf(text, { ...claimOf(text, 1), limit: text }),
      facts: { tool: text, [text]: text },
    };
    expect(await ledger.reserve(entry)).toEqual([]);
    expect(await ledger.open()).toEqual([entry]);
    expect(await ledger.reserve({ ...entry, id: "other", claims: [claimOf(text, 100)] })).toEqual([
      { limit: text, totals: { ...NOTHING, reserved: 1 } },
    ]);
    await ledger.end(entry, { state: "spent", at: 1, amounts: { [text]: 0.5 } });
    expect(await ledger.totals({ account: text })).toEqual({ ...NOTHING, spent: 0.5 });
  });

  test.each([
    ["amount", { amount: Number.NaN }],
    ["maximum", { max: Number.POSITIVE_INFINITY }],
    ["maximum", { max: Number.NaN }],
  ])("a claim whose %s is not a finite number does not fit: %j", async (_, claim) => {
    const ledger = await newLedger();
    expect(await ledger.reserve(entryOf("e", { ...claimOf("a", 1), ...claim }))).toHaveLength(1);
  });

  test("windows of any order and clocks that are ahead count the same, and reading deletes nothing", async () => {
    const ledger = await newLedger();
    const spent: [at: number, amount: number][] = [];
    const counted = (after?: number): number =>
      spent.reduce(
        (sum, [at, amount]) => sum + (after === undefined || at > after ? amount : 0),
        0,
      );
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let step = 0; step < 100; step += 1) {
      const after = random(5) === 0 ? undefined : random(60);
      const totals = { ...NOTHING, spent: counted(after) };
      expect(await ledger.totals({ account: "a", ...(after !== undefined && { after }) })).toEqual(
        totals,
      );
      const entry = entryOf(`${step}`, claimOf("a", 1 + random(3), 1_000, after));
      expect(await ledger.reserve(entry)).toEqual([]);
      const end = { state: "spent", at: random(60) } as const;
      await ledger.end(entry, end);
      spent.push([end.at, entry.claims[0]?.amount ?? 0]);
    }
  });

  test("what no window reaches any more by the database's clock is swept, and its sums stay", async () => {
    const prefix = await tables.place();
    const open = () => postgresLedger(database, { prefix });
    const rows = async (name: string): Promise<unknown> =>
      (await database.query(`SELECT count(*)::int AS rows FROM ${prefix}ledger_${name}`)).rows[0];
    const windowed = [claimOf("a", 10, 100, 0), claimOf("b", 1, 100, 0)];
    for (const [id, at] of [
      ["early", 5],
      ["late", 9e15],
    ] as const) {
      const entry = entryOf(id, ...windowed);
      await open().reserve(entry);
      await open().end(entry, { state: "spent", at });
    }
    const doubts = { fading: windowed, lasting: [claimOf("a", 3)], running: windowed };
    for (const [id, claims] of Object.entries(doubts)) {
      await open().reserve(entryOf(id, ...claims));
      await open().end(entryOf(id, ...claims), {
        state: "in-doubt",
        ...(id !== "running" && { at: 5 }),
      });
    }
    await database.exec(
      `UPDATE ${prefix}ledger_spent SET kept = kept - interval '3 days'; UPDATE ${prefix}ledger_entries SET kept = kept - interval '3 days'`,
    );
    await database.query(`SELECT ${prefix}sweep()`);
    expect([await rows("spent"), await rows("entries"), await rows("doubts")]).toEqual([
      { rows: 0 },
      { rows: 2 },
      { rows: 3 },
    ]);
    expect(await open().totals({ account: "a" })).toEqual({ spent: 20, reserved: 0, inDoubt: 13 });
    expect(await open().totals({ account: "a", after: 1 })).toEqual({
      spent: 0,
      reserved: 0,
      inDoubt: 13,
    });
    const next = entryOf("next", claimOf("a", 80, 100, 1));
    expect(await open().reserve(next)).toEqual([]);
    await open().end(next, { state: "spent", at: 6 });
    expect(await open().totals({ account: "a", after: 5 })).toMatchObject({ spent: 80 });
    expect(await open().totals({ account: "a", after: 6 })).toMatchObject({ spent: 0 });
    expect(await open().totals({ account: "a" })).toMatchObject({ spent: 100 });
  });

  test("an account twice in an entry is an error, and nothing is reserved", async () => {
    const ledger = await newLedger();
    await expect(ledger.reserve(entryOf("e", claimOf("a", 1), claimOf("a", 1)))).rejects.toThrow(
      "each claim of an entry must be in another account",
    );
    expect(await ledger.open()).toEqual([]);
  });

  test("tables that are not there are an error that says how to make them", async () => {
    const ledger = postgresLedger(database, { prefix: "nowhere_" });
    await expect(ledger.open()).rejects.toThrow(
      'postgresLedger: its tables are not there (relation "nowhere_ledger_entries" does not exist). Run createTables(client) with the same `prefix` once, or the SQL of createTablesSql() in a migration.',
    );
    await expect(ledger.reserve(entryOf("e"))).rejects.toThrow(ToolContractError);
  });

  test("tables may be in a schema, and be made twice at once", async () => {
    const prefix = "shop.Limits_";
    await database.exec("CREATE SCHEMA shop");
    await Promise.all([1, 2].map(async () => createTables(database, { prefix })));
    await database.exec(createTablesSql({ prefix }));
    const ledger = postgresLedger(database, { prefix });
    expect(await ledger.reserve(entryOf("e", claimOf("a", 1)))).toEqual([]);
    const { rows } = await database.query(`SELECT id FROM shop."Limits_ledger_entries"`);
    expect(rows).toHaveLength(1);
  });

  test.each<[unknown]>([[undefined], ["postgres://127.0.0.1"], [{ sql: 1 }], [tagLike()]])(
    "a client %o is an error at once",
    async (client) => {
      const message =
        "pass what has a query(sql, values), such as new Pool() of pg; of postgres.js, { query: (text, values) => sql.unsafe(text, values) }.";
      expect(() => postgresLedger(client as never)).toThrow(
        new ToolContractError(`postgresLedger: ${message}`),
      );
      await expect(createTables(client as never)).rejects.toThrow(`createTables: ${message}`);
    },
  );

  test.each([[""], ["a-b"], ['a"b'], ["a.b.c"], ["x".repeat(37)], [7]])(
    "a prefix %j is an error at once",
    (prefix) => {
      expect(() => postgresLedger(database, { prefix: prefix as string })).toThrow(
        "postgresLedger: `prefix` must be letters, digits and underscores",
      );
    },
  );

  test.each([[undefined], [{ rowCount: 1 }], [[{}]], [[{ reply: "{}" }]], [[{ reply: "[1]" }]]])(
    "an answer %j is not taken for sums",
    async (answer) => {
      const ledger = postgresLedger({ query: async () => answer });
      await expect(ledger.totals({ account: "a" })).rejects.toThrow(/^A (query|reply|step) /);
    },
  );
});

/** Like the `sql` of postgres.js. */
function tagLike(): unknown {
  return Object.assign(() => undefined, { unsafe: () => undefined });
}

// The gate of the tests says once that there is no server.
describe.skipIf(WHY_NO_POSTGRES)("postgresLedger on a real server", () => {
  const pool = new Pool({ connectionString: POSTGRES_URL, max: 20 });
  const tables = tablesOn(() => pool);
  afterAll(async () => {
    await tables.dropAll();
    await pool.end();
  });

  async function inTransaction(
    begin: string,
    work: (client: PoolClient) => Promise<unknown>,
  ): Promise<void> {
    const client = await pool.connect();
    client.on("error", () => undefined);
    try {
      await client.query(begin);
      await work(client);
    } finally {
      client.release(true);
    }
  }

  test("entries of accounts in any order wait for each other, and never for ever", async () => {
    const ledger = postgresLedger(pool, { prefix: await tables.place() });
    const names = ["a", "b", "c", "d"];
    let granted = 0;
    await Promise.all(
      Array.from({ length: 80 }, async (_, index) => {
        const turned = names.map((_name, at) => names[(at * 3 + index) % 4] ?? "");
        const entry = entryOf(
          `${index}`,
          ...turned.slice(index % 3).map((one) => claimOf(one, 1, 30)),
        );
        if ((await ledger.reserve(entry)).length > 0) return;
        granted += 1;
        await ledger.end(entry, { state: index % 2 === 0 ? "spent" : "in-doubt", at: 1 });
      }),
    );
    expect(granted).toBeGreaterThan(29);
    for (const account of names) {
      const { spent, inDoubt, reserved } = await ledger.totals({ account });
      expect([spent + inDoubt <= 30, reserved]).toEqual([true, 0]);
    }
  });

  test("in a transaction of the program, a payment is there with its order, or not at all", async () => {
    const prefix = await tables.place();
    const outside = postgresLedger(pool, { prefix });
    const entry = entryOf("e", claimOf("a", 10));
    await inTransaction("BEGIN", async (client) => {
      const ledger = postgresLedger(client, { prefix });
      await ledger.reserve(entry);
      await ledger.end(entry, { state: "spent", at: 1 });
      expect(await ledger.totals({ account: "a" })).toEqual({ ...NOTHING, spent: 10 });
      expect(await outside.totals({ account: "a" })).toEqual(NOTHING);
      await client.query("ROLLBACK");
    });
    expect(await outside.totals({ account: "a" })).toEqual(NOTHING);
    expect(await outside.open()).toEqual([]);
  });

  test("a connection that is lost in the middle of a transaction leaves nothing behind, and holds nobody up", async () => {
    const prefix = await tables.place();
    const outside = postgresLedger(pool, { prefix });
    const lost = inTransaction("BEGIN", async (client) => {
      await postgresLedger(client, { prefix }).reserve(entryOf("lost", claimOf("a", 100)));
      const waiting = outside.reserve(entryOf("next", claimOf("a", 100)));
      await client.query("SELECT pg_terminate_backend(pg_backend_pid())").catch(() => undefined);
      expect(await waiting).toEqual([]);
    });
    await lost;
    expect((await outside.open()).map(({ id }) => id)).toEqual(["next"]);
  });

  test.each(["REPEATABLE READ", "SERIALIZABLE"])(
    "under %s, a step that has read what is over fails instead of granting",
    async (level) => {
      const prefix = await tables.place();
      const outside = postgresLedger(pool, { prefix });
      await outside.reserve(entryOf("first", claimOf("a", 1)));
      await inTransaction(`BEGIN ISOLATION LEVEL ${level}`, async (client) => {
        const ledger = postgresLedger(client, { prefix });
        await ledger.totals({ account: "a" });
        await outside.reserve(entryOf("second", claimOf("a", 99)));
        await expect(ledger.reserve(entryOf("third", claimOf("a", 99)))).rejects.toThrow(
          "could not serialize access",
        );
      });
      expect(await outside.totals({ account: "a" })).toEqual({ ...NOTHING, reserved: 100 });
    },
  );
});
