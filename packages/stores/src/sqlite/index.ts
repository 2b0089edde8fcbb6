// Attempts and limits in SQLite, for the processes of one machine: @toolcontract/stores/sqlite.

export type {
  AttemptsDatabase,
  AttemptsStatement,
  LedgerDatabase,
  LedgerStatement,
} from "../tables/index.ts";
export { type SqliteAttemptsOptions, sqliteAttempts } from "./sqlite-attempts.ts";
export { type SqliteLedgerOptions, sqliteLedger } from "./sqlite-ledger.ts";
