import { type PostgresClient, type PostgresQuery, type TableOptions, rowsFrom } from "./client.ts";
import { ledgerFunctions } from "./ledger-sql.ts";
import { type TableNames, tableNames } from "./names.ts";

/**
 * Creates the tables and functions of postgresStore() and postgresLedger(), or brings them up to date; once or again, by one
 * process or many.
 *
 * @throws ToolContractError if an option is not what it must be; what the client throws if it may not create tables.
 * @example
 * ```ts
 * await createTables(pool);
 * ```
 * @see docs/stores.md
 */
export async function createTables(
  client: PostgresClient | PostgresQuery,
  options: TableOptions = {},
): Promise<void> {
  const rowsOf = rowsFrom("createTables", client);
  await rowsOf(sqlOf(tableNames("createTables", options)));
}

/**
 * The statement that createTables() runs, for a migration.
 *
 * @throws ToolContractError if an option is not what it must be.
 * @example
 * ```ts
 * writeFileSync("migrations/7-toolcontract.sql", createTablesSql());
 * ```
 * @see docs/stores.md
 */
export function createTablesSql(options: TableOptions = {}): string {
  return sqlOf(tableNames("createTablesSql", options));
}

/** One statement, because some clients send no more at once: all of it is done, or nothing. */
function sqlOf(names: TableNames): string {
  return `DO $toolcontract$ BEGIN
-- Nobody else creates them at the same time; and what is there already is not worth a notice.
PERFORM pg_advisory_xact_lock(hashtext('toolcontract'));
PERFORM set_config('client_min_messages', 'warning', true);
${tables(names)}
${ledgerFunctions(names)}
${sweepFunction(names)}
END $toolcontract$`;
}

function tables({ attempts, accounts, entries, doubts, spent }: TableNames): string {
  return `
CREATE TABLE IF NOT EXISTS ${attempts} (key text PRIMARY KEY, value text NOT NULL, until timestamptz NOT NULL);
CREATE INDEX IF NOT EXISTS ${indexOf(attempts, "until")} ON ${attempts} (until);
CREATE TABLE IF NOT EXISTS ${accounts} (
  account text PRIMARY KEY, spent numeric NOT NULL DEFAULT 0, reserved numeric NOT NULL DEFAULT 0,
  gone numeric NOT NULL DEFAULT 0, gone_until float8 NOT NULL DEFAULT '-infinity');
CREATE TABLE IF NOT EXISTS ${entries} (
  id text PRIMARY KEY, state text NOT NULL, reserved_at float8 NOT NULL, ended_at float8, fades boolean NOT NULL,
  held json NOT NULL, body text NOT NULL, kept timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE TABLE IF NOT EXISTS ${doubts} (
  account text NOT NULL, id text NOT NULL, amount numeric NOT NULL, ended_at float8, PRIMARY KEY (account, id));
CREATE INDEX IF NOT EXISTS ${indexOf(doubts, "id")} ON ${doubts} (id);
CREATE TABLE IF NOT EXISTS ${spent} (
  account text NOT NULL, at float8 NOT NULL, amount numeric NOT NULL, kept timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE INDEX IF NOT EXISTS ${indexOf(spent, "at")} ON ${spent} (account, at);
CREATE INDEX IF NOT EXISTS ${indexOf(spent, "kept")} ON ${spent} (kept);`;
}

/** An index is in the schema of its table, and is named without it. */
function indexOf(table: string, column: string): string {
  return `${table.slice(table.lastIndexOf('"', table.length - 2), -1)}_${column}"`;
}

/**
 * Removes what is over by the clock of the database: attempts, and what no window reaches any more. Accounts and attempts that
 * others hold at the moment are left to the next time, so it waits for nobody.
 */
function sweepFunction({ attempts, accounts, entries, doubts, spent, sweep }: TableNames): string {
  return `
CREATE OR REPLACE FUNCTION ${sweep}() RETURNS void LANGUAGE plpgsql AS $function$
DECLARE
  one record;
BEGIN
  DELETE FROM ${attempts} WHERE key IN (
    SELECT key FROM ${attempts} WHERE until <= statement_timestamp() LIMIT 500 FOR UPDATE SKIP LOCKED);
  FOR one IN
    SELECT account FROM ${accounts} WHERE account IN (
      SELECT account FROM ${spent} WHERE kept < statement_timestamp() - interval '2 days' ORDER BY kept LIMIT 500)
    FOR UPDATE SKIP LOCKED
  LOOP
    WITH old AS (
      DELETE FROM ${spent} WHERE account = one.account AND kept < statement_timestamp() - interval '2 days' RETURNING at, amount)
    UPDATE ${accounts} SET gone = gone + (SELECT coalesce(sum(amount), 0) FROM old WHERE at > gone_until)
    WHERE account = one.account;
  END LOOP;
  WITH old AS (
    DELETE FROM ${entries} WHERE id IN (
      SELECT id FROM ${entries} WHERE fades AND state = 'in-doubt' AND ended_at IS NOT NULL AND kept < statement_timestamp() - interval '2 days'
      LIMIT 500 FOR UPDATE SKIP LOCKED) RETURNING id)
  DELETE FROM ${doubts} WHERE id IN (SELECT id FROM old);
END $function$;`;
}
