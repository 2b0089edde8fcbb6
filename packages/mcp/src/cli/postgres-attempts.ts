import type { Pool } from "pg";
import { UsageError } from "./failure.ts";
import { loadPeer } from "./load-peer.ts";
import type { Log } from "./log.ts";
import type { OpenStore } from "./open-store.ts";

type PostgresPool = Pick<Pool, "query" | "end"> & {
  on(event: "error", listener: (error: Error) => void): unknown;
};

/** What is used of the package `pg`. */
export interface PostgresModule {
  readonly Pool: new (options: {
    connectionString: string;
    connectionTimeoutMillis: number;
    max: number;
  }) => PostgresPool;
}

const CONNECT_MS = 2_000;
const CONNECTIONS = 4;

/**
 * Opens a store in Postgres, and makes its tables in the background: calls that must be counted meanwhile wait for the time limit of
 * the store, and others not at all.
 *
 * @remarks A server that cannot be reached ends nothing: calls are counted in this process until it can.
 * @throws UsageError if the package `pg` is not installed, or it cannot read the URL.
 */
export async function openPostgres(
  url: string,
  idleTime: number,
  log: Pick<Log, "info" | "warn">,
  load: () => Promise<PostgresModule> = loadPostgres,
): Promise<OpenStore> {
  const pool = postgresPool(await loadPeer("pg", load), url);
  const { createTables, postgresStore } = await import("@toolcontract/stores/postgres");
  const said = sayOnce(log);
  // A connection that is lost while nobody uses it; the next call says whether there is another one.
  pool.on("error", () => undefined);
  let tables: Promise<void> | undefined;
  const withTables = async (): Promise<void> => {
    tables ??= createTables(pool).catch((thrown: unknown) => {
      // Who may not create tables finds those of a migration.
      if (codeOf(thrown) === NOT_ALLOWED) return;
      tables = undefined;
      throw thrown;
    });
    return tables;
  };
  const query = async (sql: string, values: unknown[]): Promise<unknown> => {
    try {
      await withTables();
      const answer = await pool.query(sql, values);
      said.answered();
      return answer;
    } catch (thrown) {
      said.failed(thrown);
      throw thrown;
    }
  };
  void query("SELECT 1", []).catch(() => undefined);
  return {
    store: postgresStore({ query }, { idleTime }),
    close: () => void pool.end().catch(() => undefined),
  };
}

const NOT_ALLOWED = "42501";

async function loadPostgres(): Promise<PostgresModule> {
  const { default: pg } = await import("pg");
  return pg;
}

function postgresPool({ Pool: PoolOf }: PostgresModule, url: string): PostgresPool {
  // Not the URL itself: it may hold a password.
  if (!URL.canParse(url)) {
    throw new UsageError("--store must be a URL such as postgres://user@127.0.0.1:5432/shop");
  }
  return new PoolOf({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    max: CONNECTIONS,
  });
}

/** Logs each change once: every call asks. A code, because a message may hold a name or a value. */
function sayOnce(log: Pick<Log, "info" | "warn">): {
  readonly answered: () => void;
  readonly failed: (thrown: unknown) => void;
} {
  let last: string | undefined;
  return {
    answered() {
      if (last === "answers") return;
      last = "answers";
      log.info("The store is connected");
    },
    failed(thrown) {
      const code = codeOf(thrown) ?? "no answer";
      if (last === code) return;
      last = code;
      log.warn("The store cannot be used: attempts are counted in this process", { code });
    },
  };
}

function codeOf(thrown: unknown): string | undefined {
  const { code } = Object(thrown) as { readonly code?: unknown };
  return typeof code === "string" ? code : undefined;
}
