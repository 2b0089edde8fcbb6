import { newPrefix } from "@toolcontract/postgres-server";
import { createTables, type PostgresClient } from "../postgres/index.ts";

/** Tables with prefixes of their own, until they are dropped. */
export function tablesOn(client: () => PostgresClient) {
  const made: string[] = [];
  const query = async (sql: string, ...values: unknown[]): Promise<unknown> =>
    client().query(sql, values);
  return {
    place: async (): Promise<string> => {
      const prefix = newPrefix();
      made.push(prefix);
      await createTables(client(), { prefix });
      return prefix;
    },
    clear: async (prefix: string) => query(`DELETE FROM ${prefix}attempts`),
    // Text of Postgres holds no NUL.
    poison: async (prefix: string, value: string) =>
      query(`UPDATE ${prefix}attempts SET value = $1::text`, value.replaceAll("\0", "")),
    dropAll: async (): Promise<void> => {
      for (const prefix of made.splice(0)) await query(dropOf(prefix));
    },
  };
}

function dropOf(prefix: string): string {
  return `DO $$ BEGIN
    EXECUTE (SELECT 'DROP TABLE ' || string_agg(quote_ident(tablename), ', ') || ' CASCADE'
      FROM pg_tables WHERE starts_with(tablename, '${prefix}'));
    EXECUTE (SELECT 'DROP FUNCTION ' || string_agg(oid::regprocedure::text, ', ')
      FROM pg_proc WHERE starts_with(proname, '${prefix}'));
  END $$`;
}
