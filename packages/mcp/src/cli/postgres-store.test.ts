import { POSTGRES_URL, WHY_NO_POSTGRES, newPrefix } from "@toolcontract/postgres-server";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addServer } from "../testing/messages.ts";
import { script } from "../testing/proxy-process.ts";
import { runMain } from "../testing/run-main.ts";
import { UsageError } from "./failure.ts";
import { type PostgresModule, openPostgres } from "./postgres-attempts.ts";
import { openStore } from "./store.ts";

const URL_OF_NONE = "postgres://user:secret@127.0.0.1:1/shop";
const HOUR = 3_600_000;
const failed = { failed: 1, history: [], turnId: "t", turnOutcome: "counted" } as const;
const silent = { info: () => undefined, warn: () => undefined };

function logOf() {
  const lines: unknown[] = [];
  const note = (...line: unknown[]): void => void lines.push(line);
  return { lines, log: { info: note, warn: note } };
}

/** A package pg whose pool answers like this. */
function moduleOf(answer: (sql: string) => unknown): () => Promise<PostgresModule> {
  class FakePool {
    on(): void {}
    async end(): Promise<void> {}
    async query(sql: string): Promise<unknown> {
      return answer(sql);
    }
  }
  return async () => ({ Pool: FakePool as never });
}

const errorOf = (code: string): Error => Object.assign(new Error("secret"), { code });

test("without the package pg it says what to install", async () => {
  const load = async () => Promise.reject(errorOf("ERR_MODULE_NOT_FOUND"));
  await expect(openPostgres(URL_OF_NONE, HOUR, silent, load)).rejects.toThrow(
    new UsageError(
      "--store needs the package pg beside this one: npm install pg, or npx -y -p pg -p @toolcontract/mcp toolcontract-mcp …",
    ),
  );
});

test("each change is logged once, by its code, and tables are made once", async () => {
  const { lines, log } = logOf();
  let made = 0;
  let code: string | undefined = "ECONNREFUSED";
  const load = moduleOf((sql) => {
    if (code !== undefined) throw errorOf(code);
    if (sql.startsWith("DO ")) made += 1;
    return { rows: [{ value: null, now: 1 }] };
  });
  const { store } = await openPostgres(URL_OF_NONE, HOUR, log, load);
  for (const next of ["ECONNREFUSED", "ECONNREFUSED", "28P01"]) {
    code = next;
    await expect(store.get("a")).rejects.toThrow("secret");
  }
  code = undefined;
  for (let times = 0; times < 3; times += 1) expect(await store.get("a")).toBeUndefined();
  const why = "The store cannot be used: attempts are counted in this process";
  expect(lines).toEqual([
    [why, { code: "ECONNREFUSED" }],
    [why, { code: "28P01" }],
    ["The store is connected"],
  ]);
  expect(made).toBe(1);
});

test("who may not create tables uses those that are there", async () => {
  const load = moduleOf((sql) => {
    if (sql.startsWith("DO ")) throw errorOf("42501");
    return { rows: [{ value: null, now: 1 }] };
  });
  const { store } = await openPostgres(URL_OF_NONE, HOUR, silent, load);
  expect(await store.get("a")).toBeUndefined();
});

test.each(["postgres://[", "postgresql://a b:c:d"])(
  "--store %s is refused, unnamed",
  async (url) => {
    const opened = openPostgres(
      url,
      HOUR,
      silent,
      moduleOf(() => undefined),
    );
    await expect(opened).rejects.toThrow(
      new UsageError("--store must be a URL such as postgres://user@127.0.0.1:5432/shop"),
    );
  },
);

test("--check says that a store does not answer, and goes on", async () => {
  const { code, output } = await runMain([
    "--check",
    "--store",
    URL_OF_NONE,
    ...script(addServer()),
  ]);
  expect(output).toContain("The store does not answer (ECONNREFUSED): each process would count");
  expect(output).not.toContain("secret");
  expect(code).toBe(0);
});

// The gate of the tests says once that there is no server.
describe.skipIf(WHY_NO_POSTGRES)("on a real Postgres", () => {
  // Tables without a prefix of their own are in a schema of their own.
  const schema = newPrefix();
  const store = `${POSTGRES_URL}?options=-c%20search_path%3D${schema}`;
  const settings = {
    store,
    "attempt-window": HOUR,
    "store-timeout": 60_000,
    "max-attempts": 3,
  };
  const pool = new Pool({ connectionString: POSTGRES_URL });
  beforeAll(async () => {
    await pool.query(`CREATE SCHEMA ${schema}`);
  });
  afterAll(async () => {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.end();
  });

  test("two processes count together, and --check says that it answers", async () => {
    const stores = [await openStore(settings, silent), await openStore(settings, silent)];
    await stores[0]?.store.update("a", () => failed);
    expect(await stores[1]?.store.get("a")).toMatchObject({ failed: 1 });
    for (const opened of stores) opened?.close();
    const flags = ["--check", "--store", store];
    expect((await runMain([...flags, ...script(addServer())])).output).toContain(
      "The store answers",
    );
    expect((await pool.query(`SELECT FROM ${schema}.toolcontract_attempts`)).rows).toHaveLength(1);
  });
});
