import { ToolContractError } from "@toolcontract/core";

/** What runs one statement with its values, and resolves to the rows, or to an object with them. */
export type PostgresQuery = (sql: string, values: unknown[]) => PromiseLike<unknown>;

/**
 * What reaches Postgres: a pool or a client of `pg`, a database of PGlite, Neon's `sql`, or anything else that has a `query`.
 *
 * @example
 * ```ts
 * const client: PostgresClient = { query: (text, values) => sql.unsafe(text, values) };
 * ```
 * @see docs/stores.md
 */
export interface PostgresClient {
  /** Runs one statement with its values, and resolves to the rows, or to an object with them. */
  query(sql: string, values: unknown[]): PromiseLike<unknown>;
}

/**
 * How the tables are named.
 *
 * @example
 * ```ts
 * const options: TableOptions = { prefix: "shop.toolcontract_" };
 * ```
 * @see docs/stores.md
 */
export interface TableOptions {
  /**
   * How the names of tables and functions begin; with a schema before a dot, such as `shop.toolcontract_`.
   *
   * @default toolcontract_
   */
  readonly prefix?: string;
}

type Row = Readonly<Record<string, unknown>>;

/** Runs one statement and returns its rows. */
export type RowsOf = (
  sql: string,
  ...values: (string | number | null)[]
) => Promise<readonly Row[]>;

/** Thrown for an answer that the statements never give. */
export class PostgresReplyError extends Error {}

/** Reads a client; throws a ToolContractError that names the function `where`. */
export function rowsFrom(where: string, client: PostgresClient | PostgresQuery): RowsOf {
  const query = queryOf(client);
  if (query === undefined) {
    throw new ToolContractError(
      `${where}: pass what has a query(sql, values), such as new Pool() of pg; of postgres.js, { query: (text, values) => sql.unsafe(text, values) }.`,
    );
  }
  return async (sql, ...values) => {
    try {
      return rowsIn(await query(sql, values));
    } catch (thrown) {
      throw isMissing(thrown) ? missing(where, thrown) : thrown;
    }
  };
}

/** The tag of postgres.js is a function, too, and takes no statement as a string. */
function queryOf(client: PostgresClient | PostgresQuery): PostgresQuery | undefined {
  const { query, unsafe } = Object(client) as Partial<PostgresClient> & {
    readonly unsafe?: unknown;
  };
  if (typeof query === "function") {
    return (sql, values) => (client as PostgresClient).query(sql, values);
  }
  return typeof client === "function" && unsafe === undefined ? client : undefined;
}

function rowsIn(answer: unknown): readonly Row[] {
  const rows: unknown = Array.isArray(answer)
    ? answer
    : (Object(answer) as { readonly rows?: unknown }).rows;
  if (Array.isArray(rows)) return rows as readonly Row[];
  throw new PostgresReplyError("A query must resolve to rows, or to an object with `rows`.");
}

/** Codes of Postgres for a table, a function and a schema that are not there. */
const MISSING = new Set(["42P01", "42883", "3F000"]);

function isMissing(thrown: unknown): boolean {
  const { code } = Object(thrown) as { readonly code?: unknown };
  return typeof code === "string" && MISSING.has(code);
}

function missing(where: string, cause: unknown): ToolContractError {
  const reason = cause instanceof Error ? ` (${cause.message})` : "";
  return new ToolContractError(
    `${where}: its tables are not there${reason}. Run createTables(client) with the same \`prefix\` once, or the SQL of createTablesSql() in a migration.`,
    { cause },
  );
}
