// Attempts and limits in Postgres, by any client: @toolcontract/stores/postgres.

export { type PostgresClient, type PostgresQuery, type TableOptions } from "./client.ts";
export { createTables, createTablesSql } from "./tables.ts";
export { type PostgresStoreOptions, postgresStore } from "./postgres-store.ts";
export { postgresLedger } from "./postgres-ledger.ts";
