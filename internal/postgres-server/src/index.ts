import { Client } from "pg";

/** Where tests look for a server; its user may create tables. */
export const POSTGRES_URL: string =
  process.env["POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

/** Why tests on a real server are skipped; undefined if one answers. */
export const WHY_NO_POSTGRES: string | undefined = await whyNone();

async function whyNone(): Promise<string | undefined> {
  const client = new Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: 2_000 });
  // A server that ends the connection says so here, too.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (thrown) {
    const reason = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "no answer";
    return `no Postgres at ${POSTGRES_URL.replace(/:\/\/.*@/, "://")} (${reason}; POSTGRES_URL names another): tests on a real Postgres are skipped`;
  } finally {
    await client.end();
  }
}

let prefixes = 0;

/** A prefix for tables that no other test uses. */
export function newPrefix(): string {
  prefixes += 1;
  return `tc_${process.pid}_${Date.now().toString(36)}_${prefixes}_`;
}

/** Makes a schema of its own, in which the connections of its URL create tables. */
export async function newSchema(): Promise<{
  readonly url: string;
  readonly drop: () => Promise<void>;
}> {
  const schema = newPrefix();
  const run = async (sql: string): Promise<void> => {
    const client = new Client({ connectionString: POSTGRES_URL });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await run(`CREATE SCHEMA ${schema}`);
  return {
    url: `${POSTGRES_URL}?options=-c%20search_path%3D${schema}`,
    drop: async () => run(`DROP SCHEMA ${schema} CASCADE`),
  };
}
