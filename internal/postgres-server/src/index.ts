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
