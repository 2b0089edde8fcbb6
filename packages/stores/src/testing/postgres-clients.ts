import type { PostgresClient } from "../postgres/index.ts";
import { startSqlOverHttp } from "./sql-over-http.ts";

/** A client that is connected. */
export interface PostgresConnection {
  readonly client: PostgresClient;
  readonly close: () => Promise<void>;
}

/** The clients that the page names, as it connects them; a process loads the one that it uses. */
export const POSTGRES_CLIENTS: readonly (readonly [
  name: string,
  connect: (url: string) => Promise<PostgresConnection>,
])[] = [
  [
    "pg",
    async (url) => {
      const { Pool } = await import("pg");
      const pool = new Pool({ connectionString: url, max: 4 });
      return { client: pool, close: async () => pool.end() };
    },
  ],
  [
    "postgres",
    async (url) => {
      const { default: postgres } = await import("postgres");
      const sql = postgres(url, { max: 4 });
      return {
        client: { query: (text, values) => sql.unsafe(text, values as never[]) },
        close: async () => sql.end(),
      };
    },
  ],
  [
    "neon",
    async (url) => {
      const { neon, neonConfig } = await import("@neondatabase/serverless");
      const endpoint = await startSqlOverHttp(url);
      neonConfig.fetchEndpoint = endpoint.url;
      return { client: neon("postgres://user:password@localhost/shop"), close: endpoint.close };
    },
  ],
];
